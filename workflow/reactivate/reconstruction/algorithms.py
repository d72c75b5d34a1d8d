"""Algorithms 1 and 2: the input of a convolution from its CReLU features, pooled or not."""

from torch import Tensor, nn
from torch.nn import functional

from reactivate.activations.crelu import CReLU
from reactivate.reconstruction.least_squares import STEPS, TOLERANCE, Solution, minimum_norm
from reactivate.reconstruction.shifts import Pair, Shifts


def revert(features: Tensor) -> Tensor:
    """The responses behind CReLU features: positive minus negative part.

    For features that no response has (both parts above zero, as a reconstruction of them may
    have), this is the linear continuation.

    Example:
        >>> import torch
        >>> revert(CReLU()(torch.tensor([[-1.0, 2.0]])))
        tensor([[-1.,  2.]])
    """
    positive, negative = features.chunk(2, dim=1)
    return positive - negative


def reconstruct(
    shifts: Shifts,
    features: Tensor,
    bias: Tensor | None = None,
    tolerance: float = TOLERANCE,
    steps: int = STEPS,
) -> Solution:
    """The part of the input that the shifts span, ``x' = (W^T)^+ z``: Algorithm 1.

    Reference:
        Shang et al. 2016, Proposition 2.1 and Algorithm 1 (arXiv:1603.05201).

    Departs from the paper:
        The bias of the convolution, which it leaves out, is taken off the responses first.

    Args:
        shifts: All shifts of the layer.
        features: Features after CReLU, ``(N, 2K, H, W)``.
        bias: Bias of the layer, ``(K,)``.
        tolerance: See :func:`reactivate.reconstruction.least_squares.minimum_norm`.
        steps: Most steps, see there too.
    """
    z = revert(features)
    if bias is not None:
        z = z - bias[:, None, None]
    return minimum_norm(shifts, z, tolerance, steps)


def pooled(z: Tensor, pool: nn.MaxPool2d) -> tuple[Tensor, Tensor]:
    """Features of responses after CReLU and max-pooling, both phases apart, and their places.

    Args:
        z: Responses of a convolution, ``(N, K, H, W)``.
        pool: The pooling.

    Returns:
        Features and the place of each maximum among the ``H W`` positions, ``(N, 2K, h, w)``.
    """
    features, places = functional.max_pool2d(
        CReLU()(z),
        pool.kernel_size,
        pool.stride,
        pool.padding,
        pool.dilation,
        pool.ceil_mode,
        return_indices=True,
    )
    return features, places


def unpooled(features: Tensor, places: Tensor, size: Pair) -> Tensor:
    """The responses that survived pooling, at their places; zero elsewhere.

    Args:
        features: Pooled CReLU features, ``(N, 2K, h, w)``.
        places: Place of each feature among the positions, ``(N, 2K, h, w)``.
        size: Height and width before pooling.

    Example:
        >>> import torch
        >>> z = torch.tensor([[[[3.0, 1.0], [-1.0, -2.0]]]])
        >>> unpooled(*pooled(z, nn.MaxPool2d(2)), size=(2, 2))
        tensor([[[[ 3.,  0.],
                  [ 0., -2.]]]])
    """
    images, channels = features.shape[:2]
    whole = features.new_zeros(images, channels, size[0] * size[1])
    whole.scatter_(2, places.flatten(2), features.flatten(2))
    return revert(whole.view(images, channels, *size))


def reconstruct_pooled(
    shifts: Shifts,
    features: Tensor,
    places: Tensor,
    size: Pair,
    bias: Tensor | None = None,
    tolerance: float = TOLERANCE,
    steps: int = STEPS,
) -> Solution:
    """The input by the shifts that were activated and selected, ``(W_x^T)^+ z``: Algorithm 2.

    A phase of a filter that is nowhere positive in a pooling region selects nothing there.

    Reference:
        Shang et al. 2016, Theorem 2.2 and Algorithm 2 (arXiv:1603.05201).

    Departs from the paper:
        The bias of the convolution, which it leaves out, is taken off the responses first.

    Args:
        shifts: All shifts of the layer.
        features: Features after CReLU and max-pooling, ``(N, 2K, h, w)``.
        places: Places of the maxima, see :func:`pooled`.
        size: Height and width of the responses.
        bias: Bias of the layer, ``(K,)``.
        tolerance: See :func:`reactivate.reconstruction.least_squares.minimum_norm`.
        steps: Most steps, see there too.
    """
    z = unpooled(features, places, size)
    chosen = shifts.only(z != 0)
    if bias is not None:
        z = z - bias[:, None, None]
    return minimum_norm(chosen, z, tolerance, steps)


def ratio(x: Tensor, reconstructed: Tensor) -> Tensor:
    """The reconstruction ratio ``|x - x'| / |x|`` of each image, ``(N,)``.

    Example:
        >>> import torch
        >>> ratio(torch.ones(1, 1, 1, 4), torch.zeros(1, 1, 1, 4))
        tensor([1.])
    """
    return _lengths(x - reconstructed) / _lengths(x)


def _lengths(x: Tensor) -> Tensor:
    """Euclidean length of each image, ``(N,)``."""
    lengths: Tensor = x.flatten(1).norm(dim=1)
    return lengths
