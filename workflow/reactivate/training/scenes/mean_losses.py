"""The work of a network on scenes as that of a network of classes, so that it can be counted."""

from torch import Tensor, nn
from torch.nn import functional

from reactivate.detection.retinanet import RetinaNet


class MeanLosses(nn.Module):
    """One number of each class: the mean over all positions of a loss at each.

    Anchors, the choice of which of them have to find an object, and the choice of detections are
    left out: they take little time, and depend on the objects.

    Args:
        network: A detector, or a network that gives scores of every pixel.

    Shape:
        - Input: ``(N, 3, H, W)``
        - Output: ``(N, classes)``
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        if not isinstance(self.network, RetinaNet):
            scores: Tensor = self.network(x)
            return functional.log_softmax(scores, 1).mean((2, 3))
        found = self.network.dense(x)
        logits, moves = found["cls_logits"], found["bbox_regression"]
        losses = functional.binary_cross_entropy_with_logits(
            logits, logits.new_zeros(logits.shape), reduction="none"
        )
        means: Tensor = losses.mean(1) + moves.abs().mean((1, 2))[:, None]
        return means
