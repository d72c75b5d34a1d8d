"""Torch's own random stream, from which dropout draws, as part of the state of a training."""

import torch
from torch import Tensor

from reactivate.training.callbacks import Callback


class TorchStream(Callback):
    """The place that torch's random streams have reached, of the CPU and of one GPU.

    Args:
        device: Where the network is.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def state_dict(self) -> dict[str, Tensor]:
        """The streams as they are."""
        places = {"cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            places["cuda"] = torch.cuda.get_rng_state(self.device)
        return places

    def load_state_dict(self, tensors: dict[str, Tensor]) -> None:
        """Goes on from where the streams were."""
        torch.set_rng_state(tensors["cpu"])
        if "cuda" in tensors and self.device.type == "cuda":
            torch.cuda.set_rng_state(tensors["cuda"], self.device)
