"""Predictions of networks for each test image, from which metrics can be computed again."""

from pathlib import Path

import torch
from safetensors.torch import load_file

from reactivate.training.metrics import vote_error


def vote_of(folders: list[Path]) -> float:
    """Error in percent of the mean probability of several runs on the same test images.

    Raises:
        ValueError: The runs were measured on different images.
    """
    predicted = [load_file(folder / "predictions.safetensors") for folder in folders]
    labels = predicted[0]["labels"]
    for folder, predictions in zip(folders, predicted, strict=True):
        if not torch.equal(predictions["labels"], labels):
            raise ValueError(
                f"{folder} and {folders[0]} were measured on different test images; "
                "delete both and run them again"
            )
    return vote_error([predictions["scores"] for predictions in predicted], labels)
