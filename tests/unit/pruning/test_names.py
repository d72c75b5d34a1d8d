"""The names of blends that a recipe may use are those of the library."""

from typing import get_args

from reactivate.experiment.recipes import Pruning
from reactivate.pruning.blends import PruningProtocol
from reactivate.pruning.removal import METHODS


def test_a_recipe_may_name_every_protocol():
    assert get_args(Pruning.model_fields["protocol"].annotation) == get_args(PruningProtocol)


def test_a_recipe_may_name_every_blend():
    assert get_args(Pruning.model_fields["blend"].annotation) == METHODS
