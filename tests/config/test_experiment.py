"""The configuration is the experiment: what the real one says, and what a scale makes of it."""

import ast
from contextlib import chdir
from pathlib import Path

import pytest
from reactivate.experiment import loading
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.cell import Cell
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.experiment import Experiment, printed_digests
from reactivate.experiment.run_cell import RunCell
from reactivate.experiment.sweeps import ChosenLr

pytestmark = pytest.mark.usefixtures("configuration")

SCALES = ["smoke", "laptop", "paper"]
ROOT = Path(__file__).parents[2]
GMP_BOSTON = Cell("boston", "mlp100", "relu", "gmp", "document")


def run_exhibits():
    """Every exhibit that has runs, with its paper."""
    with chdir(ROOT):
        return [(n, k) for n in loading.paper_names() for k in loading.load_paper(n).run_exhibits]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), run_exhibits())
def test_every_scale_runs_a_part_of_every_exhibit(scale, paper, exhibit):
    assert set(loading.load_scales()) == set(SCALES)
    cells = Experiment.load(scale).exhibit(paper, exhibit).places
    assert cells
    assert len(set(cells)) == len(cells)


@pytest.mark.parametrize(("paper", "exhibit"), run_exhibits())
def test_the_printed_scale_runs_every_cell_that_is_trained(paper, exhibit):
    whole = loading.load_exhibit(paper, exhibit)
    wanted = {
        (row, column)
        for row in whole.row_names
        for column in whole.column_names
        if whole.is_run(row, column)
        if not isinstance(whole, Trained) or whole.reason_not_run(row, column) is None
        if not isinstance(whole, Trained) or not whole.is_empty(row, column)
    }
    cells = Experiment.load("paper").exhibit(paper, exhibit).places
    assert {(c.row, c.column) for c in cells if c.protocol == whole.protocols[0]} == wanted


def test_the_printed_scale_runs_every_cell_of_table_3_by_every_reading():
    cells = Experiment.load("paper").exhibit("gmp", "table3").places
    assert len(cells) == 6 * 4 * 6
    all_rows = {"all_rows", "all_rows_mae", "all_rows_code"}
    assert {cell.protocol for cell in cells} == {"document", "cv", "authors_code"} | all_rows


def test_the_laptop_scale_runs_every_cell_of_table_3():
    cells = Experiment.load("laptop").exhibit("gmp", "table3").places
    assert len({(c.row, c.column) for c in cells if c.protocol == "document"}) == 4 * 6


def test_the_rate_of_all_cnn_falls_as_its_supplement_says():
    pieces = loading.load_paper("crelu").recipes["allcnn_sgd"].schedule.pieces
    assert [(p.epochs, p.lr, p.weight_decay) for p in pieces] == [
        (10, 1e-2, 5e-4),
        (10, 1e-3, 5e-4),
        (5, 1e-4, 5e-4),
        (5, 5e-5, 0),
        (5, 1e-5, 0),
        (5, 5e-6, 0),
        (5, 1e-6, 0),
    ]


def test_the_schedules_change_where_the_documents_say():
    thesis, iieu, gmp = (loading.load_paper(name).recipes for name in ("thesis", "iieu", "gmp"))
    assert (thesis["chapter3"].schedule.at, thesis["chapter3"].schedule.factor) == ([80, 120], 0.1)
    warm_up = thesis["chapter3"].warm_up
    assert (warm_up.iterations, warm_up.lr, warm_up.rises) == (500, 0.001, False)
    assert thesis["fcnn"].schedule.final == thesis["vgg16_120"].schedule.final == 1e-4
    assert (iieu["cfg_1"].schedule.epochs, iieu["cfg_1"].schedule.final) == (120, 1e-5)
    assert (iieu["cfg_1"].warm_up.epochs, iieu["cfg_1"].warm_up.rises) == (5, True)
    assert iieu["cifar100"].schedule.final == 1e-6
    assert {
        (r.schedule.watch, r.schedule.patience, r.schedule.stop_patience)
        for name, r in gmp.items()
        if r.stage == "train" and not name.endswith("authors_code")
    } == {("top1", 5, 10)}


