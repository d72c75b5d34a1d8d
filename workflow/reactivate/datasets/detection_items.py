"""Pictures and their objects as a detector reads them, one at a time, flipped at random."""

from typing import Any

import torch
from torch import Tensor
from torch.utils.data import Dataset

from reactivate.datasets.coco import Objects
from reactivate.datasets.pictures import decode
from reactivate.datasets.streams import Numbered
from reactivate.foundation.seeding import generator

Item = tuple[Tensor, dict[str, Any]]


class DetectionItems(Dataset[Item]):
    """A picture ``(3, H, W)`` from 0 to 1 and its target, as it is or mirrored.

    Detectors resize pictures and boxes themselves, see
    :class:`reactivate.detection.retinanet.RetinaNet`.

    Args:
        objects: Pictures and objects.
        flip: Probability of mirroring left and right; 0 for testing.
    """

    def __init__(self, objects: Objects, flip: float = 0.0) -> None:
        self.objects = objects
        self.flip = flip

    def __len__(self) -> int:
        return len(self.objects)

    def __getitem__(self, asked: Numbered) -> Item:
        key, number = asked
        path = self.objects.folder / bytes(self.objects.names[number]).decode()
        picture = torch.from_numpy(decode(str(path), path.read_bytes()).copy()).permute(2, 0, 1)
        target = self.objects.target(number)
        draw = torch.rand((), generator=generator(key, number, "flip"))
        if draw < self.flip:
            picture = picture.flip(2)
            target["boxes"] = mirrored(target["boxes"], picture.shape[2])
        return picture.contiguous().float() / 255, target


def mirrored(boxes: Tensor, width: int) -> Tensor:
    """Boxes ``x1, y1, x2, y2`` of a picture whose left and right are exchanged.

    Example:
        >>> mirrored(torch.tensor([[1.0, 2, 4, 3]]), 10)
        tensor([[6., 2., 9., 3.]])
    """
    left, top, right, bottom = boxes.unbind(1)
    return torch.stack([width - right, top, width - left, bottom], dim=1)


def together(items: list[Item]) -> tuple[list[Tensor], list[dict[str, Any]]]:
    """A batch of pictures of any sizes: a list of pictures and a list of targets."""
    return [picture for picture, _ in items], [target for _, target in items]
