"""Initial weights of a layer, by the name used in configs."""

import math
import warnings

import torch
from torch import Generator, Tensor, nn

from reactivate.layers.gmp import angles

Layer = nn.Linear | nn.Conv1d | nn.Conv2d | nn.Conv3d

SCHEMES = (
    "torch",
    "authors_code",
    "authors_code_signed",
    "document",
    "document_direction",
    "fan_out",
    "fan_out_convolutions",
    "mobilenet",
    "thesis",
    "standard_normal",
)
# Parameterizations whose layers have an initializer of their own in the authors' code of GmP: its
# bound counts the filters of a convolution as outputs, not filters times positions of the kernel.
OWN_INITIALIZER = ("wn", "wn_mbn", "gmp", "gmp_imn")

# The mean of ln|sin| is -ln 2, and 2^-126 is the smallest normal float32.
LARGEST_UNIFORM_FAN_IN = 126


def initialize(
    layer: Layer, scheme: str, generator: Generator | None = None, parameterization: str = "sp"
) -> None:
    """Draws a layer's weights in place; biases become 0 except under ``torch``.

    ========================= ===============================================================
    ``torch``                 as constructed: uniform, ``1 / sqrt(fan_in)``
    ``authors_code``          Glorot-uniform as GmP's authors draw it, see below
    ``authors_code_signed``   the same; GmP's angles keep the sign of the last weight
    ``document``              Glorot-uniform; GmP's layers then draw angles uniformly, r = 1
    ``document_direction``    the same with a uniform direction in place of uniform angles
    ``fan_out``               normal, variance ``2 / fan_out`` (cifar.torch; IIEU's baselines)
    ``fan_out_convolutions``  ``fan_out`` for convolutions, ``torch`` for linear layers
    ``mobilenet``             ``fan_out`` for convolutions, N(0, 0.01) for linear layers
    ``thesis``                ``fan_out`` for convolutions, Xavier-normal for linear layers
    ``standard_normal``       N(0, 1): the thesis' "no initialisation"
    ========================= ===============================================================

    Glorot's bound is ``sqrt(6 / (fan_in + fan_out))``. Of a convolution with k x k kernels the
    fan-out is ``k * k * filters``, as in Keras and torch; GmP and WN of the authors' code have
    initializers of their own (:data:`OWN_INITIALIZER`), in which it is ``filters``.

    Reference:
        The authors' codes: Wenlin-Chen/geometric-parameterization 0c48483 (``authors_code``),
        szagoruyko/cifar.torch 704d431 and SudongCAI/IIEU 894d242 (``fan_out``; of the latter
        ``fan_out_convolutions`` are its ResNets but those of IIEU and ReLU, ``mobilenet`` its
        MobileNetV2 files), OrangeBai/EAI d72d015 (``thesis``, ``standard_normal``).

    Args:
        layer: A Linear or Conv layer.
        scheme: One of the names above.
        generator: Source of the weights; torch's default one if None.
        parameterization: What the layer will become, see
            :data:`reactivate.layers.PARAMETERIZATIONS`.

    Example:
        >>> layer = nn.Linear(4, 2)
        >>> initialize(layer, "authors_code")
        >>> layer.bias.detach()
        tensor([0., 0.])
    """
    if scheme not in SCHEMES:
        raise ValueError(
            f"unknown initialization {scheme!r}; known: {', '.join(SCHEMES)}. "
            "Change `initialization` where the network is configured"
        )
    if scheme == "torch" or (scheme == "fan_out_convolutions" and isinstance(layer, nn.Linear)):
        return
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    weight, is_linear = layer.weight, isinstance(layer, nn.Linear)
    if scheme in ("authors_code", "authors_code_signed") and parameterization in OWN_INITIALIZER:
        bound = math.sqrt(6 / (weight[0].numel() + len(weight)))
        nn.init.uniform_(weight, -bound, bound, generator=generator)
    elif scheme.startswith(("authors_code", "document")):
        nn.init.xavier_uniform_(weight, generator=generator)
    elif scheme == "standard_normal":
        nn.init.normal_(weight, generator=generator)
    elif scheme == "thesis" and is_linear:
        nn.init.xavier_normal_(weight, generator=generator)
    elif scheme == "mobilenet" and is_linear:
        nn.init.normal_(weight, std=0.01, generator=generator)
    else:
        nn.init.kaiming_normal_(weight, mode="fan_out", generator=generator)


def uniform_angles(theta: Tensor, generator: Generator | None = None) -> None:
    """Fills angles uniformly over their ranges, ``(0, pi)`` and the last one ``(-pi, pi)``.

    This is one reading of the document; it is not a uniform direction, which is the other
    (:func:`uniform_directions`). The k-th coordinate is a product of k sines and shrinks like
    ``2^-k``: at a large fan-in almost all weights underflow.

    Reference:
        Chen & Ge 2024, section 4.3 (arXiv:2305.15912).

    Args:
        theta: Angles to fill, ``(units, n-1)``.
        generator: Source of the angles; torch's default one if None.

    Example:
        >>> theta = torch.empty(3, 4)
        >>> uniform_angles(theta)
        >>> bool((theta[:, :-1] >= 0).all())
        True
    """
    if theta.shape[-1] >= LARGEST_UNIFORM_FAN_IN:
        # One text for every layer, so that Python shows it once per network.
        warnings.warn(
            f"uniform angles at a fan-in above {LARGEST_UNIFORM_FAN_IN}: the k-th weight shrinks "
            "like 2^-k, so most are 0 in float32 and do not learn. "
            "Use initialization 'document_direction' or 'authors_code' to avoid it",
            stacklevel=2,
        )
    with torch.no_grad():
        theta.uniform_(0, math.pi, generator=generator)
        theta[..., -1:].uniform_(-math.pi, math.pi, generator=generator)


def uniform_directions(theta: Tensor, generator: Generator | None = None) -> None:
    """Fills angles with those of directions that are uniform on the sphere.

    The document derives that weights of any normal distribution have such a direction, and
    concludes that angles may be drawn "uniformly at random".

    Reference:
        Chen & Ge 2024, section 4.3 (arXiv:2305.15912).

    Args:
        theta: Angles to fill, ``(units, n-1)``.
        generator: Source of the directions; torch's default one if None.

    Example:
        >>> theta = torch.empty(3, 4)
        >>> uniform_directions(theta)
        >>> bool((theta[:, :-1] >= 0).all())
        True
    """
    shape = (*theta.shape[:-1], theta.shape[-1] + 1)
    with torch.no_grad():
        vectors = torch.empty(shape, dtype=theta.dtype, device=theta.device)
        theta.copy_(angles(vectors.normal_(generator=generator)))


def unsigned_last(theta: Tensor) -> None:
    """Makes the last coordinate of every direction positive, in place.

    The authors' conversion of weights to angles does so: it takes the last angle, whose sine has
    the sign of the last coordinate, from 0 to pi.

    Reference:
        The authors' code: ``cartesian_to_hyperspherical`` of
        Wenlin-Chen/geometric-parameterization 0c48483.

    Args:
        theta: Angles, ``(units, n-1)``, the last one from -pi to pi.

    Example:
        >>> theta = torch.tensor([[1.0, -2.0]])
        >>> unsigned_last(theta)
        >>> theta
        tensor([[1., 2.]])
    """
    with torch.no_grad():
        theta[..., -1:].abs_()
