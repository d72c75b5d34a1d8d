"""Measure how fast this machine computes, launches kernels and decodes pictures."""

import io
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.experiment.costs.machines import (
    ASSUMED,
    Kind,
    Machine,
    Precision,
    load_machine,
)
from reactivate.experiment.costs.networks import PassCost
from reactivate.experiment.costs.pieces import Piece, passes
from reactivate.models import MODELS
from reactivate.models.passes import network_work
from reactivate.training.precision import choose_tf32


@dataclass(frozen=True)
class Trial:
    """A network whose training steps are timed."""

    network: str
    width: float
    size: tuple[int, int, int]
    batch: int


# one that is arithmetic above all, one that is traffic, and one that is kernels
TRIALS: dict[Kind, tuple[Trial, ...]] = {
    "gpu": (
        Trial("vgg16", 1.0, (3, 32, 32), 256),
        Trial("resnet50", 1.0, (3, 224, 224), 128),
        Trial("cifar_resnet56", 1.0, (3, 32, 32), 64),
    ),
    "cpu": (
        Trial("vgg16", 0.125, (3, 32, 32), 32),
        Trial("resnet26", 0.125, (3, 56, 56), 32),
        Trial("cifar_resnet56", 0.5, (3, 32, 32), 16),
    ),
}
MATRIX: dict[Kind, int] = {"gpu": 8192, "cpu": 1024}  # side of the matrices that are multiplied
COPIED: dict[Kind, int] = {"gpu": 2**28, "cpu": 2**25}  # numbers that are copied
LAUNCHED = 1000  # kernels in a row
PICTURE = (500, 375)  # about the size of ImageNet's
START: dict[Kind, float] = {"gpu": 60.0, "cpu": 5.0}  # not measured: it depends on the disk


def calibrate_machine(seconds: float = 60.0) -> Machine:
    """The description of this machine: of its GPU if torch sees one, else of one core.

    Args:
        seconds: About how long it may measure; counting the work of the networks takes longer.
    """
    kind: Kind = "gpu" if torch.cuda.is_available() else "cpu"
    device = torch.device("cuda" if kind == "gpu" else "cpu")
    if kind == "cpu":
        torch.set_num_threads(1)  # a job of the CPU has one core
    precisions: tuple[Precision, ...] = ("bf16", "tf32", "fp32") if kind == "gpu" else ("fp32",)
    share = seconds / (4 + 4 * len(precisions))
    flops = {p: _matrix_flops(kind, device, p, share) for p in precisions}
    machine = Machine(
        title=torch.cuda.get_device_name() if kind == "gpu" else f"one core, {_processor()}",
        kind=kind,
        flops=flops,
        bandwidth=_bandwidth(kind, device, share),
        achieved=dict.fromkeys(precisions, 1.0),
        launch=_launch(device, share),
        together=load_machine(ASSUMED[kind]).together,
        decode=decode_rate(share),
        start=START[kind],
        memory_gb=_memory_gb(kind),
        says=["measured by `reactivate calibrate`, but for start and together: assumed"],
    )
    steps = {
        p: [_step_seconds(trial, device, p, share) for trial in TRIALS[kind]] for p in precisions
    }
    return fitted(machine, steps)


