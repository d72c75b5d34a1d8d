"""Empirical Rademacher complexities of finite classes of functions, by all vectors of signs."""

import torch
from torch import Tensor

MOST = 20  # examples: a million vectors of signs


def sign_vectors(examples: int) -> Tensor:
    """All vectors of ``examples`` signs, float64 ``(2**examples, examples)``.

    Raises:
        ValueError: There are too many of them.

    Example:
        >>> sign_vectors(2).tolist()
        [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    """
    if not 1 <= examples <= MOST:
        raise ValueError(
            f"{examples} examples have 2**{examples} vectors of signs; accepted: 1 to {MOST} "
            "examples. Take fewer columns of values"
        )
    pair = torch.tensor([-1.0, 1.0], dtype=torch.float64)
    return torch.cartesian_prod(*[pair] * examples).reshape(-1, examples)


def complexity(values: Tensor) -> float:
    r"""Rademacher complexity ``E_sigma sup_f |2/L sum_i sigma_i f(x_i)|``, exactly.

    Reference:
        Shang et al. 2016, Definition B.1 (arXiv:1603.05201), with the supremum over the class
        that its proofs use; a sum is printed.

    Args:
        values: Value of each function for each example, ``(functions, L)``.

    Example:
        >>> complexity(torch.tensor([[1.0, -1.0]]))
        1.0
    """
    return float(_sums(values).abs().amax(dim=1).mean())


def crelu_complexity(values: Tensor) -> float:
    r"""Complexity behind CReLU, ``E_sigma sup_f ||2/L sum_i sigma_i rho_c(f(x_i))||_2``, exactly.

    Times ``sqrt(d) B`` it is the complexity of ``H o rho_c o G`` for ``G`` of ``d`` functions of
    the class side by side and ``H`` of linear maps with ``||W||_2 <= B``: the best W points along
    the sums, and each of the d functions can be chosen apart from the others.

    Reference:
        Shang et al. 2016, (S3) in section B of the supplement (arXiv:1603.05201).

    Args:
        values: Value of each function for each example, ``(functions, L)``.

    Example:
        >>> round(crelu_complexity(torch.tensor([[1.0, -1.0]])), 4)
        1.4142
    """
    positive, negative = _sums(values.relu()), _sums((-values).relu())
    return float(torch.hypot(positive, negative).amax(dim=1).mean())


def _sums(values: Tensor) -> Tensor:
    """Sums ``2/L sum_i sigma_i f(x_i)``, ``(vectors of signs, functions)``."""
    examples = values.shape[1]
    signs = sign_vectors(examples).to(values.device)
    return signs @ values.double().T * (2 / examples)
