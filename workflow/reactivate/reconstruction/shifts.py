"""The shifts of convolution filters as a linear map: a convolution and its adjoint, no matrix."""

from dataclasses import dataclass, replace
from typing import Self

from torch import Tensor, nn
from torch.nn import functional

Pair = tuple[int, int]


@dataclass(frozen=True)
class Shifts:
    r"""The matrix ``W`` whose columns are the shifts of the filters, applied and never formed.

    ``analyse`` is ``W^T`` (the convolution, without its bias), ``synthesise`` is ``W``. With
    ``selected`` the columns are those shifts alone, another set for each image: ``W_x``.

    Reference:
        Shang et al. 2016, section 2.2; analysis and synthesis operators: Definition A.2
        (arXiv:1603.05201).

    Attributes:
        weight: Filters, ``(K, C, h, w)``.
        size: Height and width of what is convolved.
        stride: Stride of the convolution.
        padding: Padding of the convolution, with zeros.
        selected: Ones at the selected shifts, ``(N, K, H, W)``; None for all.

    Example:
        >>> import torch
        >>> shifts = Shifts(torch.ones(1, 1, 1, 2), size=(1, 3))
        >>> shifts.analyse(torch.tensor([[[[1.0, 2.0, 4.0]]]]))
        tensor([[[[3., 6.]]]])
        >>> shifts.synthesise(torch.tensor([[[[3.0, 6.0]]]]))
        tensor([[[[3., 9., 6.]]]])
    """

    weight: Tensor
    size: Pair
    stride: Pair = (1, 1)
    padding: Pair = (0, 0)
    selected: Tensor | None = None

    @classmethod
    def of(cls, layer: nn.Conv2d, size: Pair) -> Self:
        """All shifts of a layer's filters, in float64.

        Raises:
            ValueError: The layer has groups, a dilation, or padding that is not with zeros.
        """
        plain = layer.groups == 1 and layer.dilation == (1, 1) and layer.padding_mode == "zeros"
        if not plain or isinstance(layer.padding, str):
            raise ValueError(
                f"{layer} has groups, dilation or padding by name; accepted: a plain convolution "
                "with zeros of a given width around. Choose another layer of the network"
            )
        weight = layer.weight.detach().double()
        return cls(weight, size, _pair(layer.stride), _pair(layer.padding))

    def only(self, selected: Tensor) -> Self:
        """The selected shifts alone, by a mask ``(N, K, H, W)``."""
        return replace(self, selected=selected.to(self.weight))

    def analyse(self, x: Tensor) -> Tensor:
        """Inner products with the shifts, ``W^T x``: ``(N, C, *size)`` to ``(N, K, H, W)``."""
        products = functional.conv2d(x, self.weight, stride=self.stride, padding=self.padding)
        return products if self.selected is None else products * self.selected

    def synthesise(self, coefficients: Tensor) -> Tensor:
        """Sums of shifts with coefficients, ``W c``: ``(N, K, H, W)`` to ``(N, C, *size)``."""
        if self.selected is not None:
            coefficients = coefficients * self.selected
        return functional.conv_transpose2d(
            coefficients,
            self.weight,
            stride=self.stride,
            padding=self.padding,
            output_padding=self._left_over,
        )

    @property
    def _left_over(self) -> Pair:
        """Numbers of last rows and columns that no shift reaches."""
        kernel = self.weight.shape[2:]
        high, wide = (
            (self.size[axis] + 2 * self.padding[axis] - kernel[axis]) % self.stride[axis]
            for axis in (0, 1)
        )
        return high, wide


def _pair(value: tuple[int, ...]) -> Pair:
    """Two numbers, one per axis, as a pair."""
    high, wide = value
    return high, wide
