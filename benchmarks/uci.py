"""Batched against one-by-one training of the networks of gmp Table 3: same results, less time.

One by one is what one would write without the batch: an ``nn.Module`` per split, autograd and
``torch.optim.Adam``, with the same monitor. Both train the same splits from the same weights.
"""

import copy
import sys

import torch
from reactivate.foundation.seeding import generator
from reactivate.layers.batched import BATCHED
from reactivate.layers.batched.affine import Units
from reactivate.layers.gmp import unit_vector
from reactivate.models.batched_mlp import BatchedMLP, build
from reactivate.training.batched import Schedule, fit, networks_per_batch
from reactivate.training.memory import keep_freed_memory
from reactivate.training.monitor import Monitor
from reactivate.training.splits import Samples, Split, hold_out, stack, standardize, train_test
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from benchmarks.timing import ratio, report

HIDDEN, NETWORKS = 100, 10
LR = {"sp": 0.01, "wn": 0.01, "bn": 0.01, "gmp": 0.1}
SIZES = {"N=506": (506, 13, 100), "N=9568": (9568, 4, 10)}  # samples, features, epochs
BARS = {"N=506": 3.0, "N=9568": 0.95}
AGREEMENT = 1e-5


class Geometric(nn.Module):
    """``r relu(u(theta) x + lambda)`` of a single network."""

    def __init__(self, units: nn.Module) -> None:
        super().__init__()
        for name in ("theta", "offset", "radius"):
            self.register_parameter(name, nn.Parameter(getattr(units, name).detach().clone()))

    def forward(self, x: Tensor) -> Tensor:
        return self.radius * (x @ unit_vector(self.theta).T + self.offset).relu()


def plain(name: str, batched: BatchedMLP) -> nn.Module:
    """The same network as an ordinary module."""
    output = nn.Linear(HIDDEN, 1)
    output.weight.data = batched.output.weight.detach().clone()
    output.bias.data = batched.output.bias.detach().clone().flatten()
    if name == "gmp":
        return nn.Sequential(Geometric(batched.hidden), output)
    hidden = nn.Linear(batched.hidden.fan_in, HIDDEN)
    hidden.weight.data = batched.hidden.weight.detach().clone()
    hidden.bias.data = batched.hidden.bias.detach().clone().flatten()
    if name == "wn":
        weight_norm(hidden)
    norm = [nn.BatchNorm1d(HIDDEN, dtype=hidden.weight.dtype)] if name == "bn" else []
    return nn.Sequential(hidden, *norm, nn.ReLU(), output)


def one_by_one(model: nn.Module, split: Split, lr: float, schedule: Schedule) -> float:
    """Test error of one network, trained as in any tutorial."""
    optimizer = torch.optim.Adam(model.parameters(), lr)
    monitor = Monitor(schedule.plateau_patience, schedule.min_delta, schedule.stop_patience)
    best = copy.deepcopy(model.state_dict())
    for _ in range(schedule.epochs):
        model.train()
        optimizer.zero_grad()
        nn.functional.mse_loss(model(split.fit.x), split.fit.y).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            score = nn.functional.mse_loss(model(split.watch.x), split.watch.y).item()
        decision = monitor.update(score)
        if decision.improved:
            best = copy.deepcopy(model.state_dict())
        if decision.lower_lr:
            optimizer.param_groups[0]["lr"] *= schedule.plateau_factor
        if decision.stop:
            break
    model.load_state_dict(best)
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(split.report.x), split.report.y).sqrt().item()


def data(samples: int, features: int, dtype: torch.dtype) -> list[Split]:
    """Splits of a smooth regression problem of the size of a UCI set."""
    stream = generator("benchmark", samples)
    x = torch.randn(samples, features, generator=stream, dtype=torch.float64)
    y = 20 + 5 * x[:, :2].prod(1, keepdim=True).sin() + x.sum(1, keepdim=True)
    splits = []
    for seed in range(NETWORKS):
        train, test = train_test(Samples(x, y), "benchmark", seed, 0.2)
        splits.append(standardize(Split(*hold_out(train, 0.2), test), dtype))
    return splits


def networks(name: str, features: int, seeds: list[int], dtype: torch.dtype) -> BatchedMLP:
    streams = [generator("benchmark", seed, "weights") for seed in seeds]
    return build(
        BATCHED.load(name), Units, nn.ReLU(), features, HIDDEN, streams, dtype, "authors_code", {}
    )


def measure(name: str, size: str, dtype: torch.dtype, repeats: int) -> tuple[float, float]:
    """Speed of batched over one-by-one, and the largest relative difference of their results."""
    samples, features, epochs = SIZES[size]
    splits = data(samples, features, dtype)
    schedule = Schedule("mse", None, epochs, 0.1, 50, 1e-4, 100, 1e-8)
    chunk = networks_per_batch(len(splits[0].fit.x), HIDDEN, dtype.itemsize)
    groups = [list(range(NETWORKS))[i : i + chunk] for i in range(0, NETWORKS, chunk)]
    results: dict[str, list[float]] = {}

    def batched() -> None:
        results["batched"] = []
        for seeds in groups:
            model = networks(name, features, seeds, dtype)
            lr = torch.full((len(seeds),), LR[name], dtype=dtype)
            streams = [generator("unused", seed) for seed in seeds]
            outcomes = fit(model, stack([splits[s] for s in seeds]), lr, schedule, streams)
            results["batched"] += [outcome.score for outcome in outcomes]

    def loop() -> None:
        results["loop"] = [
            one_by_one(
                plain(name, networks(name, features, [s], dtype)), splits[s], LR[name], schedule
            )
            for s in range(NETWORKS)
        ]

    speed = ratio(loop, batched, repeats=repeats, warmup=0)
    gap = max(
        abs(a - b) / abs(b) for a, b in zip(results["batched"], results["loop"], strict=True)
    )
    return speed, gap


def main() -> int:
    torch.set_num_threads(1)
    keep_freed_memory()
    ok = True
    for size, bar in BARS.items():
        for name in BATCHED.targets:
            speed, _ = measure(name, size, torch.float32, repeats=3)
            _, gap = measure(name, size, torch.float64, repeats=1)
            ok &= report(
                f"uci batched {name} {size}",
                speed,
                bar,
                "higher",
                peer="a torch loop over networks",
                difference=gap,
            )
            ok &= gap <= AGREEMENT
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
