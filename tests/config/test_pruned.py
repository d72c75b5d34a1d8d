"""The recipes that prune are the printed ones, and a scale shortens all of them alike."""

import pytest
from reactivate.experiment import loading
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.recipes import Pruned

pytestmark = pytest.mark.usefixtures("configuration")

FIGURES = ["figure5_11", "figure5_12", "figure5_13"]


def recipes():
    every = loading.load_paper("thesis").recipes
    return {name: recipe for name, recipe in every.items() if isinstance(recipe, Pruned)}


def test_pruned_networks_are_trained_as_printed():
    assert len(recipes()) == 20 * 4
    for recipe in recipes().values():
        assert (recipe.epochs, recipe.batch_size, recipe.lr) == (120, 128, {"default": 0.1})
        assert (recipe.schedule.at, recipe.schedule.factor) == ([48, 84], 0.1)
        assert (recipe.optimizer.momentum, recipe.optimizer.weight_decay) == (0, 0)
        assert recipe.pruning.fine_tune == 20
        assert recipe.pruning.sparsity in (0.7, 0.8, 0.9, 0.95)


@pytest.mark.parametrize(
    ("name", "blend", "sparsity", "every", "scope", "protocol"),
    [
        ("weight_s70", "weight", 0.7, 10, "layer", "document"),
        ("sum_s95", "sum", 0.95, 10, "layer", "document"),
        ("global_magnitude_s80", "weight", 0.8, 10, "network", "document"),
        ("random_s90", "random", 0.9, 10, "layer", "document"),
        ("one_shot_s80", "weight", 0.8, None, "layer", "document"),
        ("harmonic_mean_authors_code_s80", "harmonic_mean", 0.8, 10, "layer", "authors_code"),
        ("entropy_weighted_every_15_s90", "entropy_weighted", 0.9, 15, "layer", "document"),
    ],
)
def test_a_name_says_what_is_pruned(name, blend, sparsity, every, scope, protocol):
    found = recipes()[f"pruned_{name}"].pruning
    assert (found.blend, found.sparsity, found.every) == (blend, sparsity, every)
    assert (found.scope, found.protocol) == (scope, protocol)


def test_figures_share_the_runs_they_can():
    cells = [
        {c.cell for c in Experiment.load("paper").exhibit("thesis", name).places}
        for name in FIGURES
    ]
    assert cells[1] < cells[0]
    assert len(cells[2] & cells[0]) == 2 * 4


def test_every_row_runs_the_recipe_of_its_column():
    for name in FIGURES:
        for place in Experiment.load("paper").exhibit("thesis", name).places:
            assert place.cell.recipe.endswith(f"_{place.column}")


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_all_pruned_networks_of_a_scale_are_equally_large_and_long(scale):
    limits = loading.load_paper_scales("thesis")[scale].recipes
    assert set(recipes()) < set(limits)
    idle = {"seeds": None, "tests": None}  # change none of the numbers at the end
    kept = {limits[name].model_copy(update=idle).model_dump_json() for name in recipes()}
    assert len(kept) == 1


def test_orders_are_judged_from_three_seeds():
    for place in Experiment.load("laptop").exhibit("thesis", "figure5_11").places:
        assert Experiment.load("laptop").cell("thesis", place.cell).seeds >= 3


def test_a_limit_for_a_family_that_nobody_has_is_named(edit):
    edit("papers/thesis/scales.yaml", "pruned_*: *tiny", "prund_*: *tiny")
    with pytest.raises(ValueError, match=r"smoke\.recipes names 'prund_\*'; accepted: "):
        loading.load_paper_scales("thesis")
