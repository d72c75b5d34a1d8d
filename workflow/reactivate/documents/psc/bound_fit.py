"""PSC's example at work: |x| on [-1, 1] fitted by one branch and by both, in float64."""

import numpy as np
import pandas as pd
import torch
from numpy.polynomial.legendre import leggauss
from torch import Tensor, nn

from reactivate.activations.gate import PhaseGate, collapse, gate_of
from reactivate.activations.psc import PSC
from reactivate.documents.psc.bound import minimum

UNITS = 2  # of the example, which adds them up
NODES = 8  # of the quadrature on each half: exact up to degree 15, and the loss has degree 2
ONE_BRANCH = ("relu", "spsc_all_positive", "spsc_all_negative")
BOTH_BRANCHES = ("spsc_one_each", "psc")
POSITIVES = {"spsc_all_negative": 0, "spsc_one_each": 1, "spsc_all_positive": UNITS}
LEAST_SQUARES, TRAINING = "least squares", "training"


class Pooled(nn.Module):
    r"""Two units that read a number, or its two phases, and the sum of their outputs.

    Reference:
        PSC supplement, Section B (CVPR Workshops 2021): ``(w_1 + w_2) relu(x) + (b_1 + b_2)``.

    Args:
        phases: What the units read of a number.
        units: Their layer.

    Shape:
        - Input: ``(N, 1)``
        - Output: ``(N,)``
    """

    def __init__(self, phases: nn.Module, units: nn.Module) -> None:
        super().__init__()
        self.phases = phases
        self.units = units

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.units(self.phases(x)).sum(dim=1)
        return out


def bound_fit(iterations: int) -> pd.DataFrame:
    """The best fit of every kind of branch, by least squares and by training.

    ReLU and both extreme splits of static PSC read one phase; the split in between and dynamic
    PSC read both. The loss is the integral of the squared error, without an error of its own.

    Args:
        iterations: How many L-BFGS makes from weights 0, at most.

    Returns:
        Columns branches, method, w_positive, w_negative, b, loss, exact_loss.
    """
    rows = []
    for branches in (*ONE_BRANCH, *BOTH_BRANCHES):
        exact = float(minimum()[2]) if branches in ONE_BRANCH else 0.0
        for method, fit in (
            (LEAST_SQUARES, least_squares(branches)),
            (TRAINING, trained(branches, iterations)),
        ):
            names = ("w_positive", "w_negative", "b")
            said = dict(zip(names, fit, strict=True))
            loss = squared_error(*fit)
            row = {"branches": branches, "method": method, **said, "loss": loss}
            rows.append({**row, "exact_loss": exact})
    return pd.DataFrame(rows)


def nodes() -> tuple[np.ndarray, np.ndarray]:
    """Points of [-1, 1] and weights of the quadrature, which knows that |x| has a kink at 0."""
    points, weights = leggauss(NODES)
    half, weights = (points + 1) / 2, weights / 2
    return np.concatenate([-half, half]), np.concatenate([weights, weights])


def squared_error(w_positive: float, w_negative: float, b: float) -> float:
    """The loss ``int_{-1}^1 (|x| - w+ x+ - w- x- - b)^2 dx``.

    Example:
        >>> squared_error(1.0, -1.0, 0.0), round(squared_error(0.4, 0.0, 0.4), 12)
        (0.0, 0.133333333333)
    """
    x, weights = nodes()
    error = np.abs(x) - w_positive * np.maximum(x, 0) - w_negative * np.minimum(x, 0) - b
    return float(weights @ error**2)


def least_squares(branches: str) -> tuple[float, float, float]:
    """Weights of the two phases, 0 for one that is not read, and the bias: the best ones."""
    x, weights = nodes()
    features = np.stack([np.maximum(x, 0), np.minimum(x, 0), np.ones_like(x)], axis=1)
    features[:, 0] *= branches != "spsc_all_negative"
    features[:, 1] *= branches not in ("relu", "spsc_all_positive")
    root = np.sqrt(weights)
    solution = np.linalg.lstsq(features * root[:, None], np.abs(x) * root, rcond=None)[0]
    return float(solution[0]), float(solution[1]), float(solution[2])


def trained(branches: str, iterations: int) -> tuple[float, float, float]:
    """Weights of the two phases and the bias of two units that L-BFGS trains."""
    network = make(branches)
    points, weights = (torch.from_numpy(part) for part in nodes())
    for parameter in network.parameters():
        nn.init.zeros_(parameter)
    optimizer = torch.optim.LBFGS(
        network.parameters(),
        max_iter=iterations,
        tolerance_grad=1e-14,
        tolerance_change=1e-18,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss: Tensor = (weights * (points.abs() - network(points[:, None])) ** 2).sum()
        torch.autograd.backward(loss)
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        below, middle, above = network(points.new_tensor([[-1.0], [0.0], [1.0]])).tolist()
    return above - middle, middle - below, middle


def make(branches: str) -> Pooled:
    """Two units that read what their kind of branch gives them; static PSC without its gate."""
    if branches == "relu":
        return Pooled(nn.ReLU(), nn.Linear(1, UNITS)).double()
    units = nn.Linear(2, UNITS)
    if branches == "psc":
        return Pooled(PSC(), units).double()
    with torch.no_grad():
        gate_of(PhaseGate.attach(units)).logits[POSITIVES[branches]] = 1.0
    return Pooled(PSC(), collapse(units)).double()