def test_a_vote_and_its_average_are_over_the_same_ten_networks():
    place = {
        c.column: c
        for c in Experiment.load("paper").exhibit("crelu", "table1").places
        if c.row == "crelu"
    }
    assert place["cifar10_vote"].cell == place["cifar10_average"].cell
    assert place["cifar10_vote"].metric == "vote_error"
    folders = Experiment.load("paper").cell("crelu", place["cifar10_vote"].cell).folders()
    assert [folder.name for folder in folders] == [f"seed{seed}" for seed in range(10)]
    assert loading.load_paper("crelu").recipes["convpool_folds"].folds == 10


def test_a_table_that_repeats_numbers_of_another_repeats_no_training():
    votes = {
        c.cell
        for c in Experiment.load("paper").exhibit("crelu", "table2").places
        if "vote" in c.column
    }
    assert {c.cell for c in Experiment.load("paper").exhibit("crelu", "table3").places} < votes
    errors = {c.cell for c in Experiment.load("paper").exhibit("crelu", "table4").places}
    assert {c.cell for c in Experiment.load("paper").exhibit("crelu", "table5").places} < errors


def test_numbers_that_a_function_computes_are_not_trained():
    exhibit = loading.load_exhibit("iieu", "table5")
    places = {(c.row, c.column) for c in Experiment.load("paper").exhibit("iieu", "table5").places}
    assert {column for _, column in places} == {"top1"}
    assert exhibit.is_computed("relu", "flops")
    assert not exhibit.is_computed("relu", "top1")
    assert exhibit.reason_not_run("relu", "throughput") == "compute"


def measured_names():
    """What a run of an image network measures, at most."""
    from reactivate.training.metrics import final_metrics
    from reactivate.training.snapshots import State
    from torch import eye, tensor

    some = (eye(6), tensor(range(6)))
    return {*final_metrics(State(), some, some[0], some), "vote_error"}


def test_every_metric_of_an_exhibit_is_one_that_its_runs_leave():
    known = measured_names()
    asked = {
        (paper, exhibit, c.metric)
        for paper, exhibit in run_exhibits()
        for c in Experiment.load("paper").exhibit(paper, exhibit).places
        if loading.load_paper(paper).recipes[c.cell.recipe].stage == "train"
        and c.metric
        and c.measurement is None
    }
    assert len(asked) > 20
    assert {place for place in asked if place[-1] not in known} == set()


def test_the_printed_scale_limits_nothing_and_has_no_stand_ins():
    assert loading.load_scale("paper").stand_ins == {}
    for paper in loading.paper_names():
        limits = loading.load_paper_scales(paper)["paper"]
        assert (limits.recipes, limits.settings) == ({}, {})
        assert (limits.observations, limits.measurements) == ({}, {})


@pytest.mark.parametrize(("paper", "exhibit"), run_exhibits())
def test_the_printed_scale_trains_every_image_network_as_its_recipe_says(paper, exhibit):
    source = loading.load_paper(paper)
    for place in Experiment.load("paper").exhibit(paper, exhibit).places:
        recipe = source.recipes[place.cell.recipe]
        if recipe.stage == "train":
            chosen = Experiment.load("paper").cell(paper, place.cell).image_settings
            told = ("lr", "open", "seeds", "initialization")
            kept = chosen.recipe.model_copy(update={key: getattr(recipe, key) for key in told})
            assert kept == recipe
            initial, own = recipe.initialization, place.cell.activation
            at = None if initial is None else {"default": initial.get(own, initial["default"])}
            assert chosen.recipe.initialization == at
            assert chosen.lr == recipe.lr.get(place.cell.parameterization, recipe.lr["default"])
            assert (chosen.epochs, chosen.data_fraction) == (None, 1.0)
            assert chosen.model == source.models[place.cell.model]
            assert Experiment.load("paper").cell(paper, place.cell).seeds == recipe.seeds
            assert (
                place.cell.dataset
                == source.exhibits[exhibit].coordinates(place.row, place.column)["dataset"]
            )


