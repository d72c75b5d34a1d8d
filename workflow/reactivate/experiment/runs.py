"""Shim until the stages ask the experiment."""

from reactivate.experiment.cell import *  # noqa
from reactivate.experiment.paths import *  # noqa
