"""Precision of passes: the best that recipe and hardware have, and the scale of their losses."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from reactivate.experiment.recipes import Defended, Training
from reactivate.training.callbacks import Callback

TENSOR_CORES = (7, 0)  # compute capability from which on float16 is faster than float32


@dataclass(frozen=True)
class Precision:
    """The type of numbers in which a network passes images on; weights stay float32.

    Args:
        dtype: ``float32``, or the type in which autocast computes what can be.
        device: Kind of device.
    """

    dtype: torch.dtype
    device: str

    @property
    def name(self) -> str:
        """Name of the type, as torch has it."""
        return str(self.dtype).removeprefix("torch.")

    def passing(self, keeps_casts: bool = True) -> AbstractContextManager[object]:
        """A context for passes.

        Args:
            keeps_casts: Whether a weight is cast once for all passes inside. Weights that were
                cast where no gradient is kept would get none in a later pass.
        """
        if self.dtype is torch.float32:
            return nullcontext()
        return torch.autocast(self.device, self.dtype, cache_enabled=keeps_casts)


def precision_of(recipe: Training, device: torch.device) -> Precision:
    """The precision of a training: bfloat16 where the GPU itself has it, else float16 or float32.

    A GPU that only emulates bfloat16 is slower with it. In float16 small gradients vanish unless
    the loss is scaled; attacks of a defence follow gradients of images that nobody scales, so
    those are computed in float32.

    Args:
        recipe: Says whether precisions may be mixed.
        device: Where the network is.
    """
    if device.type != "cuda" or not recipe.mixed_precision:
        return Precision(torch.float32, device.type)
    if torch.cuda.is_bf16_supported(including_emulation=False):
        return Precision(torch.bfloat16, device.type)
    cores = torch.cuda.get_device_capability(device) >= TENSOR_CORES
    half = cores and not isinstance(recipe, Defended)
    return Precision(torch.float16 if half else torch.float32, device.type)


def choose_tf32(wanted: bool) -> None:
    """Tells GPUs in how many bits to multiply float32 numbers; torch's own choice is mixed."""
    chosen = "tf32" if wanted else "ieee"
    torch.backends.cuda.matmul.fp32_precision = chosen
    torch.backends.cudnn.conv.fp32_precision = chosen  # type: ignore[attr-defined]


def uses_tf32(device: torch.device) -> bool:
    """Whether matrix products or convolutions of float32 numbers are shortened on a device."""
    chosen = (
        torch.backends.cuda.matmul.fp32_precision,
        torch.backends.cudnn.conv.fp32_precision,  # type: ignore[attr-defined]
    )
    return device.type == "cuda" and "tf32" in chosen


class Scaling(Callback):
    """Scales the loss of float16 passes so that gradients do not vanish; else it does nothing.

    A step whose gradients are not finite is left out and the scale lowered, on the device: with
    a fused optimizer nothing is waited for.

    Args:
        precision: That of the passes.
    """

    def __init__(self, precision: Precision) -> None:
        on = precision.dtype is torch.float16
        self.scaler = torch.amp.GradScaler(precision.device if on else "cpu", enabled=on)

    def backward(self, loss: Tensor) -> None:
        """Adds the gradients of a loss, scaled, to those of the parameters."""
        torch.autograd.backward(self.scaler.scale(loss))

    def unscale(self, optimizer: Optimizer) -> None:
        """Takes the scale out of the gradients; to be called once, when they are complete."""
        self.scaler.unscale_(optimizer)

    def step(self, optimizer: Optimizer) -> None:
        """Makes the step, if its gradients are finite."""
        self.scaler.step(optimizer)
        self.scaler.update()

    def state_dict(self) -> dict[str, Tensor]:
        """The scale, and how many steps it has been good for."""
        kept = self.scaler.state_dict()
        return {name: torch.tensor(kept[name]) for name in ("scale", "_growth_tracker") if kept}

    def load_state_dict(self, tensors: dict[str, Tensor]) -> None:
        """Goes on with the scale of a snapshot."""
        if tensors:
            kept = {name: tensor.item() for name, tensor in tensors.items()}
            self.scaler.load_state_dict({**self.scaler.state_dict(), **kept})
