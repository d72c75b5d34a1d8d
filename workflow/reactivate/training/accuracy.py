"""Accuracy of scores."""

from torch import Tensor


def top(scores: Tensor, labels: Tensor, k: int) -> Tensor:
    """Tells which labels are among the ``k`` largest scores, or all if there are fewer classes."""
    return (scores.topk(min(k, scores.shape[1])).indices == labels[:, None]).any(1)
