"""A residual network without its output, which hands on what each of its stages found."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Self

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from reactivate.models.network import Network
from reactivate.models.resnet import ResNet

STEM = 2  # modules before the blocks: the 7x7 convolution and the pooling


class Backbone(Network):
    r"""The stem and the four stages of a ResNet, by default ResNet-50.

    Its modules have the names that they have in the network of classes, so that the weights of
    such a run fit; see :func:`load_backbone`.

    Args:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`.
        width: Factor on all numbers of filters.
        depths: Blocks per stage.
        frozen_stages: Stages whose weights stay as they are, and the stem before them; None to
            train all of it, stem included.
        fixed_statistics: Batch normalisation uses its running statistics in training too.
        settings: Further arguments of :class:`reactivate.models.resnet.ResNet`.

    Shape:
        - Input: ``(N, 3, H, W)``
        - Output: four of ``(N, channels[s], H / 2^(s+2), W / 2^(s+2))``, rounded up

    Example:
        >>> import torch
        >>> found = Backbone(width=0.1, depths=(1, 1, 1, 1))(torch.zeros(2, 3, 64, 64))
        >>> [tuple(stage.shape[1:]) for stage in found]
        [(24, 16, 16), (52, 8, 8), (104, 4, 4), (204, 2, 2)]
    """

    def __init__(
        self,
        activation: str = "relu",
        width: float = 1.0,
        depths: Sequence[int] = (3, 4, 6, 3),
        frozen_stages: int | None = None,
        fixed_statistics: bool = False,
        **settings: Any,
    ) -> None:
        ends = [STEM + blocks for blocks in accumulate(depths)]
        modules = list(ResNet(activation, width=width, depths=depths, classes=1, **settings))
        super().__init__(*modules[: ends[-1]])
        self.ends = ends
        blocks: list[Any] = [modules[end - 1] for end in ends]
        self.channels: list[int] = [block.out_channels for block in blocks]
        self.fixed_statistics = fixed_statistics
        if frozen_stages is None:
            self.frozen = 0
        elif frozen_stages in range(len(ends) + 1):
            self.frozen = [STEM, *ends][frozen_stages]
        else:
            raise ValueError(
                f"frozen_stages is {frozen_stages}; accepted: 0 (the stem) to {len(ends)}, or "
                "null for none. Change it where the network is configured"
            )
        for module in modules[: self.frozen]:
            module.requires_grad_(False)

    def forward(self, input: Tensor) -> list[Tensor]:
        found = []
        x = input
        for number, module in enumerate(self, start=1):
            x = module(x)
            if number in self.ends:
                found.append(x)
        return found

    def train(self, mode: bool = True) -> Self:
        """As of any module; but frozen parts, and fixed statistics, stay as in evaluation."""
        super().train(mode)
        for number, module in enumerate(self):
            if number < self.frozen:
                module.eval()
        for part in self.modules():
            if self.fixed_statistics and isinstance(part, _BatchNorm):
                part.eval()
        return self


def load_backbone(model: nn.Module, state: Mapping[str, Tensor]) -> None:
    """Gives the backbone of a network the weights of a network of classes, in place.

    Args:
        model: A :class:`Backbone`, or a network that has one.
        state: State of a ResNet of the same activation and width; its output layer is left out.

    Raises:
        ValueError: The model has no backbone, or weights are missing or of other shapes.

    Example:
        >>> import torch
        >>> small = {"width": 0.1, "depths": (1, 1, 1, 1)}
        >>> classes, backbone = ResNet(**small), Backbone(**small)
        >>> load_backbone(backbone, classes.state_dict())
        >>> torch.equal(backbone[0].layer.weight, classes[0].layer.weight)
        True
    """
    backbone = next((part for part in model.modules() if isinstance(part, Backbone)), None)
    if backbone is None:
        raise ValueError(
            f"{type(model).__name__} has no backbone to load weights into; load_backbone takes "
            "retinanet and allmlp_segmenter"
        )
    own = backbone.state_dict()
    given = {name: value for name, value in state.items() if _module(name) < len(backbone)}
    missing, unknown = sorted(own.keys() - given.keys()), sorted(given.keys() - own.keys())
    shapes = [
        f"{name} is {tuple(given[name].shape)} for {tuple(own[name].shape)}"
        for name in own
        if name in given and given[name].shape != own[name].shape
    ]
    for problem, names in (("are missing", missing), ("are unknown", unknown), ("differ", shapes)):
        if names:
            raise ValueError(
                f"the weights are not of this backbone: {len(names)} {problem}, first {names[0]}; "
                "take those of a resnet50 with the same activation, width and depths"
            )
    backbone.load_state_dict(given)


def _module(name: str) -> int:
    """The number of the module that a name in a state begins with.

    Raises:
        ValueError: It does not begin with one.
    """
    first = name.partition(".")[0]
    if not first.isdigit():
        raise ValueError(
            f"the weights have the name {name!r}, which no ResNet of this package has; "
            "take the weights of a run of resnet50"
        )
    return int(first)
