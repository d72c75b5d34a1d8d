"""An analysis is measured once and drawn from its values; what it read is named and judged."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from matplotlib.figure import Figure
from reactivate.auditing import analysed_claims
from reactivate.commands.publish import _exhibit_files
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import observation_folder
from reactivate.foundation.files import sha256
from reactivate.judging.replicates import Effect
from reactivate.stages import analyse, check, plot
from reactivate.stages.audit import judge

ROOT = Path(__file__).parents[3]
TARGET = "reactivate.documents.thesis.chapter3.figures3_7_to_3_18:over_training"
SHOWN = {
    "title": "A title.",
    "locator": "Figure 9",
    "function": TARGET,
    "picture": "reactivate.documents.thesis.chapter3.figures3_7_to_3_18_picture:weights",
}
CELLS = {
    "rows": {"network": {"fcnn": {"model": "fcnn", "recipe": "fcnn"}}},
    "columns": {"activation": ["sigmoid", "relu"]},
    "fixed": {"dataset": "mnist", "parameterization": "bn"},
    "protocols": ["document"],
}
EXHIBITS = {
    "alone": {**SHOWN, "kind": "analysed", "settings": {"repeats": 50}, "datasets": ["boston"]},
    "trained": {**SHOWN, **CELLS, "kind": "networks"},
    "seen": {**SHOWN, **CELLS, "kind": "observed"},
}
SMOKE = {"says": "little", "reaches": {"half": "one"}}
LIMITS = {
    "recipes": {"fcnn": {}},
    "settings": {"alone": {"repeats": 2}},
    "observations": {"fcnn": {"every": 6000}},
    "reaches": {"half": {"seen": {"columns": ["relu"]}}},
}
FOLDER = Path("results/smoke/thesis")
SAID = {
    "locator": "Section 9",
    "kind": "comparison",
    "says": "So it is.",
    "quote": "so it is",
    "lines": [1, 1],
    "effect": {"number": "value", "replicate": "seed"},
    "would_change": "More seeds.",
}


@pytest.fixture
def papers():
    """The thesis with one analysis of each kind, and a statement about two of them."""
    own = ROOT / "config/papers/thesis"
    paper, chapter = (
        yaml.safe_load((own / name).read_text(encoding="utf-8"))
        for name in ("paper.yaml", "chapter3.yaml")
    )
    chapter["exhibits"], chapter["findings"] = EXHIBITS, {}
    chapter["claims"] = {
        name: {**SAID, "check": {"exhibit": name, **asked}}
        for name, asked in (
            ("alone", {"judge": "reactivate.documents.shared.judging:alone"}),
            ("seen", {"judge": "reactivate.documents.shared.judging:seen", "columns": ["relu"]}),
        )
    }
    return {"thesis/paper.yaml": paper, "thesis/chapter3.yaml": chapter}


@pytest.fixture
def project(unrun, configure, papers):
    configure(SMOKE, {"thesis": LIMITS}, papers)
    return unrun


@pytest.fixture
def functions(monkeypatch):
    """``functions[target] = function`` stands in for the functions that the config names."""
    found = {}
    for module in (analyse, check, plot, analysed_claims):
        monkeypatch.setattr(module, "load_function", lambda target: found[target])
    return found


@pytest.fixture
def observed(leave_record):
    """``observed(column, values)``: leaves a made-up observation; its record."""
    return lambda column, values: observe(leave_record, column, values)


def observe(leave_record, column, values):
    places = Experiment.load("smoke").exhibit("thesis", "seen").places
    cell = next(place.cell for place in places if place.column == column)
    folder = observation_folder("smoke", "thesis", cell, 0)
    folder.mkdir(parents=True)
    pd.DataFrame({"step": [0, 1], "value": values}).to_csv(folder / "network.csv", index=False)
    known = {"paper": "thesis", "scale": "smoke", "cell": cell, "seeds": [0]}
    return leave_record(folder, stage="observe", code="now", **known)


def record(name):
    return json.loads((FOLDER / "analyse" / name / "run.json").read_text(encoding="utf-8"))


def test_a_function_is_called_with_the_settings_of_the_scale(project, functions):
    functions[TARGET] = lambda repeats: pd.DataFrame({"repeat": range(repeats)})
    analyse.analyse("smoke", "thesis", "alone")
    assert len(pd.read_csv(FOLDER / "analyse/alone/values.csv")) == 2
    assert record("alone")["settings"] == {"repeats": 2}
    sums = Path("data/prepared/boston.safetensors.sha256")
    assert record("alone")["read"] == [{"file": sums.as_posix(), "sha256": sha256(sums)}]


def test_observations_are_read_with_their_places_and_named(project, functions, observed):
    records = [observed("sigmoid", [1.0, 2.0]), observed("relu", [3.0, 4.0])]
    functions[TARGET] = lambda seen: seen.table("network")
    analyse.analyse("smoke", "thesis", "seen")
    values = pd.read_csv(FOLDER / "analyse/seen/values.csv")
    assert values.groupby("column")["value"].sum().to_dict() == {"sigmoid": 3.0, "relu": 7.0}
    assert record("seen")["read"] == [
        {"file": path.as_posix(), "sha256": sha256(path)} for path in records
    ]


def test_a_changed_observation_is_not_analysed(project, functions, observed):
    changed = observed("sigmoid", [1.0, 2.0]).with_name("network.csv")
    observed("relu", [3.0, 4.0])
    changed.write_text("step,value\n0,9\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"network\.csv: sha256 is"):
        analyse.analyse("smoke", "thesis", "seen")


def test_networks_are_handed_over_with_their_folders(project, functions, pretend):
    pretend("smoke", "thesis", "trained")

    def looked(networks):
        return pd.DataFrame([{"row": n.place[0], "folder": n.folder.as_posix()} for n in networks])

    functions[TARGET] = looked
    analyse.analyse("smoke", "thesis", "trained")
    folders = pd.read_csv(FOLDER / "analyse/trained/values.csv")["folder"]
    assert [Path(folder).name for folder in folders] == ["seed0", "seed0"]


def test_a_picture_is_drawn_from_the_values_and_says_the_settings(project, functions):
    functions[TARGET] = lambda repeats: pd.DataFrame({"repeat": range(repeats)})
    drawn = []
    functions[SHOWN["picture"]] = lambda numbers: drawn.append(numbers) or Figure()
    analyse.analyse("smoke", "thesis", "alone")
    plot.plot("smoke", "thesis", "alone")
    values = FOLDER / "analyse/alone/values.csv"
    assert (FOLDER / "alone.csv").read_bytes() == values.read_bytes()
    assert len(drawn[0]) == 2
    evidence = json.loads((FOLDER / "alone.provenance.json").read_text(encoding="utf-8"))
    assert evidence["caption"].endswith("Figure 9: A title. Scale smoke: repeats 2.")
    assert evidence["record"]["read"] == [
        {
            "file": (FOLDER / "analyse/alone/run.json").as_posix(),
            "sha256": sha256(FOLDER / "analyse/alone/run.json"),
        }
    ]


@pytest.mark.parametrize("reach", ["half", "all"])
def test_a_statement_is_judged_from_the_cells_it_names(project, functions, observed, reach):
    observed("sigmoid", [1.0, 2.0])
    observed("relu", [3.0, 4.0])
    functions[TARGET] = lambda *seen, **settings: pd.DataFrame({"value": [1]})
    for name in ("alone", "seen"):
        analyse.analyse("smoke", "thesis", name, reach)
        functions[f"reactivate.documents.shared.judging:{name}"] = lambda n: Effect(
            (*n["value"], 1.1, 1.2)
        )
    check.check("smoke", "thesis", reach)
    row = next(
        row
        for row in judge(Experiment.load("smoke", reach), "thesis")
        if row.claim.endswith("/seen")
    )
    assert (row.verdict, row.n, row.effect) == ("holds", "3", "1.1")


def test_a_claim_that_is_younger_than_the_judgements_is_not_run(configure, papers, functions):
    configure(SMOKE, {"thesis": {**LIMITS, "exhibits": {"seen": {"rows": []}}}}, papers)
    functions[TARGET] = lambda repeats: pd.DataFrame({"repeat": range(repeats)})
    functions["reactivate.documents.shared.judging:alone"] = lambda n: Effect((1.0,))
    analyse.analyse("smoke", "thesis", "alone")
    check.check("smoke", "thesis")
    claims = papers["thesis/chapter3.yaml"]["claims"]
    claims["younger"] = claims["alone"]
    configure(SMOKE, {"thesis": {**LIMITS, "exhibits": {"seen": {"rows": []}}}}, papers)
    rows = {row.claim.split("/")[-1]: row for row in judge(Experiment.load("smoke"), "thesis")}
    assert rows["younger"].verdict == "not_run(compute)"
    assert "claims.json was made before the claim" in rows["younger"].reason
    assert rows["alone"].verdict != rows["younger"].verdict


def test_a_statement_about_what_is_not_run_is_not_judged(configure, papers, functions):
    configure(SMOKE, {"thesis": {**LIMITS, "exhibits": {"seen": {"rows": []}}}}, papers)
    functions[TARGET] = lambda repeats: pd.DataFrame({"repeat": range(repeats)})
    functions["reactivate.documents.shared.judging:alone"] = lambda n: Effect((1.0,))
    analyse.analyse("smoke", "thesis", "alone")
    check.check("smoke", "thesis")
    found = json.loads((FOLDER / "analyse/claims.json").read_text(encoding="utf-8"))["claims"]
    assert found["seen"]["judgement"]["verdict"] == "not_run(compute)"


def test_what_an_analysis_reads_is_published_with_it(project, functions, observed, monkeypatch):
    path = observed("sigmoid", [1.0, 2.0])
    observed("relu", [3.0, 4.0])
    functions[TARGET] = lambda seen: seen.table("network")
    functions[SHOWN["picture"]] = lambda numbers: Figure()
    monkeypatch.setattr("reactivate.auditing.currency.code_digest", lambda *targets: "now")
    monkeypatch.setattr("reactivate.stages.analyse.code_digest", lambda *targets: "now")
    monkeypatch.setattr("reactivate.stages.plot.code_digest", lambda *targets: "now")
    analyse.analyse("smoke", "thesis", "seen")
    plot.plot("smoke", "thesis", "seen")
    names = {file.as_posix() for file in _exhibit_files("smoke", "thesis", "seen", [])}
    assert path.as_posix() in names
    assert path.with_name("network.csv").as_posix() not in names  # the figure has its numbers
    assert (FOLDER / "seen.png").as_posix() in names
    assert (FOLDER / "analyse/seen/run.json").as_posix() in names
    assert (FOLDER / "analyse/seen/values.csv").as_posix() not in names  # they are seen.csv


def test_observations_become_sparser_at_a_smaller_scale(project):
    smoke, network = Experiment.load("smoke"), ("mnist", "fcnn", "relu", "bn")
    seen = smoke.cell("thesis", Cell(*network, "fcnn")).observation
    assert (seen.every, seen.pairs) == (6000, 1000)
    with pytest.raises(ValueError, match="unknown observed recipe 'chapter3_authors_code'"):
        _ = smoke.cell("thesis", Cell(*network, "chapter3_authors_code")).observation
