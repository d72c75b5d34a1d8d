"""A table of image networks: a folder per seed, votes, computed columns, stand-ins, epochs."""

import json
import math
import re
from pathlib import Path

import pandas as pd
import pytest
from reactivate.commands.publish import publish
from reactivate.evidence.predictions import vote_of
from reactivate.experiment.loading import load_exhibit, paper_names
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.files import sha256, write_json
from reactivate.stages.analyse import analyse
from reactivate.stages.audit import audit
from reactivate.stages.join import join
from reactivate.stages.tabulate import tabulate

ROOT = Path(__file__).parents[3]
CRELU, IIEU = Path("results/smoke/crelu"), Path("results/smoke/iieu")
SMOKE = {
    "says": "made up",
    "stand_ins": {"imagenet": "cifar100", "imagenet32": "cifar100"},
    "reaches": {"nowhere": "no image network"},
}
LIMITS = {
    "crelu": {
        "recipes": {"convpool": {"seeds": 2}, "convpool_folds": {"seeds": 3}, "allcnn_sgd": {}},
        "exhibits": {
            "table1": {
                "protocols": ["document"],
                "rows": ["crelu_half"],
                "columns": ["cifar10_test", "cifar10_average", "cifar10_vote"],
            },
            "table4": {"rows": ["baseline"]},
        },
    },
    "iieu": {
        "recipes": {"cfg_1": {}},
        "exhibits": {"table1": {"protocols": ["document"], "columns": ["relu", "iieu_b"]}},
    },
}
KEPT = {"crelu": ("table1", "table4"), "iieu": ("table1",)}


def audit_scale(scale, reach="all"):
    """Audits every paper at a scale, and joins their audits."""
    for paper in paper_names():
        audit(scale, paper, reach)
    join(scale, reach)


@pytest.fixture
def trained(unrun, configure, pretend):
    """Made-up runs of three tables; what a function computes of one is computed."""
    papers = {}
    for name, kept in KEPT.items():
        content = read_yaml(ROOT / f"config/papers/{name}/paper.yaml")
        content["exhibits"] = {key: content["exhibits"][key] for key in kept}
        content["claims"] = content["findings"] = {}
        papers[f"{name}/paper.yaml"] = content
    configure(SMOKE, LIMITS, papers)
    analyse("smoke", "crelu", "table1")
    return {
        (name, exhibit): pretend("smoke", name, exhibit)
        for name, kept in KEPT.items()
        for exhibit in kept
    }


def cells(folder, exhibit):
    content = json.loads((folder / f"{exhibit}.provenance.json").read_text(encoding="utf-8"))
    return {(c["row"], c["column"]): c for c in content["cells"]}


def caption(folder, exhibit):
    return (folder / f"{exhibit}.md").read_text(encoding="utf-8").splitlines()[0]


def folders_of(trained, table, recipe):
    (found,) = [f for cell, f in trained[table].items() if cell.recipe == recipe]
    return found


@pytest.mark.parametrize(
    ("column", "recipe", "seeds"),
    [("cifar10_test", "convpool", 2), ("cifar10_average", "convpool_folds", 3)],
)
def test_a_cell_has_one_number_and_one_record_per_seed(trained, column, recipe, seeds):
    tabulate("smoke", "crelu", "table1")
    folders = folders_of(trained, ("crelu", "table1"), recipe)
    cell = cells(CRELU, "table1")["crelu_half", column]
    assert cell["values"] == [pd.read_csv(f / "metrics.csv")["error"][0] for f in folders]
    assert cell["n"] == len(folders) == seeds
    assert cell["records"] == [
        {"record": (f / "run.json").as_posix(), "sha256": sha256(f / "run.json")} for f in folders
    ]


def test_a_vote_is_one_number_of_all_seeds(trained):
    tabulate("smoke", "crelu", "table1")
    folders = folders_of(trained, ("crelu", "table1"), "convpool_folds")
    cell = cells(CRELU, "table1")["crelu_half", "cifar10_vote"]
    assert cell["values"] == [vote_of(folders)]
    assert (cell["n"], cell["standard_error"], len(cell["records"])) == (1, None, 3)


def test_computed_columns_stand_beside_trained_ones(trained):
    tabulate("smoke", "crelu", "table1")
    found = cells(CRELU, "table1")
    assert {row for row, column in found if column == "params"} == {
        "baseline",
        "baseline_double",
        "crelu",
        "crelu_half",
    }
    assert found["crelu_half", "params"]["protocol"] == "computed"
    table = pd.read_csv(CRELU / "table1.csv").set_index(["row", "column"])
    assert table.loc[("crelu_half", "params"), "value"] == pytest.approx(0.7e6, abs=0.05e6)
    assert math.isnan(table.loc[("baseline", "cifar10_test"), "value"])
    lines = (CRELU / "table1.md").read_text(encoding="utf-8").splitlines()
    (ours,) = [line for line in lines[lines.index("", 1) :] if "CReLU (half)" in line]
    texts = [cell.strip().partition(" ")[0].strip("*") for cell in ours.strip("|").split("|")]
    assert texts[2:] == [
        "8.37",
        "9.44±0.09",
        "7.09",
        "0.7M",
    ]


