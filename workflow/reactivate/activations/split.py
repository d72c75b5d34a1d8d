"""Layers that read both phases of a response: checks, and the collapsed form of static PSC."""

import torch
from torch import Tensor, nn

Branch = nn.Conv2d | nn.Linear


class SplitLayer(nn.Module):
    r"""Computes ``[W+ x+, W- x-]``: some outputs from the positive phase, the rest from the other.

    Reference:
        PSC supplement, the equation before Eq. 19 (CVPR Workshops 2021).

    Args:
        positive: Layer for the first outputs; None if there are none.
        negative: Layer for the remaining outputs; None if there are none.

    Shape:
        - Input: both phases, ``(N, 2C, *)``, as :class:`PSC` gives them
        - Output: ``(N, M, *)``

    Example:
        >>> layer = SplitLayer(positive=nn.Linear(2, 3), negative=nn.Linear(2, 1))
        >>> layer(torch.ones(5, 4)).shape, layer.rho
        (torch.Size([5, 4]), 0.75)
    """

    def __init__(self, positive: Branch | None, negative: Branch | None) -> None:
        super().__init__()
        self.positive = positive
        self.negative = negative

    @property
    def rho(self) -> float:
        """Share of outputs that read the positive phase."""
        counts = [0 if b is None else len(b.weight) for b in (self.positive, self.negative)]
        return counts[0] / sum(counts)

    def forward(self, phases: Tensor) -> Tensor:
        pairs = zip((self.positive, self.negative), phases.chunk(2, dim=1), strict=True)
        return torch.cat([layer(x) for layer, x in pairs if layer is not None], dim=1)


def branch(like: Branch, weight: Tensor, bias: Tensor | None) -> Branch | None:
    """A layer of the same kind as ``like`` with the given numbers; None without outputs."""
    outputs, inputs = weight.shape[:2]
    if outputs == 0:
        return None
    made: Branch
    if isinstance(like, nn.Conv2d):
        made = nn.Conv2d(
            inputs,
            outputs,
            (like.kernel_size[0], like.kernel_size[1]),
            stride=(like.stride[0], like.stride[1]),
            padding=like.padding,  # type: ignore[arg-type]
            dilation=(like.dilation[0], like.dilation[1]),
            bias=bias is not None,
            padding_mode=like.padding_mode,
        )
    else:
        made = nn.Linear(inputs, outputs, bias=bias is not None)
    made = made.to(weight)
    with torch.no_grad():
        made.weight.copy_(weight)
        if bias is not None:
            made.bias.copy_(bias)  # type: ignore[union-attr]
    return made.train(like.training)


def require_phases(layer: nn.Module) -> None:
    """Raises unless the layer can read ``[x+, x-]``."""
    where = "Change the layer after the PSC activation"
    if not isinstance(layer, nn.Conv2d | nn.Linear):
        raise ValueError(
            f"a {type(layer).__name__} cannot read two phases; accepted: Conv2d, Linear. {where}"
        )
    if isinstance(layer, nn.Conv2d) and layer.groups != 1:
        raise ValueError(
            f"groups={layer.groups} in {layer}; accepted: 1, because a group would see channels "
            f"of one phase only. {where}"
        )
    if layer.weight.shape[1] % 2:
        raise ValueError(
            f"{layer.weight.shape[1]} inputs in {layer}; accepted: an even number, the positive "
            f"phase and then the negative. {where}"
        )
