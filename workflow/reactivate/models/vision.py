"""Makes torchvision importable beside a CPU-only torch; import it from here, nowhere else.

The published torchvision wheel is built for CUDA. Beside a CPU-only torch its compiled part does
not load, and the import stops because two detection operators were never declared. Declaring
them (nothing here calls them) is enough for datasets, transforms and models.

Example:
    >>> from reactivate.models.vision import torchvision
    >>> torchvision.models.mobilenet_v2.__name__
    'mobilenet_v2'
"""

import torch

__all__ = ["torchvision"]

try:
    import torchvision
except RuntimeError as error:
    if "torchvision::nms" not in str(error):
        raise
    # Kept for the life of the process: torch forgets the operators of a collected library.
    _OPERATORS = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for _name in ("nms", "qnms"):
        _OPERATORS.define(  # type: ignore[no-untyped-call]
            f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
        )
    import torchvision