@pytest.mark.parametrize("scale", ["smoke", "laptop", "paper"])
def test_similarity_is_observed_with_the_breakpoints_of_the_own_activation(scale):
    tried = {"sigmoid": [[-0.5, 0.5], [-1, 1], [-2, 2]], "relu": [[0]]}
    found = {
        (place.row, place.column): exhibit.cell(place).observation.breakpoints
        for name in ("figure5_4", "figure5_6")
        for exhibit in [Experiment.load(scale).exhibit("thesis", name)]
        for place in exhibit.places
    }
    for row in ("fcnn", "fcnn_without_bn"):
        for activation in ("sigmoid",) if scale == "smoke" else tried:
            assert found[row, activation] == {activation: tried[activation]}
    cell = next(p.cell for p in Experiment.load(scale).exhibit("thesis", "figure5_9").places)
    assert Experiment.load(scale).cell("thesis", cell).observation.breakpoints == {}


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_a_smaller_scale_shortens_every_image_training_it_runs(scale):
    cells = {
        (paper, c.cell)
        for paper, exhibit in run_exhibits()
        for c in Experiment.load(scale).exhibit(paper, exhibit).places
        if loading.load_paper(paper).recipes[c.cell.recipe].stage == "train"
    }
    assert cells
    for paper, cell in cells:
        chosen = Experiment.load(scale).cell(paper, cell).image_settings
        assert chosen.epochs is not None
        assert chosen.epochs * chosen.data_fraction <= 8  # passes over all images, to learn
        assert not isinstance(dataset(cell.dataset), FolderSet)


@pytest.mark.parametrize("paper", sorted({paper for paper, _ in run_exhibits()}))
def test_the_smoke_scale_trains_few_networks(paper):
    smoke = Experiment.load("smoke")
    folders = {
        folder
        for exhibit in loading.load_paper(paper).run_exhibits
        for c in smoke.exhibit(paper, exhibit).places
        for folder in smoke.cell(paper, c.cell).folders()
    }
    assert len(folders) <= 25


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("data", ["imagenet", "imagenet32"])
def test_data_that_has_to_be_supplied_is_replaced_below_the_printed_scale_only(scale, data):
    exhibit = {"imagenet": "table1", "imagenet32": "table2"}[data]
    used = {c.cell.dataset for c in Experiment.load(scale).exhibit("gmp", exhibit).places}
    assert isinstance(dataset(data), FolderSet)
    assert used == ({data} if scale == "paper" else {"tiny_imagenet20"})
    settings = (
        Experiment.load(scale)
        .cell("gmp", Experiment.load(scale).exhibit("gmp", exhibit).places[0].cell)
        .image_settings
    )
    assert settings.classes == (1000 if scale == "paper" else 20)


def test_a_machine_without_a_gpu_reaches_small_networks_and_what_is_selected_for_it():
    every = {e: len(Experiment.load("paper").exhibit(*e).places) for e in run_exhibits()}
    reached = {e: len(Experiment.load("paper", "cpu").exhibit(*e).places) for e in run_exhibits()}
    assert reached["gmp", "table3"] == every["gmp", "table3"] == 144
    assert reached["thesis", "table5_1"] == 4
    trained = loading.load_paper("thesis").trained, loading.load_paper("crelu").trained
    tables = [e for e in reached if any(e[1] in t for t in trained)]
    others = [e for e in tables if e not in (("gmp", "table3"), ("thesis", "table5_1"))]
    assert {reached[e] for e in others if e[0] in ("thesis", "crelu")} == {0}
    observed = Experiment.load("paper", "cpu").exhibit("thesis", "figure5_6").places
    assert len(observed) == 8  # four activations, with and without batch normalisation
    assert {c.cell.model for c in observed} == {"fcnn"}
    assert {
        c.column for c in Experiment.load("paper", "cpu").exhibit("thesis", "table5_1").places
    } == {"mnist"}


