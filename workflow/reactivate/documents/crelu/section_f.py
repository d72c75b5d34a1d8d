"""CReLU, section F of the supplement: more images from the features of the first layers."""

import pandas as pd

from reactivate.documents.crelu.figure6 import from_features
from reactivate.evidence.networks import NetworkRun


def more_examples(
    networks: list[NetworkRun],
    first: int,
    images: int,
    layers: int,
    side: int,
    tolerance: float,
    steps: int,
) -> pd.DataFrame:
    """Several images, each with what Algorithm 1 makes of it from the features of each layer.

    Args:
        networks: Those that begin with CReLU convolutions.
        first: Number of the first image in the test part, from 0.
        images: How many images, one after the other.
        layers: How many layers.
        side: Pixels along each side that are kept, at most.
        tolerance: Accuracy of the least-squares problems.
        steps: At most, of each.

    Returns:
        The lines of Figure 6 (:func:`reactivate.documents.crelu.figure6.from_features`) of each
        image, whose number stands in front of them.
    """
    shown = range(first, first + images)
    parts = [
        from_features(networks, image, layers, side, tolerance, steps).assign(image=image)
        for image in shown
    ]
    examples = pd.concat(parts, ignore_index=True)
    return examples[["image", *examples.columns.drop("image")]]
