"""Initial weights of a layer, by the name used in configs."""

import math
import warnings

import torch
from torch import Generator, Tensor, nn

Layer = nn.Linear | nn.Conv1d | nn.Conv2d | nn.Conv3d

SCHEMES = (
    *("torch", "authors_code", "document", "fan_out", "fan_out_convolutions"),
    *("thesis", "standard_normal"),
)

# The mean of ln|sin| is -ln 2, and 2^-126 is the smallest normal float32.
LARGEST_UNIFORM_FAN_IN = 126


def initialize(layer: Layer, scheme: str, generator: Generator | None = None) -> None:
    """Draws a layer's weights in place; biases become 0 except under ``torch``.

    ========================= ===============================================================
    ``torch``                 as constructed: uniform, ``1 / sqrt(fan_in)``
    ``authors_code``          Glorot-uniform, what GmP's authors convert to angles
    ``document``              the same here; GmP's layers then draw their angles uniformly
    ``fan_out``               normal, variance ``2 / fan_out`` (cifar.torch)
    ``fan_out_convolutions``  ``fan_out`` for convolutions, ``torch`` for linear layers
    ``thesis``                ``fan_out`` for convolutions, Xavier-normal for linear layers
    ``standard_normal``       N(0, 1): the thesis' "no initialisation"
    ========================= ===============================================================

    Reference:
        The authors' codes: Wenlin-Chen/geometric-parameterization 0c48483 (``authors_code``),
        szagoruyko/cifar.torch 704d431 (``fan_out``), SudongCAI/IIEU 894d242
        (``fan_out_convolutions``, its ResNets but those of IIEU and ReLU), OrangeBai/EAI d72d015
        (``thesis``, ``standard_normal``).

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
    weight = layer.weight
    if scheme in ("authors_code", "document"):
        nn.init.xavier_uniform_(weight, generator=generator)
    elif scheme == "standard_normal":
        nn.init.normal_(weight, generator=generator)
    elif scheme == "thesis" and isinstance(layer, nn.Linear):
        nn.init.xavier_normal_(weight, generator=generator)
    else:
        nn.init.kaiming_normal_(weight, mode="fan_out", generator=generator)


def uniform_angles(theta: Tensor, generator: Generator | None = None) -> None:
    """Fills angles uniformly over their ranges, ``(0, pi)`` and the last one ``(-pi, pi)``.

    This is what the document prescribes; it is not a uniform direction. The k-th coordinate is a
    product of k sines and shrinks like ``2^-k``: at a large fan-in almost all weights underflow,
    which is why the authors' code converts Glorot weights instead.

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
            "Use initialization 'authors_code' to avoid it",
            stacklevel=2,
        )
    with torch.no_grad():
        theta.uniform_(0, math.pi, generator=generator)
        theta[..., -1:].uniform_(-math.pi, math.pi, generator=generator)