def test_a_reach_leaves_exhibits_without_cells_out_unless_a_part_is_computed():
    made = {
        name: [e.name for e in Experiment.load("paper", "cpu").exhibits(name)]
        for name in loading.paper_names()
    }
    networks = {"figure3_7", "figure4_3", "figure5_2", "figure5_4", "figure5_6", "table5_1"}
    assert {"table3_1", "figure3_2", "figure3_22", *networks} <= set(made["thesis"])
    assert not {"table3_2", "figure3_3", "figure3_11", "figure5_5"} & set(made["thesis"])
    assert made["gmp"] == ["figure1", "figure2", "figure3", "table3", "figure5", "figure6"]
    assert made["crelu"] == ["table1", "table5", "figure1", "figure2", "figure3"]
    assert made["iieu"] == ["table3", "table5", "table6", "table7"]
    assert [e.name for e in Experiment.load("paper").exhibits("gmp")] == list(
        loading.load_paper("gmp").exhibits
    )


@pytest.mark.parametrize("scale", SCALES)
def test_numbers_quoted_from_other_papers_are_run_nowhere(scale):
    quoted = {
        (name, key)
        for name in loading.paper_names()
        for key, exhibit in loading.load_paper(name).tables.items()
        if exhibit.kind == "quoted"
    }
    assert {("crelu", "table3_quoted"), ("thesis", "table6_4_quoted")} <= quoted
    made = {
        (n, k)
        for n in loading.paper_names()
        for k in [e.name for e in Experiment.load(scale).exhibits(n)]
    }
    assert not quoted & made
    for exhibit in quoted:
        assert len(Experiment.load(scale).exhibit(*exhibit).modules("analyse")) == 1  # the stage


def test_one_cell_may_be_left_out_by_its_row_and_column():
    exhibit = loading.load_exhibit("iieu", "table7")
    assert exhibit.reason_not_run("relu", "params") == "underspecified"
    assert exhibit.reason_not_run("swish", "params") is None
    assert exhibit.reason_not_run("relu", "miou") is None


def test_a_scale_without_that_reach_is_run_whole():
    assert (
        Experiment.load("smoke", "cpu").exhibit("gmp", "table1").places
        == Experiment.load("smoke").exhibit("gmp", "table1").places
    )


def test_the_records_behind_an_exhibit_are_those_of_its_runs_and_of_what_is_computed():
    found = Experiment.load("smoke").exhibit("iieu", "table5").records
    assert [path.as_posix() for path in found] == [
        "results/smoke/iieu/analyse/table5/run.json",
        "results/smoke/iieu/runs/tiny_imagenet20/resnet26-iieu_b-bn-cfg_1/seed0/run.json",
    ]
    found = Experiment.load("paper").exhibit("crelu", "table1").records
    assert len(set(found)) == len(found) == 1 + 2 * (4 * 2 * 3 + 4 * 2 * 10)  # two protocols


def test_a_protocol_may_have_models_of_its_own():
    """Eight convolutions as printed, nine under nine_layers; the recipe is the same."""
    places = Experiment.load("paper").exhibit("crelu", "table1").places
    named = {
        (place.protocol, place.cell.model, place.cell.recipe)
        for place in places
        if (place.row, place.column) == ("crelu_half", "cifar10_test")
    }
    assert named == {
        ("document", "convpool_half", "convpool"),
        ("nine_layers", "convpool_half_nine_layers", "convpool"),
    }
    models = loading.load_paper("crelu").models
    assert models["convpool_half"].network == "convpool8_half"
    assert models["convpool_half_nine_layers"].network == "convpool9_half"


def test_vgg6_starts_as_the_text_says_or_as_the_authors_code_does():
    places = Experiment.load("paper").exhibit("gmp", "table2").places
    models = loading.load_paper("gmp").models
    arguments = {place.protocol: models[place.cell.model].arguments for place in places}
    assert arguments == {
        "document": {"initialization": "document_direction"},
        "authors_code": {"initialization": "authors_code", "mean_shift": False},
    }


