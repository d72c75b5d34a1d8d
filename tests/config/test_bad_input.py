"""A mistake in the configuration is one clear message: file, key, value, what is accepted."""

import pytest
from reactivate import papers
from reactivate.runs import Cell

GMP = "papers/gmp.yaml"
SCALES = "scales.yaml"
BAD = {
    "unknown key of a recipe": (
        [(GMP, "    loss: mse", "    lost: mse")],
        ["config/papers/gmp.yaml: recipes.document: unknown key 'lost'", "did you mean loss?"],
    ),
    "unknown key of an exhibit": (
        [(GMP, "    locator: Table 3", "    loctor: Table 3")],
        [
            "config/papers/gmp.yaml: exhibits.table3",
            "unknown key 'loctor'",
            "did you mean locator?",
        ],
    ),
    "unknown key of a paper": (
        [(GMP, "\nmodels:", "\nmodel:")],
        ["config/papers/gmp.yaml: unknown key 'model'", "did you mean models?"],
    ),
    "missing key": (
        [(GMP, "    epochs: 5000\n", "")],
        ["config/papers/gmp.yaml: recipes.document.epochs is missing; add it"],
    ),
    "a word where a number is due": (
        [(GMP, "    epochs: 5000", "    epochs: many")],
        ["recipes.document.epochs is 'many'", "valid integer"],
    ),
    "a number with a point where a count is due": (
        [(GMP, "    epochs: 5000", "    epochs: 5000.5")],
        ["recipes.document.epochs is 5000.5", "valid integer"],
    ),
    "a word that is not among the accepted": (
        [(GMP, "    loss: mse", "    loss: msee")],
        ["recipes.document.loss is 'msee'", "'mse' or 'mae'"],
    ),
    "a fraction above one": (
        [(GMP, "test_fraction: 0.2", "test_fraction: 1.2")],
        ["recipes.document.splits.test_fraction is 1.2", "less than 1"],
    ),
    "a patience of zero": (
        [(GMP, "stop: {patience: 100}", "stop: {patience: 0}")],
        ["recipes.document.stop.patience is 0", "greater than or equal to 1"],
    ),
    "validation without data": (
        [(GMP, "validation_fraction: 0.2", "validation_fraction: 0")],
        ["recipes.document", "monitor: validation needs splits.validation_fraction above 0"],
    ),
    "misspelt activation": (
        [(GMP, "activation: relu", "activation: rleu")],
        ["config/papers/gmp.yaml: unknown activation 'rleu'", "relu", "activations/__init__.py"],
    ),
    "misspelt dataset": (
        [(GMP, "wine, yacht]", "wine, yatch]")],
        [
            "config/papers/gmp.yaml: unknown dataset 'yatch'",
            "did you mean yacht?",
            "datasets.yaml",
        ],
    ),
    "misspelt parameterization": (
        [(GMP, "[sp, wn, bn, gmp]", "[sp, wm, bn, gmp]"), (GMP, "      wn: [", "      wm: [")],
        ["config/papers/gmp.yaml: unknown parameterization 'wm'", "Known: bn, gmp, sp, wn"],
    ),
    "misspelt model": (
        [(GMP, "model: mlp100", "model: mlp10")],
        ["config/papers/gmp.yaml: unknown model 'mlp10'", "did you mean mlp100?"],
    ),
    "misspelt recipe": (
        [(GMP, "protocols: [document, authors_code", "protocols: [document, author_code")],
        ["unknown recipe 'author_code'", "did you mean authors_code?", "config/papers/gmp.yaml"],
    ),
    "a protocol nobody explains": (
        [(GMP, "\n  cv: As document, the", "\n  cw: As document, the")],
        ["config/papers/gmp.yaml: protocols does not say what 'cv' is"],
    ),
    "a learning rate of an unknown parameterization": (
        [(GMP, "lr: {default: 0.01, gmp: 0.1}", "lr: {default: 0.01, gpm: 0.1}")],
        ["recipes.document.lr: unknown parameterization 'gpm'", "did you mean gmp", "default"],
    ),
    "a learning rate for some only": (
        [(GMP, "lr: {default: 0.01, gmp: 0.1}", "lr: {gmp: 0.1}")],
        ["config/papers/gmp.yaml: recipes.document.lr.default is missing; add it"],
    ),
    "a recipe like one that is not there": (
        [(GMP, "    like: document", "    like: dokument")],
        ["recipes.authors_code.like is 'dokument'", "accepted: a recipe written above it"],
    ),
    "a list where recipes are due": (
        [(GMP, "\nrecipes:\n", "\nrecipes: [adam]\nignored:\n")],
        ["config/papers/gmp.yaml: recipes is ['adam']", "accepted: a mapping"],
    ),
    "too few printed numbers": (
        [(GMP, ', "0.584±0.046"]', "]")],
        [
            "config/papers/gmp.yaml: exhibits.table3",
            "printed.gmp has 5 numbers for 6 columns "
            "(boston, concrete, energy, power, wine, yacht)",
        ],
    ),
    "too many printed numbers": (
        [(GMP, '"0.584±0.046"]', '"0.584±0.046", "1.0"]')],
        ["exhibits.table3", "printed.gmp has 7 numbers for 6 columns"],
    ),
    "a printed row that is not in the grid": (
        [(GMP, "      wn: [", "      nw: [")],
        ["exhibits.table3", "printed has the rows sp, nw, bn, gmp, but rows lists sp, wn, bn"],
    ),
    "a number without quotes": (
        [(GMP, '"0.613±0.006"', "0.613")],
        ["config/papers/gmp.yaml: exhibits.table3", "printed.gmp holds 0.613 without quotes"],
    ),
    "a printed number that cannot be read": (
        [(GMP, '"0.613±0.006"', '"0.613+-0.006"')],
        ["exhibits.table3", "cannot read '0.613+-0.006' as a printed number", "'92.60±0.12'"],
    ),
    "a key written twice": (
        [(GMP, "    loss: mse", "    loss: mse\n    loss: mae")],
        ["config/papers/gmp.yaml: the key 'loss' is written twice", "line "],
    ),
    "text that is not YAML": (
        [(GMP, "paper: gmp\n", "paper: [gmp\n")],
        ["config/papers/gmp.yaml: ", "line "],
    ),
    "a model that cannot be part of a path": (
        [(GMP, "  mlp100: {", "  mlp-100: {"), (GMP, "model: mlp100", "model: mlp-100")],
        ["'mlp-100' cannot be part of a result path: use only a-z, 0-9 and _"],
    ),
    "a recipe that cannot be part of a path": (
        [
            (GMP, "  authors_code:", "  authors-code:"),
            (GMP, "[document, authors_code", "[document"),
        ],
        ["'authors-code' cannot be part of a result path", "config/papers/gmp.yaml"],
    ),
    "an exhibit that leaves its folder": (
        [(GMP, "  table3:\n", "  ../table3:\n")],
        ["'../table3' cannot be part of a result path"],
    ),
    "an axis named twice": (
        [
            (
                GMP,
                "fixed: {model: mlp100, activation: relu}",
                "fixed: {model: mlp100, dataset: wine}",
            )
        ],
        ["exhibits.table3", "dataset, model, activation, parameterization once"],
    ),
    "a file with another paper's name": (
        [(GMP, "paper: gmp\n", "paper: gnp\n")],
        ["config/papers/gmp.yaml: paper is 'gnp', but the file is named 'gmp'"],
    ),
    "a claim on an unknown exhibit": (
        [
            (
                GMP,
                "check: {exhibit: table3, best: gmp, where: every",
                "check: {exhibit: table4, best: gmp, where: every",
            )
        ],
        ["exhibit 'table4'", "did you mean table3?", "claims.gmp_best", "config/papers/gmp.yaml"],
    ),
    "a claim on an unknown row": (
        [(GMP, "best: gmp, where: every", "best: gpm, where: every")],
        ["unknown row 'gpm'", "did you mean gmp", "claims.gmp_best", "config/papers/gmp.yaml"],
    ),
    "a claim on an unknown protocol": (
        [(GMP, "default: 0.01}, protocol: cv}", "default: 0.01}, protocol: vc}")],
        ["unknown protocol 'vc'", "Known: authors_code, cv, document", "claims.optimal_lr"],
    ),
    "a chosen rate of an unknown row": (
        [(GMP, "chosen_lr: {gmp: 0.1", "chosen_lr: {gpm: 0.1")],
        ["unknown row 'gpm'", "claims.optimal_lr of config/papers/gmp.yaml"],
    ),
    "a chosen rate for some rows only": (
        [(GMP, "chosen_lr: {gmp: 0.1, default: 0.01}", "chosen_lr: {gmp: 0.1}")],
        ["chosen_lr.default is missing", "claims.optimal_lr of config/papers/gmp.yaml"],
    ),
    "a claim that asks two things": (
        [(GMP, "{exhibit: table3, chosen_lr:", "{exhibit: table3, best: gmp, chosen_lr:")],
        ["claims.optimal_lr.check", "a check needs exactly one of best, chosen_lr and function"],
    ),
    "an unknown kind of exhibit": (
        [(GMP, "    kind: trained", "    kind: traind")],
        ["exhibits.table3.kind is 'traind'", "'trained', 'computed', 'figure'"],
    ),
    "a function outside the package": (
        [("papers/thesis.yaml", '"reactivate.analyses.thesis_functions:', '"os:')],
        ["config/papers/thesis.yaml: exhibits.figure3_2", "'os:figure3_2'"],
    ),
    "a row not run that is not there": (
        [("papers/iieu.yaml", "not_run: {relu_top1:", "not_run: {rleu_top1:")],
        ["config/papers/iieu.yaml: exhibits.table3", "not_run names 'rleu_top1'"],
    ),
    "a claim judged by a function and an exhibit": (
        [
            (
                GMP,
                'check: {function: "reactivate.analyses.gmp:theorem3_bound"}',
                'check: {exhibit: table3, function: "reactivate.analyses.gmp:theorem3_bound"}',
            )
        ],
        ["claims.theorem3_bound.check", "need an exhibit, a function takes none"],
    ),
    "a scale that changes what it may not": (
        [(SCALES, "document: {epochs: 40, seeds: 2}", "document: {epochs: 40, loss: mae}")],
        [
            "config/scales.yaml: smoke.recipes.gmp.document: unknown key 'loss'",
            "Known: data_fraction, draws, epochs, seeds, width",
        ],
    ),
    "a scale with a fraction above one": (
        [(SCALES, "data_fraction: 0.5", "data_fraction: 1.5")],
        ["config/scales.yaml: laptop.recipes.gmp.cv.data_fraction is 1.5", "less than or equal"],
    ),
    "the printed protocol, limited": (
        [
            (
                SCALES,
                "  says: the printed protocol",
                "  says: x\n  recipes: {gmp: {cv: {seeds: 1}}}",
            )
        ],
        ["config/scales.yaml: paper.recipes", "the scale 'paper' is the printed protocol"],
    ),
    "a limit on an unknown recipe": (
        [(SCALES, "document: {epochs: 40, seeds: 2}", "dokument: {epochs: 40}")],
        ["config/scales.yaml: smoke.recipes.gmp names 'dokument'", "document, authors_code, cv"],
    ),
    "a limit on an unknown paper": (
        [(SCALES, "smoke:\n", "smoke:\n  says: x\n  recipes: {gnp: {}}\nother:\n")],
        ["config/scales.yaml: smoke: unknown paper 'gnp'", "did you mean gmp?"],
    ),
    "a selected row that is not there": (
        [(SCALES, "rows: [sp, gmp]", "rows: [sp, gpm]")],
        ["unknown row 'gpm'", "Known: bn, gmp, sp, wn", "config/scales.yaml: smoke"],
    ),
    "a selected column that is not there": (
        [(SCALES, "columns: [boston, yacht]", "columns: [boston, yatch]")],
        ["unknown column 'yatch'", "did you mean yacht?", "config/scales.yaml: smoke"],
    ),
    "a selected protocol that is not there": (
        [(SCALES, "protocols: [document], rows", "protocols: [dokument], rows")],
        ["unknown protocol 'dokument'", "did you mean document?", "config/scales.yaml: smoke"],
    ),
    "a selected exhibit that is not there": (
        [(SCALES, "table3: {protocols: [document], rows", "table4: {protocols: [document], rows")],
        ["exhibit 'table4'", "Known: table3", "config/scales.yaml: smoke"],
    ),
    "scales that are a list": (
        [(SCALES, "smoke:", "- smoke\n- laptop\n---\nsmoke:")],
        ["config/scales.yaml"],
    ),
}