def fitted(machine: Machine, steps: dict[Precision, list[float]]) -> Machine:
    """The machine with the shares that explain the measured steps of the trials.

    Args:
        machine: With shares of 1.
        steps: Seconds of a training step of every trial, by precision.
    """
    achieved, says = dict[Precision, float](), list(machine.says)
    for precision, measured in steps.items():
        shares = []
        for trial, seconds in zip(TRIALS[machine.kind], measured, strict=True):
            piece = _work(trial, precision)
            launched = piece.kernels * machine.launch
            moved = piece.traffic / (2 if precision == "bf16" else 1) / machine.bandwidth
            ideal = piece.flops / machine.flops[precision]
            left = seconds - moved - (launched if machine.kind == "cpu" else 0.0)
            bound = machine.kind == "gpu" and launched > 0.8 * seconds
            says.append(
                f"{trial.network} {precision}: {1 / seconds:.3g} steps/s of {trial.batch}, "
                f"{launched / seconds:.0%} of it launches" + (", left out" if bound else "")
            )
            if not bound:
                shares.append(min(1.0, ideal / max(left, 0.1 * seconds)))
        achieved[precision] = sorted(shares)[len(shares) // 2] if shares else 0.5
    return machine.model_copy(update={"achieved": achieved, "says": says})


def decode_rate(seconds: float) -> float:
    """Pictures that this core decodes and cuts per second."""
    from PIL import Image

    from reactivate.models.vision import torchvision

    width, height = PICTURE
    smooth = functional.interpolate(torch.rand(1, 3, 24, 32), (height, width), mode="bicubic")
    noisy = smooth[0].clamp(0, 1) * 230 + 25 * torch.rand(3, height, width)
    file = io.BytesIO()
    pixels = noisy.to(torch.uint8).permute(1, 2, 0).numpy()
    Image.fromarray(pixels).save(file, format="JPEG", quality=90)
    cut = torchvision.transforms.RandomResizedCrop(224)

    def decode() -> None:
        cut(Image.open(io.BytesIO(file.getvalue())).convert("RGB"))

    return 1 / timed(decode, seconds)


def timed(
    action: Callable[[], object], seconds: float, wait: Callable[[], None] | None = None
) -> float:
    """Mean seconds of an action that is repeated for a while, after two calls to warm up."""
    for _ in range(2):
        action()
    if wait is not None:
        wait()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds or count < 3:
        action()
        count += 1
        if wait is not None and count % 10 == 0:
            wait()
    if wait is not None:
        wait()
    return (time.perf_counter() - start) / count


def _waiting(device: torch.device) -> Callable[[], None] | None:
    return torch.cuda.synchronize if device.type == "cuda" else None


def _matrix_flops(kind: Kind, device: torch.device, precision: Precision, budget: float) -> float:
    side = MATRIX[kind]
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    matrix = torch.ones(side, side, device=device, dtype=dtype)
    choose_tf32(precision == "tf32")
    return 2 * side**3 / timed(lambda: matrix @ matrix, budget, _waiting(device))


def _bandwidth(kind: Kind, device: torch.device, budget: float) -> float:
    numbers = torch.zeros(COPIED[kind], device=device)
    other = torch.empty_like(numbers)
    moved = 2 * numbers.numel() * numbers.element_size()
    return moved / timed(lambda: other.copy_(numbers), budget, _waiting(device))


def _launch(device: torch.device, budget: float) -> float:
    number = torch.zeros(1, device=device, requires_grad=True)

    def chain() -> None:
        value = number
        for _ in range(LAUNCHED // 2):
            value = value + 1
        torch.autograd.backward(value)  # as many again

    return timed(chain, budget, _waiting(device)) / LAUNCHED


def _step_seconds(
    trial: Trial, device: torch.device, precision: Precision, budget: float
) -> float:
    choose_tf32(precision == "tf32")
    network = _network(trial).to(device).train()
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9)
    images = torch.rand(trial.batch, *trial.size, device=device)
    labels = torch.zeros(trial.batch, dtype=torch.long, device=device)
    if device.type == "cuda":
        network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        images = images.contiguous(memory_format=torch.channels_last)

    def step() -> None:
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16"):
            scores: Tensor = network(images)
        loss = functional.cross_entropy(scores.float(), labels)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        optimizer.step()

    return timed(step, budget, _waiting(device))


def _network(trial: Trial) -> nn.Module:
    network: nn.Module = MODELS.load(trial.network)(
        activation="relu", parameterization="bn", width=trial.width, classes=100, options={}
    )
    return network


def _work(trial: Trial, precision: Precision) -> Piece:
    work = network_work(lambda: _network(trial), trial.size).training
    cost = PassCost(**vars(work))
    return passes(cost, 1, trial.batch, precision == "bf16")


def _memory_gb(kind: Kind) -> float:
    if kind == "gpu":
        return float(torch.cuda.get_device_properties(0).total_memory) / 1e9
    import os

    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def _processor() -> str:
    return platform.processor() or platform.machine()
