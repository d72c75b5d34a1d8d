"""Thesis, section 3.4: statements on the neurons of the toy model, recomputed."""

import torch

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.chapter3.toy import Model, Training, objective
from reactivate.evidence.judgement import Judgement


def share_below(t: float, w: float, b: float) -> float:
    """P(|beta / omega| < t) for omega from U(-w, w), beta from U(-b, b).

    Example:
        >>> share_below(1.0, 15, 15), share_below(2.0, 15, 15)
        (0.5, 0.75)
    """
    return t * w / (2 * b) if t * w <= b else 1 - b / (2 * t * w)


def centres_are_uniform() -> Judgement:
    """Section 3.4.2.1: breakpoints -b/w spread evenly over the inputs, for both models."""
    models = [Model("relu", 15, 1), Model("sigmoid", 15, 15)]
    halves = [share_below(0.5, m.w, m.b) / share_below(1, m.w, m.b) for m in models]
    shown = " and ".join(f"{s:.0%} for {m}" for s, m in zip(halves, models, strict=True))
    return judge(
        all(abs(share - 0.5) < 1e-9 for share in halves),
        f"of the breakpoints inside [-1, 1], {shown} lie inside [-1/2, 1/2]; "
        f"{share_below(1 / 15, 15, 1):.0%} of those of ReLU(15, 1) lie within 1/15 of 0, "
        f"{1 - share_below(1, 15, 15):.0%} of the centres of Sigmoid(15, 15) outside [-1, 1]",
    )


def prediction_sums_post_activations() -> Judgement:
    """Eq. 3.14 as printed: a sum of values of ReLU or Sigmoid, which are never negative."""
    lowest = objective(Training(points=2001).inputs()).min().item()
    floor = min(float(f(torch.tensor(-1e3))) for f in (torch.relu, torch.sigmoid))
    return judge(
        lowest >= floor,
        f"the objective falls to {lowest:.3g}, a sum of values of ReLU or Sigmoid not below "
        f"{floor:g}: every value has to be weighted by the output layer",
    )