def uci_recipes():
    """Recipes of the readings of gmp Table 3, which have their names."""
    paper = loading.load_paper("gmp")
    return {name: paper.recipes[name] for name in paper.trained["table3"].protocols}


def test_readings_that_watch_the_test_split_are_marked_as_such():
    protocols = loading.load_paper("gmp").protocols
    marked = {name for name in uci_recipes() if protocols[name].on_test_split}
    assert marked == {name for name, recipe in uci_recipes().items() if recipe.monitor == "test"}
    assert marked == {"authors_code"}


@pytest.mark.parametrize(
    ("name", "base", "differs"),
    [
        ("cv", "document", {"lr"}),
        ("all_rows", "document", {"monitor", "splits"}),
        ("all_rows_mae", "all_rows", {"loss", "initialization"}),
        ("all_rows_code", "authors_code", {"monitor"}),
    ],
)
def test_a_reading_of_the_uci_table_differs_from_another_by_what_it_says(name, base, differs):
    one, other = (uci_recipes()[key].model_dump(exclude={"open"}) for key in (name, base))
    assert {key for key in one if one[key] != other[key]} == differs


def test_readings_of_the_uci_table_named_when_its_numbers_were_known_may_only_soften():
    protocols = loading.load_paper("gmp").protocols
    assert [name for name in uci_recipes() if protocols[name].afterwards] == [
        "all_rows",
        "all_rows_mae",
        "all_rows_code",
    ]


def test_nothing_of_the_uci_table_is_left_unread():
    """Every reading is run at the printed scale, and no choice stands beside them."""
    assert not loading.load_paper("gmp").trained["table3"].choices
    places = Experiment.load("paper").exhibit("gmp", "table3").places
    assert {place.protocol for place in places} == set(uci_recipes())
    assert len(places) == 4 * 6 * len(uci_recipes())


def test_a_grid_cell_is_the_cell_that_is_trained_for_it():
    (cell,) = [
        c
        for c in Experiment.load("paper").exhibit("gmp", "table3").places
        if (c.row, c.column, c.protocol) == ("gmp", "boston", "document")
    ]
    assert cell.cell == GMP_BOSTON


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_a_smaller_scale_changes_only_what_it_may(scale):
    printed = Experiment.load("paper").cell("gmp", GMP_BOSTON).sweep_settings
    small = Experiment.load(scale).cell("gmp", GMP_BOSTON).sweep_settings
    assert small.recipe.epochs < printed.recipe.epochs
    assert small.recipe.splits.seeds < printed.recipe.splits.seeds
    restored = small.recipe.model_copy(
        update={"epochs": printed.recipe.epochs, "splits": printed.recipe.splits}
    )
    assert restored == printed.recipe
    assert small.recipe.splits.test_fraction == printed.recipe.splits.test_fraction


def test_the_printed_scale_is_the_recipe_itself():
    settings = Experiment.load("paper").cell("gmp", GMP_BOSTON).sweep_settings
    recipe = loading.load_paper("gmp").recipes["document"]
    assert settings.recipe.epochs == recipe.epochs
    assert settings.recipe.splits == recipe.splits
    assert (settings.hidden, settings.data_fraction) == (100, 1.0)
    assert settings.recipe.splits.seeds == 10


@pytest.mark.parametrize(("row", "lr"), [("gmp", 0.1), ("sp", 0.01), ("wn", 0.01), ("bn", 0.01)])
def test_the_text_gives_gmp_ten_times_the_rate_of_the_others(row, lr):
    cell = Cell("boston", "mlp100", "relu", row, "document")
    assert Experiment.load("paper").cell("gmp", cell).sweep_settings.lr == lr


