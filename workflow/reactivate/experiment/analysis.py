"""Shim until the stages ask the experiment."""

from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment


def observation(scale, paper, recipe):
    return (
        Experiment.load(scale).cell(paper, Cell("mnist", "fcnn", "relu", "bn", recipe)).observation
    )
