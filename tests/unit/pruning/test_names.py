"""The names of blends that a recipe may use are those of the library."""

from typing import get_args

from reactivate.experiment.recipes import Pruning
from reactivate.pruning.removal import METHODS


def test_a_recipe_may_name_every_blend():
    assert get_args(Pruning.model_fields["blend"].annotation) == METHODS