def test_the_learning_rate_of_another_row_does_not_change_a_cells_settings(edit):
    sp = Cell("boston", "mlp100", "relu", "sp", "document")
    before = [
        Experiment.load("smoke").cell("gmp", cell).sweep_settings.model_dump_json()
        for cell in (sp, GMP_BOSTON)
    ]
    edit("papers/gmp/paper.yaml", "gmp: 0.1}\n    batch", "gmp: 0.2}\n    batch")
    after = [
        Experiment.load("smoke").cell("gmp", cell).sweep_settings.model_dump_json()
        for cell in (sp, GMP_BOSTON)
    ]
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_prose_does_not_change_a_cells_settings(edit):
    before = Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings
    edit("papers/gmp/paper.yaml", "squared error, whose root", "the squared error, whose root")
    assert Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings == before


def asked_of_checks():
    """What decides whether the statements of a paper are judged again: see rules/analyse.smk."""
    checks = loading.load_paper("gmp").checked
    return checks, [printed_digests("gmp", target) for target in checks.values()]


def test_the_words_of_a_claim_do_not_rerun_its_check_but_are_written_anew(edit):
    before, audited = asked_of_checks(), loading.load_paper("gmp").model_dump_json()
    cell = Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings
    words = "In sharp contrast, even a small perturbation"  # of small_perturbation_is_drastic
    edit("papers/gmp/paper.yaml", words, "Even a small perturbation")
    edit("papers/gmp/paper.yaml", "lines: [166, 166]", "lines: [166, 167]")
    edit("papers/gmp/paper.yaml", "says: Even a perturbation", "says: A perturbation")
    edit("papers/gmp/headlines.yaml", "    note: ", "    note: Indeed, ")
    assert asked_of_checks() == before
    assert Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings == cell
    assert loading.load_paper("gmp").model_dump_json() != audited


def test_width_and_data_fraction_of_a_scale_reach_the_settings(edit):
    edit("papers/gmp/scales.yaml", "{epochs: 40, seeds: 2}", "{width: 0.25, data_fraction: 0.5}")
    settings = Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings
    assert (settings.hidden, settings.data_fraction) == (25, 0.5)


def test_a_recipe_like_another_differs_in_the_keys_it_writes_only():
    recipes = loading.load_paper("gmp").recipes
    text, code, cv = (recipes[name] for name in ("document", "authors_code", "cv"))
    assert cv.model_copy(update={"lr": text.lr, "open": text.open}) == text
    assert isinstance(cv.lr, ChosenLr)
    assert (code.epochs, code.plateau, code.stop) == (text.epochs, text.plateau, text.stop)
    assert (code.monitor, code.loss, code.batch_size) == ("test", "mae", 1024)


def test_cross_validation_has_no_rate_of_its_own():
    cell = Cell("boston", "mlp100", "relu", "gmp", "cv")
    settings = Experiment.load("laptop").cell("gmp", cell).sweep_settings
    assert settings.lr is None
    assert settings.recipe.lr.choose_from == [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]


DOCUMENTS = "reactivate.documents."


def functions():
    """Every function that computes, draws or checks something, by the claim that needs it."""
    with chdir(ROOT):
        targets = {
            f"{name}/{key} {stage}": target
            for name in loading.paper_names()
            for key in loading.load_paper(name).exhibits
            for stage in ("analyse", "plot")
            for target in Experiment.load("paper").exhibit(name, key).modules(stage)
            if target.startswith(DOCUMENTS)
        }
        for name in loading.paper_names():
            paper = loading.load_paper(name)
            targets |= {f"{name}/{key}": target for key, target in paper.checked.items()}
            targets |= {f"{name}/{key} own": target for key, target in paper.own_tables.items()}
    return targets


