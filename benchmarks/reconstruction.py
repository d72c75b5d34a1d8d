"""Reconstruction without matrices against dense pseudo-inverses: time and memory.

The dense side writes the matrix of the shifts out, takes its pseudo-inverse and multiplies: once
for all images in Algorithm 1, for each image in Algorithm 2, whose selected shifts differ. All of
that is timed. The size is the largest that the dense side does in about half a minute; its time
grows with the third power of the pixels. Times are processor time of this process on one thread.

Memory is what the resident set of a forked child grows by at its peak, after a first small
call, so that buffers inside torch and LAPACK count on both sides and loading them on none.
"""

import os
import resource
import sys
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import process_time

import torch
from reactivate.activations.crelu import CReLU
from reactivate.foundation.seeding import generator
from reactivate.reconstruction.algorithms import pooled, ratio, reconstruct, reconstruct_pooled
from reactivate.reconstruction.shifts import Shifts
from torch import Tensor, nn

from benchmarks.timing import ratio as times
from benchmarks.timing import report

DENSE = "least squares with a dense matrix"
TIME_BAR = MEMORY_BAR = 10.0
CHANNELS, FILTERS, KERNEL, SIDE, IMAGES = 12, 6, 3, 16, 2  # the width of scale laptop
SMALL = 4  # the side of a first call
POOL = nn.MaxPool2d(3, stride=2, ceil_mode=True)
AGREE = 1e-6
timed = partial(times, repeats=1, warmup=0, clock=process_time)


def problem(side: int) -> tuple[Shifts, Tensor]:
    """Random filters with padding, and inputs as CReLU leaves them."""
    random = generator("benchmark", "reconstruction")
    weight = torch.randn(FILTERS, CHANNELS, KERNEL, KERNEL, generator=random, dtype=torch.float64)
    x = torch.randn(IMAGES, CHANNELS // 2, side, side, generator=random, dtype=torch.float64)
    return Shifts(weight, (side, side), padding=(KERNEL // 2, KERNEL // 2)), CReLU()(x)


def written_out(shifts: Shifts) -> Tensor:
    """``W^T`` as a matrix: the responses to every pixel."""
    high, wide = shifts.size
    pixels = torch.eye(CHANNELS * high * wide, dtype=torch.float64)
    parts = pixels.view(-1, CHANNELS, high, wide).split(256)
    return torch.cat([shifts.analyse(part).flatten(1) for part in parts]).T


def dense_all(side: int = SIDE) -> Tensor:
    """Algorithm 1 by one pseudo-inverse."""
    shifts, x = problem(side)
    inverse = torch.linalg.pinv(written_out(shifts))
    return (shifts.analyse(x).flatten(1) @ inverse.T).view_as(x)


def free_all(side: int = SIDE) -> Tensor:
    """Algorithm 1 without a matrix."""
    shifts, x = problem(side)
    return reconstruct(shifts, CReLU()(shifts.analyse(x))).x


def dense_selected(side: int = SIDE) -> Tensor:
    """Algorithm 2 by a pseudo-inverse for each image."""
    shifts, x = problem(side)
    z = shifts.analyse(x)
    features, places = pooled(z, POOL)
    matrix, size = written_out(shifts), side * side
    found = []
    for image, values, chosen in zip(x, features.flatten(2), places.flatten(2), strict=True):
        kept = torch.zeros(2 * FILTERS, size, dtype=torch.bool)
        kept.scatter_(1, chosen, values > 0)
        part = matrix[(kept[:FILTERS] | kept[FILTERS:]).flatten()]
        found.append((torch.linalg.pinv(part) @ (part @ image.flatten())).view_as(image))
    return torch.stack(found)


def free_selected(side: int = SIDE) -> Tensor:
    """Algorithm 2 without a matrix."""
    shifts, x = problem(side)
    z = shifts.analyse(x)
    return reconstruct_pooled(shifts, *pooled(z, POOL), (side, side)).x


def growth(action: str) -> float:
    """Bytes by which the resident set of a forked child grows at its peak."""
    with get_context("fork").Pool(1) as pool:
        return pool.apply(_growth, (action,))


def _growth(action: str) -> float:
    torch.set_num_threads(1)
    globals()[action](SMALL)  # what torch loads and sets up for it is no part of the problem
    before = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    globals()[action]()
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before)


def compare(name: str, dense, free, bytes_of: dict[str, float]) -> bool:
    """Time and memory of the dense side over those of ours, and whether both find the same."""
    found = {}

    def keep(action):
        def run():
            found[action.__name__] = action()

        return run

    quicker = timed(keep(dense), keep(free))
    apart = float(ratio(found[dense.__name__], found[free.__name__]).max())
    extra = {
        "pixels": CHANNELS * SIDE * SIDE,
        "shifts": FILTERS * SIDE * SIDE,
        "images": IMAGES,
        "results_differ_by": f"{apart:.1e}",
    }
    leaner = bytes_of[dense.__name__] / bytes_of[free.__name__]
    megabytes = {f"{k.__name__}_mb": round(bytes_of[k.__name__] / 1e6, 2) for k in (dense, free)}
    return all(
        [
            report(
                f"{name}_dense_over_matrix_free_time",
                quicker,
                TIME_BAR,
                "higher",
                peer=DENSE,
                **extra,
            ),
            report(
                f"{name}_dense_over_matrix_free_memory",
                leaner,
                MEMORY_BAR,
                "higher",
                peer=DENSE,
                **megabytes,
            ),
            apart < AGREE,
        ]
    )


def main() -> int:
    """Runs all measurements; 1 if a bar is missed or the two sides differ."""
    torch.set_num_threads(1)
    # before this process computes anything: its children could use again what it freed
    actions = (dense_all, free_all, dense_selected, free_selected)
    bytes_of = {action.__name__: growth(action.__name__) for action in actions}
    passed = [
        compare("algorithm_1", dense_all, free_all, bytes_of),
        compare("algorithm_2", dense_selected, free_selected, bytes_of),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
