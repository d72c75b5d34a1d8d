"""The bound of Theorem 2.2 on the reconstruction ratio after max-pooling."""

import torch
from torch import Tensor

from reactivate.reconstruction.shifts import Shifts


def bound(smallest: Tensor, largest: Tensor) -> Tensor:
    r"""The bound ``sqrt((largest - smallest) / smallest)``, and 0 if ``largest`` is the smaller.

    Reference:
        Shang et al. 2016, Theorem 2.2 (arXiv:1603.05201).

    Args:
        smallest: Square of the least singular value above zero of ``W_x``, the shifts that make
            up the input: at most one of each filter.
        largest: Square of the greatest singular value of ``W~_x``: of each of these filters the
            selected shift, of the phase that its coefficient has.

    Example:
        >>> bound(torch.tensor(1.0), torch.tensor(1.25))
        tensor(0.5000)
    """
    return ((largest - smallest) / smallest).clamp(min=0).sqrt()


def extremes(columns: Tensor) -> tuple[Tensor, Tensor]:
    """Squares of the least singular value above zero and of the greatest, ``(N,)`` each.

    A value counts as zero where it could be rounding (numpy's rule for the rank).

    Args:
        columns: Matrices, ``(N, D, K)``; columns of zeros change nothing.

    Example:
        >>> extremes(torch.tensor([[[2.0, 0.0], [0.0, 3.0], [0.0, 0.0]]]))
        (tensor([4.]), tensor([9.]))
    """
    values = torch.linalg.svdvals(columns)
    largest = values.amax(dim=1)
    rounding = max(columns.shape[1:]) * torch.finfo(columns.dtype).eps * largest
    above = torch.where(values > rounding[:, None], values, torch.inf)
    return above.amin(dim=1).square(), largest.square()


def columns(shifts: Shifts, places: Tensor) -> Tensor:
    """One shift of each filter as a matrix, for inputs that are small: ``(N, D, K)``.

    Args:
        shifts: All shifts.
        places: Place of the chosen shift of each filter among the ``H W`` positions, ``(N, K)``;
            a negative one gives a column of zeros.

    Example:
        >>> shifts = Shifts(torch.ones(1, 1, 1, 2), size=(1, 3))
        >>> columns(shifts, torch.tensor([[1]])).flatten()
        tensor([0., 1., 1.])
    """
    images, filters = places.shape
    blank = shifts.weight.new_zeros(1, shifts.weight.shape[1], *shifts.size)
    high, wide = shifts.analyse(blank).shape[2:]
    marks = shifts.weight.new_zeros(images, filters, filters, high * wide)
    chosen = places.clamp(min=0)[:, :, None, None].expand(-1, -1, filters, -1)
    marks.scatter_(3, chosen, torch.eye(filters).to(marks)[None, :, :, None].expand_as(chosen))
    marks *= (places >= 0)[:, :, None, None]
    shifted = shifts.synthesise(marks.view(images * filters, filters, high, wide))
    return shifted.view(images, filters, -1).transpose(1, 2)


def strongest(z: Tensor) -> Tensor:
    """Place of the response of each filter that is farthest from zero, ``(N, K)``.

    Args:
        z: Responses within one pooling region, ``(N, K, H, W)``.
    """
    return z.flatten(2).abs().argmax(dim=2)
