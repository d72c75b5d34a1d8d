"""The configuration is the experiment: what the real one says, and what a scale makes of it."""

import ast
from contextlib import chdir
from pathlib import Path

import pytest
from reactivate import papers
from reactivate.claims import Printed
from reactivate.runs import Cell
from reactivate.schema import ChosenLr

PRINTED_SIZES = {
    ("gmp", "table3"): (4, 6),
    ("iieu", "table3"): (9, 3),
    ("iieu", "table5"): (6, 4),
    ("thesis", "table3_1"): (4, 5),
}
ROOT = Path(__file__).parents[2]
GMP_BOSTON = Cell("boston", "mlp100", "relu", "gmp", "document")


def forget():
    papers.paper_names.cache_clear()
    papers.load_paper.cache_clear()


@pytest.fixture(autouse=True)
def _configuration(project):
    """Every test reads the project's own configuration."""


def test_every_exhibit_has_the_printed_size():
    sizes = {
        (name, key): (len(exhibit.row_names), len(exhibit.column_names))
        for name in papers.paper_names()
        for key, exhibit in papers.load_paper(name).tables.items()
    }
    assert {key: sizes[key] for key in PRINTED_SIZES} == PRINTED_SIZES


@pytest.mark.parametrize("scale", ["smoke", "laptop", "paper"])
def test_every_scale_runs_a_part_of_every_exhibit(scale):
    assert set(papers.load_scales()) == {"smoke", "laptop", "paper"}
    cells = papers.grid(scale, "gmp", "table3")
    assert cells
    assert len(set(cells)) == len(cells)


def test_the_printed_scale_runs_every_cell_of_table_3_by_text_and_by_code():
    cells = papers.grid("paper", "gmp", "table3")
    assert len(cells) == 2 * 4 * 6
    assert {cell.protocol for cell in cells} == {"document", "authors_code"}


def test_the_laptop_scale_runs_every_cell_of_table_3():
    cells = papers.grid("laptop", "gmp", "table3")
    assert len({(c.row, c.column) for c in cells if c.protocol == "document"}) == 4 * 6


def test_the_printed_numbers_keep_three_digits():
    exhibit = papers.load_exhibit("gmp", "table3")
    numbers = [
        Printed.parse(exhibit.printed_at(row, column))
        for row in exhibit.row_names
        for column in exhibit.column_names
    ]
    assert len(numbers) == 24
    assert {number.half_unit for number in numbers} == {0.0005}
    assert all(number.spread is not None for number in numbers)


@pytest.mark.parametrize(
    ("row", "column", "printed"),
    [
        ("sp", "boston", "3.370±0.145"),
        ("wn", "energy", "2.093±0.789"),
        ("gmp", "yacht", "0.584±0.046"),
    ],
)
def test_a_printed_number_is_found_where_the_table_prints_it(row, column, printed):
    assert papers.load_exhibit("gmp", "table3").printed_at(row, column) == printed


def test_a_grid_cell_is_the_cell_that_is_trained_for_it():
    (cell,) = [
        c
        for c in papers.grid("paper", "gmp", "table3")
        if (c.row, c.column, c.protocol) == ("gmp", "boston", "document")
    ]
    assert cell.cell == GMP_BOSTON


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_a_smaller_scale_changes_only_what_it_may(scale):
    printed = papers.settings("paper", "gmp", GMP_BOSTON)
    small = papers.settings(scale, "gmp", GMP_BOSTON)
    assert small.recipe.epochs < printed.recipe.epochs
    assert small.recipe.splits.seeds < printed.recipe.splits.seeds
    restored = small.recipe.model_copy(
        update={"epochs": printed.recipe.epochs, "splits": printed.recipe.splits}
    )
    assert restored == printed.recipe
    assert small.recipe.splits.test_fraction == printed.recipe.splits.test_fraction


def test_the_printed_scale_is_the_recipe_itself():
    settings = papers.settings("paper", "gmp", GMP_BOSTON)
    recipe = papers.load_paper("gmp").recipes["document"]
    assert settings.recipe.epochs == recipe.epochs
    assert settings.recipe.splits == recipe.splits
    assert (settings.hidden, settings.data_fraction) == (100, 1.0)
    assert settings.recipe.splits.seeds == 10


@pytest.mark.parametrize(("row", "lr"), [("gmp", 0.1), ("sp", 0.01), ("wn", 0.01), ("bn", 0.01)])
def test_the_text_gives_gmp_ten_times_the_rate_of_the_others(row, lr):
    cell = Cell("boston", "mlp100", "relu", row, "document")
    assert papers.settings("paper", "gmp", cell).lr == lr


def test_the_learning_rate_of_another_row_does_not_change_a_cells_settings(edit):
    sp = Cell("boston", "mlp100", "relu", "sp", "document")
    before = [papers.settings("smoke", "gmp", cell).model_dump_json() for cell in (sp, GMP_BOSTON)]
    edit("papers/gmp.yaml", "gmp: 0.1}\n    batch", "gmp: 0.2}\n    batch")
    papers.load_paper.cache_clear()
    after = [papers.settings("smoke", "gmp", cell).model_dump_json() for cell in (sp, GMP_BOSTON)]
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_prose_does_not_change_a_cells_settings(edit):
    before = papers.settings("smoke", "gmp", GMP_BOSTON)
    edit("papers/gmp.yaml", "squared error, whose root", "the squared error, whose root")
    papers.load_paper.cache_clear()
    assert papers.settings("smoke", "gmp", GMP_BOSTON) == before


def test_width_and_data_fraction_of_a_scale_reach_the_settings(edit):
    edit("scales.yaml", "{epochs: 40, seeds: 2}", "{width: 0.25, data_fraction: 0.5}")
    papers.load_scales.cache_clear()
    settings = papers.settings("smoke", "gmp", GMP_BOSTON)
    assert (settings.hidden, settings.data_fraction) == (25, 0.5)


def test_a_recipe_like_another_differs_in_the_keys_it_writes_only():
    recipes = papers.load_paper("gmp").recipes
    text, code, cv = (recipes[name] for name in ("document", "authors_code", "cv"))
    assert cv.model_copy(update={"lr": text.lr}) == text
    assert isinstance(cv.lr, ChosenLr)
    assert (code.epochs, code.plateau, code.stop) == (text.epochs, text.plateau, text.stop)
    assert (code.monitor, code.loss, code.batch_size) == ("test", "mae", 1024)


def test_cross_validation_has_no_rate_of_its_own():
    cell = Cell("boston", "mlp100", "relu", "gmp", "cv")
    settings = papers.settings("laptop", "gmp", cell)
    assert settings.lr is None
    assert settings.recipe.lr.choose_from == [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]


def functions():
    """Every function that computes, draws or checks something, by the claim that needs it."""
    forget()
    with chdir(ROOT):
        targets = {
            f"{name}/{key}": target
            for name in papers.paper_names()
            for key in papers.load_paper(name).exhibits
            for target in papers.functions(name, key)
        }
        for name in papers.paper_names():
            targets |= {f"{name}/{key}": target for key, target in papers.checks(name).items()}
    forget()
    return targets


@pytest.mark.parametrize("claim", sorted(functions()))
def test_a_function_named_by_the_configuration_exists(claim):
    module, _, attribute = functions()[claim].partition(":")
    path = ROOT / "workflow" / Path(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert attribute in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_a_cells_code_is_its_stage_activation_and_parameterization():
    assert papers.modules("gmp", GMP_BOSTON) == (
        "reactivate.stages.sweep",
        "torch.nn:ReLU",
        "reactivate.layers.batched.gmp:GeometricUnits",
    )