def load_everything():
    for name in papers.paper_names():
        papers.load_paper(name)
    papers.load_scales()


@pytest.mark.parametrize("mistake", sorted(BAD))
def test_a_mistake_is_named_with_its_file_value_and_what_is_accepted(edit, mistake):
    changes, expected = BAD[mistake]
    for change in changes:
        edit(*change)
    with pytest.raises(ValueError) as error:
        load_everything()
    message = str(error.value)
    assert [part for part in expected if part not in message] == [], message


def test_the_copied_configuration_is_good_before_it_is_broken(project):
    load_everything()


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda: papers.load_paper("gnp"), "unknown paper 'gnp'; did you mean gmp?"),
        (lambda: papers.load_scale("labtop"), "unknown scale 'labtop'; did you mean laptop?"),
        (lambda: papers.load_exhibit("gmp", "table33"), "unknown exhibit 'table33'; did you mean"),
        (lambda: papers.grid("smoke", "gmp", "table33"), "unknown exhibit 'table33'; did you"),
    ],
)
def test_an_unknown_name_on_a_command_line_is_answered_with_the_known_ones(project, ask, expected):
    with pytest.raises(ValueError, match="Known: ") as error:
        ask()
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("coordinates", "expected"),
    [
        (("boston", "mlp100", "relu", "gmp", "dokument"), "unknown recipe 'dokument'"),
        (("boston", "mlp10", "relu", "gmp", "document"), "unknown model 'mlp10'"),
        (("bosten", "mlp100", "relu", "gmp", "document"), "unknown dataset 'bosten'"),
        (("boston", "mlp100", "rleu", "gmp", "document"), "unknown activation 'rleu'"),
        (("boston", "mlp100", "relu", "gpm", "document"), "unknown parameterization 'gpm'"),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [lambda cell: papers.settings("smoke", "gmp", cell), lambda cell: papers.modules("gmp", cell)],
    ids=["settings", "code"],
)
def test_a_cell_with_an_unknown_coordinate_is_refused(project, coordinates, expected, ask):
    with pytest.raises(ValueError, match=r"config/papers/gmp\.yaml: ") as error:
        ask(Cell(*coordinates))
    assert expected in str(error.value)


@pytest.mark.parametrize("name", ["mlp-100", "MLP", "a/b", "", "ä", "a b", ".."])
def test_a_cell_whose_name_cannot_be_a_path_is_refused(name):
    with pytest.raises(ValueError, match="cannot be part of a result path") as error:
        Cell("boston", name, "relu", "gmp", "document")
    assert repr(name) in str(error.value)
    assert "use only a-z, 0-9 and _" in str(error.value)


@pytest.mark.parametrize("stem", ["mlp100-relu-gmp", "mlp100-relu-gmp-document-x", ""])
def test_a_path_that_is_not_a_cell_is_refused(stem):
    with pytest.raises(ValueError, match="expected model-activation-parameterization-recipe"):
        Cell.parse("boston", stem)


def test_from_another_folder_the_configuration_is_not_silently_empty(
    tmp_path, project, monkeypatch
):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="run from the folder of the Snakefile"):
        papers.load_scales()