def test_what_a_machine_cannot_run_is_left_out_and_what_follows_from_definitions_is_not(trained):
    tabulate("smoke", "crelu", "table1", "nowhere")
    assert {column for _, column in cells(CRELU, "table1")} == {"params"}
    assert "Recomputed from the definitions, without training." in caption(CRELU, "table1")


def test_the_caption_names_the_stand_in_of_its_own_data_only(trained):
    tabulate("smoke", "crelu", "table4")
    assert caption(CRELU, "table4").endswith("Trained on CIFAR-100, a stand-in for ImageNet.")
    assert {cell["dataset"] for cell in cells(CRELU, "table4").values()} == {"cifar100"}


def test_the_caption_of_the_documents_own_data_names_no_stand_in(trained):
    tabulate("smoke", "crelu", "table1")
    assert caption(CRELU, "table1").endswith("over seeds (as the document says: 1/2/3).")


def test_an_epoch_that_is_never_reached_is_a_dash_for_people_and_a_text_in_json(trained):
    tabulate("smoke", "iieu", "table1")
    cell = cells(IIEU, "table1")["epoch_below_2_5", "relu"]
    assert (cell["values"], cell["mean"]) == (["inf"], "inf")
    table = pd.read_csv(IIEU / "table1.csv").set_index(["row", "column"])
    assert table.loc[("epoch_below_2_5", "relu"), "value"] == math.inf
    assert table.loc[("epoch_below_3_0", "relu"), "value"] == 1
    lines = (IIEU / "table1.md").read_text(encoding="utf-8").splitlines()
    number = next(
        n
        for n, line in enumerate(lines)
        if line.startswith("| first epoch with a loss below 2.5 |")
    )
    assert re.search(r"\| printed \| – . \| 97 . \|$", lines[number])
    assert lines[number + 1] == "|  | ours, as the document says | – | – |"


def test_a_metric_that_runs_do_not_leave_is_named_with_those_they_do(trained, edit):
    folders = folders_of(trained, ("crelu", "table1"), "convpool")
    for folder in folders:
        edit(folder / "metrics.csv", ",error,", ",eror,")
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        record["files"]["metrics.csv"] = sha256(folder / "metrics.csv")
        write_json(folder / "run.json", record)
    with pytest.raises(ValueError, match="has no column 'error', only seed, top1, ") as error:
        tabulate("smoke", "crelu", "table1")
    assert str(folders[0] / "metrics.csv") in str(error.value)
    assert "config/papers" in str(error.value)


@pytest.mark.parametrize("name", ["metrics.csv", "predictions.safetensors"])
def test_a_changed_file_of_one_seed_is_refused(trained, name):
    path = folders_of(trained, ("crelu", "table1"), "convpool_folds")[2] / name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="changed or lost after the run") as error:
        tabulate("smoke", "crelu", "table1")
    assert str(path) in str(error.value)


def test_only_the_numbers_and_records_of_image_networks_are_published(trained):
    for name, kept in KEPT.items():
        for exhibit in kept:
            tabulate("smoke", name, exhibit)
    audit_scale("smoke")
    publish("smoke")
    published = Path("published/smoke")
    runs = [path for path in published.rglob("seed*/*") if path.is_file()]
    made = [f for cells in trained.values() for folders in cells.values() for f in folders]
    assert {path.name for path in runs} == {"run.json", "metrics.csv", "curve.csv"}
    assert len(runs) == 3 * len(made)
    assert (published / "crelu/analyse/table1/values.csv").exists()


def test_the_audit_page_tells_every_record_and_has_no_number_that_json_lacks(trained):
    for name, kept in KEPT.items():
        for exhibit in kept:
            tabulate("smoke", name, exhibit)
    audit_scale("smoke")

    def refuse(text):
        raise AssertionError(f"{text} is not JSON")

    text = Path("results/smoke/audit.json").read_text(encoding="utf-8")
    content = json.loads(text, parse_constant=refuse)
    shown = {(e["paper"], e["name"]): e for e in content["exhibits"]}
    vote = next(c for c in shown["crelu", "table1"]["cells"] if c["column"] == "cifar10_vote")
    assert len(vote["records"]) == 3
    assert shown["iieu", "table1"]["columns"] == load_exhibit("iieu", "table1").column_names


def test_a_machine_that_cannot_run_a_table_audits_it_all_the_same(trained):
    tabulate("smoke", "crelu", "table1", "nowhere")
    audit_scale("smoke", "nowhere")
    rows = pd.read_csv("results/smoke/audit.csv")
    counts = rows.groupby(rows["claim"].str.split("/").str[:2].str.join("/")).size()
    assert dict(counts) == {"crelu/table1": 36, "crelu/table4": 24, "iieu/table1": 90}
    content = json.loads(Path("results/smoke/audit.json").read_text(encoding="utf-8"))
    assert [e["name"] for e in content["exhibits"]] == ["table1"]
    assert content["says"] == "made up; no image network"
