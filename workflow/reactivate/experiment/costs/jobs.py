"""Work of a job of a rule, from the names that its path has."""

from functools import cache

from reactivate.experiment.cell import Cell
from reactivate.experiment.costs.analysing import analysing_work
from reactivate.experiment.costs.measuring import measuring_work
from reactivate.experiment.costs.pieces import Work
from reactivate.experiment.costs.small import sweep_work
from reactivate.experiment.costs.training import training_work
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.launching import DIVIDED

TRAINING = ("train", "prune", "defend", "detect", "segment", "observe")
COMPILED = "train"  # the stage whose steps torch may compile
MEASURING = ("attack", "certify", "reconstruct")
MODELLED = ("sweep", *TRAINING, *MEASURING, "analyse")


def work_of(
    rule: str, names: dict[str, str], processes: int = 1, compiled: bool = False
) -> Work | None:
    """The work of a job; None where the model does not know it.

    Args:
        rule: The rule of the job.
        names: Its wildcards: scale, paper, dataset, cell, measurement, exhibit.
        processes: That do it together, where the rule can be divided; the work is of the first.
        compiled: Whether torch compiles the steps of plain trainings of one process.
    """
    if rule not in MODELLED:
        return None
    scale, paper = names["scale"], names["paper"]
    if rule == "analyse":
        return _analysis(scale, paper, names["exhibit"])
    place = names["dataset"], names["cell"]
    parts = processes if rule in DIVIDED else 1
    fused = compiled and rule == COMPILED and parts == 1
    return _of_cell(rule, scale, paper, *place, names.get("measurement", ""), parts, fused)


@cache
def _of_cell(
    rule: str,
    scale: str,
    paper: str,
    dataset: str,
    stem: str,
    measurement: str,
    processes: int,
    fused: bool,
) -> Work | None:
    cell = Experiment.load(scale).cell(paper, Cell.parse(dataset, stem))
    if rule == "sweep":
        return sweep_work(cell)
    if rule in MEASURING:
        return measuring_work(cell, measurement)
    return training_work(cell, rule == "observe", processes, fused)


@cache
def _analysis(scale: str, paper: str, exhibit: str) -> Work | None:
    return analysing_work(Experiment.load(scale).exhibit(paper, exhibit))
