"""Shim until the stages ask the experiment."""

from reactivate.experiment.experiment import EVERYTHING, Experiment, printed_digests  # noqa
from reactivate.experiment.loading import *  # noqa
from reactivate.experiment.settings import ImageSettings  # noqa
from reactivate.experiment.settings import SweepSettings as SweepSettings  # noqa


def image_settings(scale, paper, cell):
    return Experiment.load(scale).cell(paper, cell).image_settings


def settings(scale, paper, cell):
    return Experiment.load(scale).cell(paper, cell).sweep_settings


def cell_settings(scale, paper, cell):
    return Experiment.load(scale).cell(paper, cell).settings


def modules(paper, cell, stage=None):
    return Experiment.load("paper").cell(paper, cell).modules(stage)


def measurement(scale, paper, name):
    return Experiment.load(scale).measurement(paper, name)


def functions(paper, exhibit, stage):
    return Experiment.load("paper").exhibit(paper, exhibit).modules(stage)
