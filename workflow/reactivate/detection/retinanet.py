"""RetinaNet with any activation in its backbone, configured as MMDetection does."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from reactivate.detection.anchors import Anchors
from reactivate.detection.boxes import nms_of_classes
from reactivate.layers.chain import scaled
from reactivate.models.backbone import Backbone
from reactivate.models.vision import torchvision

FEATURES = 256  # channels of the pyramid and of the heads
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]  # of ImageNet's pixels
CANDIDATES = 1000  # of a level, before suppression
DETECTIONS = 100  # of an image

Found = dict[str, Tensor]
_RetinaNet: Any = torchvision.models.detection.RetinaNet
_FeaturePyramid: Any = torchvision.ops.FeaturePyramidNetwork
_LastLevels: Any = torchvision.ops.feature_pyramid_network.LastLevelP6P7
_Transform: Any = torchvision.models.detection.transform.GeneralizedRCNNTransform


class TopLevels(_LastLevels):  # type: ignore[misc]
    """P6 from C5 and P7 from P6, each by a 3x3 convolution of stride 2, no activation between.

    Reference:
        open-mmlab/mmdetection, FPN with ``add_extra_convs="on_input"`` and its default
        ``relu_before_extra_convs=False``. Lin et al. 2017 (arXiv:1708.02002) have a ReLU between.
    """

    def forward(
        self, p: list[Tensor], c: list[Tensor], names: list[str]
    ) -> tuple[list[Tensor], list[str]]:
        sixth = self.p6(c[-1])
        return [*p, sixth, self.p7(sixth)], [*names, "p6", "p7"]


class Pyramid(nn.Module):
    """Backbone and feature pyramid: five levels of equally many channels.

    Args:
        body: Its stages after the first are read.
        channels: Channels of each level.

    Shape:
        - Input: ``(N, 3, H, W)``
        - Output: five of ``(N, channels, H / s, W / s)``, by name, for the strides s of
          :data:`reactivate.detection.anchors.STRIDES`
    """

    def __init__(self, body: Backbone, channels: int) -> None:
        super().__init__()
        read = body.channels[1:]
        self.body = body
        self.fpn = _FeaturePyramid(read, channels, TopLevels(read[-1], channels))
        self.out_channels = channels
        for module in self.fpn.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.xavier_uniform_(module.weight)  # as MMDetection; biases are 0 in both

    def forward(self, x: Tensor) -> OrderedDict[str, Tensor]:
        stages = self.body(x)[1:]
        named = OrderedDict((f"p{level}", stage) for level, stage in enumerate(stages, start=3))
        levels: OrderedDict[str, Tensor] = self.fpn(named)
        return levels


class Dense(nn.Module):
    """What RetinaNet computes at every position: class scores and box offsets, nothing else.

    It shares the parts of the network, and is what operations are counted of.

    Shape:
        - Input: ``(N, 3, H, W)``, normalised
        - Output: ``cls_logits`` ``(N, anchors, classes)``, ``bbox_regression`` ``(N, anchors, 4)``
    """

    def __init__(self, pyramid: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.pyramid = pyramid
        self.head = head

    def forward(self, x: Tensor) -> Found:
        found: Found = self.head(list(self.pyramid(x).values()))
        return found


class Resized(_Transform):  # type: ignore[misc]
    """Normalises images, resizes images and boxes, and pads a batch; draws no random numbers."""

    def torch_choice(self, k: Sequence[int]) -> int:
        """The only size; torchvision would draw from torch's own stream, of which runs depend."""
        return k[0]


