"""CReLU, Tables 1 and 5: parameters of the networks."""

from typing import Any

import torch

from reactivate.documents.crelu import kernels as crelu_kernels
from reactivate.documents.crelu.kernels import Kernel
from reactivate.documents.shared.values import Value
from reactivate.models import MODELS
from reactivate.models.flops import count_parameters

# rows of Table 1: the ConvPool-CNN-C of nine convolutions, and Tables S1 and S2 as printed
# (protocols nine_layers and document)
TABLE1: dict[str, tuple[str, dict[str, Any], list[Kernel], str]] = {
    "baseline": ("convpool9", {}, crelu_kernels.BASELINE, "1.4"),
    "baseline_double": ("convpool9_double", {}, crelu_kernels.DOUBLE, "5.6"),
    "crelu": ("convpool9", {"activation": "crelu"}, crelu_kernels.CRELU, "2.8"),
    "crelu_half": ("convpool9_half", {}, crelu_kernels.HALF, "0.7"),
}
TABLE5 = {
    "allconvb": "allcnn",
    "crelu_all": "allcnn_all",
    "crelu_conv1_4_7": "allcnn_conv1_4_7",
    "crelu_conv1_4": "allcnn_conv1_4",
}


def parameters(name: str, **settings: Any) -> int:
    """Learnable numbers of a network, biases included."""
    with torch.device("meta"):
        return count_parameters(MODELS.load(name)(**settings))


def table1() -> list[Value]:
    """Parameters of Table 1: the original ConvPool-CNN-C on CIFAR-100, beside Tables S1 and S2."""
    how = (
        "protocol nine_layers, 100 classes, with biases; the eight convolutions as printed in "
        "Tables S1 and S2 (document) have {:.2f}M"
    )
    return [
        Value(
            row,
            "params",
            parameters(name, classes=100, **settings),
            how.format(crelu_kernels.count_printed(kernels) / 1e6),
        )
        for row, (name, settings, kernels, _) in TABLE1.items()
    ]


def table5() -> list[Value]:
    """Parameters of Table 5."""
    how = "All-CNN-B of Tables S7, S8, S11 (halved throughout) and S12, with biases"
    return [Value(row, "params", parameters(name), how) for row, name in TABLE5.items()]
