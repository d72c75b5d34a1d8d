"""IIEU, Table 5: throughput of each activation as a ratio to ReLU, timed in one process."""

import time
from functools import lru_cache
from statistics import median

import torch
from torch import nn

from reactivate.documents.iieu.tables3_5 import TABLE5
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.foundation.seeding import generator
from reactivate.layers.style import Style
from reactivate.models.residual import Block
from reactivate.training.memory import keep_freed_memory

ROUNDS = 15
IMAGES = 4
PEERS = ("meta_acon", "pserf", "smu")
# images per second of Table 5
PRINTED = {"meta_acon": 3449.1, "pserf": 3417.8, "smu": 3444.6, "iieu_b": 3630.3}
WHERE = "a ResNet-26 bottleneck on one CPU thread"


def block(activation: str) -> nn.Module:
    """The second bottleneck of ResNet-26's first stage; it reads 56x56."""
    return Block(Style(activation, "bn"), 256, [(64, 1), (64, 3), (256, 1)]).eval()


@lru_cache
def ratios() -> dict[str, float]:
    """Throughput over ReLU's: median over interleaved rounds of processor time, one thread."""
    keep_freed_memory()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # processor time then counts this work and nothing beside it
    blocks = {name: block(name) for name in TABLE5}
    images = torch.randn(IMAGES, 256, 56, 56, generator=generator("iieu", "throughput"))
    seconds: dict[str, list[float]] = {name: [] for name in TABLE5}
    try:
        with torch.inference_mode():
            for _ in range(ROUNDS):
                for name, module in blocks.items():
                    start = time.process_time()
                    module(images)
                    seconds[name].append(time.process_time() - start)
    finally:
        torch.set_num_threads(threads)
    rounds = list(zip(*seconds.values(), strict=True))[1:]  # the first one warms up
    relu = TABLE5.index("relu")
    return {n: median(r[relu] / r[i] for r in rounds) for i, n in enumerate(TABLE5)}


def judge_below(measured: dict[str, float]) -> Judgement:
    """Judges whether IIEU-B is slower than ReLU and SiLU."""
    slower = measured["iieu_b"] < min(measured["relu"], measured["silu"])
    shown = ", ".join(f"{name} {value:.2f}" for name, value in measured.items())
    verdict = Verdict.ORDER_HOLDS if slower else Verdict.ORDER_FAILS
    return Judgement(verdict, f"forward throughput over ReLU's, {WHERE}: {shown}")


def below_relu() -> Judgement:
    """Appendix G, observation (a): IIEU-B has a lower throughput than ReLU and SiLU."""
    return judge_below(ratios())


def near_peers() -> Judgement:
    """Appendix G, observation (b): IIEU-B is close to its peers, on an A100."""
    measured = ratios()
    shown = ", ".join(
        f"{name} {PRINTED['iieu_b'] / PRINTED[name]:.2f} printed, "
        f"{measured['iieu_b'] / measured[name]:.2f} here"
        for name in PEERS
    )
    return Judgement(
        Verdict.NOT_COMPARABLE, f"IIEU-B's throughput over theirs, A100 and {WHERE}: {shown}"
    )
