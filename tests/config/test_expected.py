"""What the configuration says of a document is what its expected.yaml has, typed a second time."""

from pathlib import Path

import pytest
from reactivate.experiment import loading
from reactivate.experiment.printed import Printed
from reactivate.foundation.configuration import read_yaml

pytestmark = pytest.mark.usefixtures("configuration")

EXPECTED = {
    path.parent.name: read_yaml(path)
    for path in sorted((Path(__file__).parents[1] / "documents").glob("*/expected.yaml"))
}
PRINTED_STAGES = ("train", "detect", "segment")
LONG = 1000  # above it, a length is counted in iterations, not in epochs


def listed(key):
    """What all documents list under a key, by document."""
    return [(paper, *entry) for paper, said in EXPECTED.items() for entry in _entries(said, key)]


def _entries(said, key):
    entries = said.get(key, {})
    return entries.items() if isinstance(entries, dict) else [(entry,) for entry in entries]


@pytest.mark.parametrize("paper", EXPECTED)
def test_every_table_has_the_printed_size(paper):
    sizes = {
        name: [len(table.row_names), len(table.column_names)]
        for name, table in loading.load_paper(paper).tables.items()
    }
    assert sizes == EXPECTED[paper]["sizes"]


@pytest.mark.parametrize(("paper", "exhibit", "size"), listed("sizes"))
def test_every_printed_number_can_be_read(paper, exhibit, size):
    whole = loading.load_exhibit(paper, exhibit)
    places = [(row, column) for row in whole.row_names for column in whole.column_names]
    numbers = [Printed.parse(whole.printed_at(*p)) for p in places if whole.is_printed(*p)]
    blank = EXPECTED[paper].get("blank", {}).get(exhibit, 0)
    assert len(numbers) == size[0] * size[1] - blank
    precision = EXPECTED[paper].get("precision", {}).get(exhibit, {})
    if "digits" in precision:
        assert {number.half_unit for number in numbers} == set(precision["digits"])
    if "spread" in precision:
        assert {number.spread is not None for number in numbers} == {precision["spread"]}


@pytest.mark.parametrize(("paper", "place"), listed("printed"))
def test_a_printed_number_is_found_where_the_table_prints_it(paper, place):
    exhibit, row, column, printed = place
    assert loading.load_exhibit(paper, exhibit).printed_at(row, column) == printed


@pytest.mark.parametrize(("paper", "name", "printed"), listed("recipes"))
def test_an_image_recipe_is_the_printed_one(paper, name, printed):
    recipe = loading.load_paper(paper).recipes[name]
    assert recipe.stage in PRINTED_STAGES
    assert [recipe.epochs, recipe.iterations].count(None) == 1
    assert (recipe.iterations is not None) == (printed["length"] > LONG)
    assert {
        "length": recipe.epochs or recipe.iterations,
        "batch_size": recipe.batch_size,
        "lr": recipe.lr,
        "optimizer": recipe.optimizer.name,
        "weight_decay": recipe.optimizer.weight_decay,
        "schedule": recipe.schedule.kind,
    } == printed


@pytest.mark.parametrize("paper", EXPECTED)
def test_every_image_recipe_is_compared_with_the_printed_one(paper):
    recipes = loading.load_paper(paper).recipes.items()
    trained = {name for name, recipe in recipes if recipe.stage in PRINTED_STAGES}
    assert trained == set(EXPECTED[paper].get("recipes", {}))


@pytest.mark.parametrize("paper", EXPECTED)
def test_every_statement_about_a_trained_table_is_there(paper):
    source = loading.load_paper(paper)
    asked = [claim.check.exhibit for claim in source.claims.values() if claim.check is not None]
    found = {name: asked.count(name) for name in source.trained}
    assert found == EXPECTED[paper].get("statements", {})
