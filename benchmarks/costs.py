"""The cost model against the times of published runs: fitted on one half, tested on the other.

For every kind of run a line has the median of max(predicted / real, real / predicted). Rates are
fitted to trainings, attacks and certifications. The few constants of measurements and of small
networks (``experiment/costs/measuring.py``, ``small.py``) were chosen by hand with these records
in view.

The fastest machine behind these times took a quarter of the time of the slowest. Runs of one
commit were made at one pace, which one half of their cells tells the other, and which is taken
off, as ``reactivate plan`` does for a clone with runs of its own.
"""

import hashlib
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import PurePosixPath
from statistics import median

import numpy as np
from reactivate.evidence.times import FEWEST, Past, Times
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.machines import Machine, load_machine
from reactivate.experiment.costs.pieces import Work
from scipy.optimize import minimize

from benchmarks.timing import report

BAR = 1.5
REAL = "times of published runs"
FITTED = ("train", "prune", "defend", "attack", "certify")
FASTEST = 1.5e10  # bytes per second of a core, at most: half of what it reached in a copy


def published(scale: str) -> list[tuple[Past, Work]]:
    """Every published run of a cell of which the model knows the work."""
    found = []
    for past in Times(here=None).same.values():
        record = past.record
        if record is None or record.cell is None or record.scale != scale:
            continue
        names = {"scale": scale, "paper": record.paper, "measurement": record.measurement or ""}
        names |= {"dataset": record.cell.dataset, "cell": record.cell.stem}
        try:
            work = work_of(record.stage, names)
        except ValueError:  # the configuration no longer has it
            continue
        if work is not None:
            found.append((past, work))
    return found


def at_one_pace(machine: Machine, runs: list[tuple[Past, Work]]) -> list[tuple[Past, Work]]:
    """The runs with the times that they would have taken on the machine of the model."""
    ratios = defaultdict(list)
    for past, work in runs:
        ratios[past.record.environment.git.commit, is_even(past)].append(
            past.seconds / machine.seconds(work)
        )

    def pace(past: Past) -> float:
        others = ratios[past.record.environment.git.commit, not is_even(past)]
        return median(others) if len(others) >= FEWEST else 1.0

    return [(replace(past, seconds=past.seconds / pace(past)), work) for past, work in runs]


def factor(machine: Machine, past: Past, work: Work) -> float:
    """How many times the prediction is too long, or too short."""
    ratio = machine.seconds(work) / past.seconds
    return max(ratio, 1 / ratio)


def fitted(machine: Machine, runs: list[tuple[Past, Work]]) -> Machine:
    """The machine with the rates that explain some runs best.

    Every kind of run counts as much, and of a kind every cell.
    """
    sums = np.array([[w.flops, w.traffic, w.kernels] for _, w in runs])
    real = np.array([past.seconds for past, _ in runs])
    of_cell = Counter(cell_of(past) for past, _ in runs)
    cells = {(past.record.stage, cell_of(past)) for past, _ in runs}
    of_kind = Counter(stage for stage, _ in cells)
    shares = [of_cell[cell_of(past)] * of_kind[past.record.stage] for past, _ in runs]
    weights = 1 / np.array(shares)

    def error(rates: np.ndarray) -> float:
        predicted = machine.start + sums @ np.maximum(np.exp(rates), (0, 1 / FASTEST, 0))
        return float(np.average(np.abs(np.log(predicted / real)), weights=weights))

    start = -np.log([machine.flops["fp32"], machine.bandwidth, 1 / machine.launch])
    flops, traffic, launch = np.exp(minimize(error, start, method="Nelder-Mead").x).tolist()
    bandwidth = min(1 / traffic, FASTEST)
    update = {"flops": {"fp32": 1 / flops}, "bandwidth": bandwidth, "launch": launch}
    return machine.model_copy(update=update)


def cell_of(past: Past) -> str:
    """The folder of a run's cell: its seeds are in the same half."""
    return str(PurePosixPath(past.place).parents[1])


def is_even(past: Past) -> bool:
    """Whether a run is in the first half."""
    return hashlib.sha256(cell_of(past).encode()).digest()[0] % 2 == 0


def main() -> int:
    machine, good = load_machine("cpu"), []
    runs = at_one_pace(machine, published("laptop"))
    chosen = [run for run in runs if run[0].record.stage in FITTED]
    for name, half in (("even", True), ("odd", False)):
        own = fitted(machine, [run for run in chosen if is_even(run[0]) == half])
        other = [factor(own, *run) for run in chosen if is_even(run[0]) != half]
        good.append(
            report(
                f"runs, fitted to the {name} half",
                median(other),
                BAR,
                peer=REAL,
                runs=len(other),
            )
        )
    kinds = defaultdict(list)
    for scale in ("laptop", "paper"):
        for past, work in at_one_pace(machine, published(scale)):
            kinds[scale, past.record.stage].append(factor(machine, past, work))
    for (scale, stage), factors in kinds.items():
        report(f"{scale} {stage}", median(factors), BAR, peer=REAL, runs=len(factors))
    every = [factor(machine, *run) for run in runs]
    good.append(report("laptop, all runs", median(every), BAR, peer=REAL, runs=len(every)))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