@pytest.mark.parametrize(("_name", "target"), sorted(functions().items()))
def test_a_function_named_by_the_configuration_exists(_name, target):
    module, _, attribute = target.partition(":")
    path = ROOT / "workflow" / Path(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    given = [node for node in tree.body if isinstance(node, ast.Assign)]  # such as partials
    named |= {name.id for node in given for name in node.targets if isinstance(name, ast.Name)}
    assert attribute in named


def test_a_cells_code_is_its_stage_activation_and_parameterization():
    assert Experiment.load("paper").cell("gmp", GMP_BOSTON).modules() == (
        "reactivate.stages.sweep",
        "torch.nn:ReLU",
        "reactivate.layers.batched.gmp:GeometricUnits",
    )


def test_an_image_networks_code_is_its_stage_activation_parameterization_and_network():
    cell = Cell("cifar10", "vgg16_init", "gelu", "bn", "chapter3")
    assert Experiment.load("paper").cell("thesis", cell).modules() == (
        "reactivate.stages.train",
        "torch.nn:GELU",
        "reactivate.layers.parameterizations:batch_normalized",
        "reactivate.models.vgg:VGG16",
    )


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_a_smaller_scale_changes_of_image_networks_only_what_it_may(scale):
    cells = {
        (paper, c.cell)
        for paper, exhibit in run_exhibits()
        for c in Experiment.load(scale).exhibit(paper, exhibit).places
        if loading.load_paper(paper).recipes[c.cell.recipe].stage == "train"
    }
    for paper, cell in cells:
        limits = loading.load_paper_scales(paper)[scale].recipes[cell.recipe]
        recipe = loading.load_paper(paper).recipes[cell.recipe]
        small = Experiment.load(scale).cell(paper, cell).image_settings
        rate = recipe.lr.get(cell.parameterization, recipe.lr["default"])
        factors = limits.lr_factor or {"default": 1}
        assert small.lr == rate * factors.get(cell.parameterization, factors["default"])
        kept = ("batch_size", "lr", "open", "seeds", "initialization")  # chosen by the cell
        restored = small.recipe.model_copy(update={name: getattr(recipe, name) for name in kept})
        assert restored == recipe
        assert small.recipe.batch_size == (limits.batch_size or recipe.batch_size)
        printed = loading.load_paper(paper).models[cell.model]
        assert small.model.width == printed.width * (limits.width or 1)
        given = printed.arguments | limits.arguments
        if limits.dropout_factor is not None:
            given["dropout_factor"] = limits.dropout_factor
        assert small.model == printed.model_copy(
            update={"width": small.model.width, "arguments": given}
        )
        raised = loading.load_seeds(paper).get(scale, {}).get(cell, 0)
        assert Experiment.load(scale).cell(paper, cell).seeds <= max(recipe.seeds, raised)


def test_prose_and_the_number_of_seeds_do_not_change_an_image_networks_settings(edit):
    cell = Cell("cifar10", "vgg16_init", "gelu", "bn", "chapter3")
    before = Experiment.load("paper").cell("thesis", cell).image_settings
    edit("papers/thesis/chapter3.yaml", "no momentum, no weight decay: the", "none of both: the")
    edit("papers/thesis/chapter3.yaml", "    seeds: 3\n", "    seeds: 4\n")
    assert Experiment.load("paper").cell("thesis", cell).seeds == 4
    assert Experiment.load("paper").cell("thesis", cell).image_settings == before


VGG16 = Cell("cifar10", "vgg16_init", "gelu", "bn", "chapter3")


@pytest.mark.parametrize(
    ("ask", "paper", "cell", "stage"),
    [
        (RunCell.sweep_settings, "thesis", VGG16, "stage train"),
        (RunCell.image_settings, "gmp", GMP_BOSTON, "stage sweep"),
    ],
)
def test_a_cell_of_another_stage_is_refused_with_the_one_that_trains_it(ask, paper, cell, stage):
    with pytest.raises(ValueError, match=stage):
        ask.fget(Experiment.load("smoke").cell(paper, cell))


def test_a_cells_settings_are_those_of_the_stage_that_trains_it():
    image = Cell("cifar10", "vgg16_init", "gelu", "bn", "chapter3")
    assert (
        Experiment.load("smoke").cell("thesis", image).settings
        == Experiment.load("smoke").cell("thesis", image).image_settings
    )
    assert (
        Experiment.load("smoke").cell("gmp", GMP_BOSTON).settings
        == Experiment.load("smoke").cell("gmp", GMP_BOSTON).sweep_settings
    )
