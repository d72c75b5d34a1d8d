"""On a CPU the model predicts the published laptop runs; the records are the oracle.

They were made on machines of the same name of which the fastest take a quarter of the time of the
slowest. Runs of one commit were made at one pace, which is told by one half of their cells to the
other, as ``reactivate plan`` takes the pace of a clone from its own runs.
"""

import hashlib
from collections import defaultdict
from statistics import median

import pytest
from reactivate.evidence.times import FEWEST, Times
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.machines import load_machine, memory_mb
from reactivate.experiment.experiment import Experiment


@pytest.fixture(scope="module")
def runs():
    """Predicted and real seconds, predicted and real memory of published runs, by stage."""
    machine, found = load_machine("cpu"), defaultdict(list)
    for past in Times(here=None).same.values():
        record = past.record
        if record is None or record.cell is None or record.scale != "laptop":
            continue
        names = {"scale": "laptop", "paper": record.paper, "dataset": record.cell.dataset}
        names |= {"cell": record.cell.stem, "measurement": record.measurement or ""}
        try:
            work = work_of(record.stage, names)
            asked = Experiment.load("laptop").cell(record.paper, record.cell)
        except ValueError:  # the configuration no longer has it
            continue
        if record.measurement is not None:
            now = asked.measurement(record.measurement).model_dump(mode="json")
            if record.settings != now:  # more samples than then, or fewer
                continue
        real = past.seconds, record.environment.peak_memory_mb
        cell = (*names.values(), record.environment.git.commit)
        row = (machine.seconds(work), memory_mb(work, gpu=False), *real, cell)
        found[record.stage].append(row)
    return found


@pytest.fixture(scope="module")
def factors(runs):
    """By stage, how far off the prediction of a cell is; seeds are predicted alike, one counts."""
    cells = {(stage, row[4]): row for stage, rows in runs.items() for row in reversed(rows)}
    ratios = defaultdict(list)  # real over predicted, by commit and half
    for (_, cell), (predicted, _, real, *_) in cells.items():
        ratios[cell[-1], half(cell)].append(real / predicted)
    found = defaultdict(list)
    for (stage, cell), (predicted, _, real, *_) in cells.items():
        others = ratios[cell[-1], not half(cell)]
        pace = median(others) if len(others) >= FEWEST else 1.0
        found[stage].append(max(pace * predicted / real, real / predicted / pace))
    return found


def half(cell):
    """Whether a cell is in the first half; all that is measured of one network is in the same."""
    return hashlib.sha256(" ".join(cell[1:4]).encode()).digest()[0] % 2 == 0


def test_half_of_all_cells_are_predicted_within_a_factor_of_one_and_a_half(factors):
    every = [factor for of_stage in factors.values() for factor in of_stage]
    assert len(every) > 200
    assert median(every) < 1.5


@pytest.mark.parametrize("stage", ["train", "prune", "defend", "attack", "certify"])
def test_half_of_the_cells_of_a_kind_are_predicted_within_that_factor(factors, stage):
    assert median(factors[stage]) < 1.5


def test_no_run_took_more_than_the_limit_allows_but_for_one_that_was_stopped_meanwhile(runs):
    over = [row for rows in runs.values() for row in rows if row[2] > max(3 * row[0], 600)]
    # seed 4: its process stood still for ten minutes, which its seconds count
    assert [row[4][3] for row in over] == ["vgg16_robust-relu-bn-defend_pgd_08"]


def test_memory_asked_for_is_enough(runs):
    short = [row for rows in runs.values() for row in rows if row[3] > max(1.5 * row[1], 1500)]
    assert short == []