class RetinaNet(_RetinaNet):  # type: ignore[misc]
    r"""RetinaNet on a residual network, by default as MMDetection's ``retinanet_r50_fpn``.

    In training it takes images and targets and returns the losses ``classification`` and
    ``bbox_regression``, each the mean over images; in evaluation it takes images and returns
    ``boxes``, ``labels`` and ``scores`` of each, best first, in pixels of the image as given.
    Images are floats from 0 to 1 of any size; they are resized here, and boxes with them.

    Reference:
        Lin et al. 2017 (arXiv:1708.02002); open-mmlab/mmdetection,
        configs/retinanet/retinanet_r50_fpn_1x_coco.py.

    Departs from MMDetection:
        Losses are divided by the anchors that an image has to find, image by image, where
        MMDetection divides by those of all images that a GPU has: its loss depends on how many
        GPUs share a batch. Where an anchor is given to an object that has no better one, and
        overlaps another more, torchvision gives it to the other.

    Args:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`; of the backbone only.
        parameterization: A key of :data:`reactivate.layers.PARAMETERIZATIONS`; of the backbone.
        width: Factor on all numbers of filters.
        classes: Number of classes; labels count from 0.
        depths: Blocks per stage of the backbone.
        short: Side that the shorter side of an image gets.
        long: Largest longer side.
        anchor: Side of the smallest anchor of a level, in its strides.
        frozen_stages: See :class:`reactivate.models.backbone.Backbone`.
        fixed_statistics: See :class:`reactivate.models.backbone.Backbone`.
        threshold: Smallest score of a detection.
        initialization: Of the backbone, see
            :func:`reactivate.layers.initialization.initialize`.
        options: Options of the activation.

    Shape:
        - Input: N of ``(3, H, W)``, and in training N of ``{"boxes": (n, 4), "labels": (n,)}``

    Example:
        >>> net = RetinaNet(width=0.1, classes=3, depths=(1, 1, 1, 1), short=64)
        >>> target = {"boxes": torch.tensor([[8.0, 8, 40, 40]]), "labels": torch.tensor([2])}
        >>> sorted(net([torch.zeros(3, 48, 64)], [target]))
        ['bbox_regression', 'classification']
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 80,
        depths: Sequence[int] = (3, 4, 6, 3),
        short: int = 800,
        long: int = 1333,
        anchor: float = 4.0,
        frozen_stages: int | None = 1,
        fixed_statistics: bool = True,
        threshold: float = 0.05,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        body = Backbone(
            activation,
            width,
            depths,
            frozen_stages,
            fixed_statistics,
            parameterization=parameterization,
            initialization=initialization,
            options=options,
        )
        super().__init__(
            Pyramid(body, scaled(FEATURES, width)),
            classes,
            anchor_generator=Anchors(anchor),
            score_thresh=threshold,
            detections_per_img=DETECTIONS,
            topk_candidates=CANDIDATES,
        )
        self.transform = Resized(short, long, MEAN, STD)

    @property
    def dense(self) -> Dense:
        """The part whose operations are counted."""
        return Dense(self.backbone, self.head)

    def postprocess_detections(
        self,
        head_outputs: Mapping[str, Sequence[Tensor]],
        anchors: Sequence[Sequence[Tensor]],
        image_shapes: Sequence[tuple[int, int]],
    ) -> list[Found]:
        """Detections of each image; torchvision's need its compiled operator.

        Args:
            head_outputs: Of each level ``cls_logits`` ``(N, a, classes)`` and
                ``bbox_regression`` ``(N, a, 4)``.
            anchors: Of each image and level, ``(a, 4)``.
            image_shapes: Height and width of each image, to which boxes are cut.
        """
        logits, offsets = head_outputs["cls_logits"], head_outputs["bbox_regression"]
        detections = []
        for number, shape in enumerate(image_shapes):
            levels = [
                self._candidates(scores[number], moves[number], around, shape)
                for scores, moves, around in zip(logits, offsets, anchors[number], strict=True)
            ]
            found = {name: torch.cat([level[name] for level in levels]) for name in levels[0]}
            kept = nms_of_classes(
                found["boxes"], found["scores"], found["labels"], self.nms_thresh
            )[: self.detections_per_img]
            detections.append({name: values[kept] for name, values in found.items()})
        return detections

    def _candidates(
        self, logits: Tensor, offsets: Tensor, anchors: Tensor, shape: tuple[int, int]
    ) -> Found:
        """The best pairs of anchor and class of one level and image, above the threshold."""
        scores = logits.sigmoid().flatten()
        above = (scores > self.score_thresh).nonzero().squeeze(1)
        best, order = scores[above].topk(min(len(above), self.topk_candidates))
        pairs = above[order]
        at, labels = pairs // logits.shape[1], pairs % logits.shape[1]
        boxes = self.box_coder.decode_single(offsets[at], anchors[at])
        boxes = torchvision.ops.clip_boxes_to_image(boxes, shape)
        return {"boxes": boxes, "scores": best, "labels": labels}
