"""A figure of curves is made from the verified histories of its runs, and says which they were."""

import json
from pathlib import Path

import pandas as pd
import pytest
from reactivate.experiment.experiment import Experiment
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.files import sha256
from reactivate.stages.plot import plot, redraw

ROOT = Path(__file__).parents[3]
SMOKE = {
    "says": "two seeds of two activations, on other data",
    "stand_ins": {"cifar10": "cifar100", "imagenet": "cifar100"},
    "reaches": {"nowhere": "no image network"},
}
LIMITS = {
    "recipes": {"chapter3": {"epochs": 2, "seeds": 2}},
    "exhibits": {"figure3_3": {"rows": ["vgg16"], "columns": ["tanh", "relu"]}},
}
MADE = Path("results/smoke/thesis")


@pytest.fixture
def trained(configure, leave_record):
    """Made-up runs of a figure: their folders."""
    own = ROOT / "config/papers/thesis"
    papers = {
        f"thesis/{path.name}": read_yaml(path)
        for path in own.glob("*.yaml")
        if path.name != "scales.yaml"
    }
    configure(SMOKE, {"thesis": LIMITS}, papers)
    figure = Experiment.load("smoke").exhibit("thesis", "figure3_3")
    runs = [(place.cell, f) for place in figure.places for f in figure.folders(place)]
    for number, (cell, folder) in enumerate(runs):
        folder.mkdir(parents=True)
        history = {"epoch": [1, 2], "train_top1": [10.0, 20.0 + number], "test_top1": [10.0, 15.0]}
        pd.DataFrame(history).to_csv(folder / "history.csv", index=False)
        leave_record(folder, paper="thesis", scale="smoke", cell=cell, seeds=[number % 2])
    return [folder for _, folder in runs]


def evidence():
    return json.loads((MADE / "figure3_3.provenance.json").read_text(encoding="utf-8"))


def test_the_numbers_are_means_over_the_runs_of_each_cell(trained):
    plot("smoke", "thesis", "figure3_3")
    numbers = pd.read_csv(MADE / "figure3_3.csv")
    last = numbers[numbers["epoch"] == 2].set_index("column")
    assert dict(last["train_top1"]) == {"tanh": 20.5, "relu": 22.5}
    assert set(numbers["seeds"]) == {2}
    assert (MADE / "figure3_3.png").stat().st_size < 200_000


def test_a_figure_brings_its_siblings_and_vouches_for_them(trained):
    plot("smoke", "thesis", "figure3_3")
    endings = ("csv", "png", "svg", "pdf")
    wanted = {ending: sha256(MADE / f"figure3_3.{ending}") for ending in endings}
    assert evidence()["files"] == wanted


def test_a_published_figure_is_drawn_again_from_its_numbers_only_if_other_code_drew_it(trained):
    plot("smoke", "thesis", "figure3_3")
    figure = Experiment.load("smoke").exhibit("thesis", "figure3_3")
    assert not redraw(figure)
    made = evidence()
    for folder in trained:
        (folder / "history.csv").unlink()  # which is not published
    for ending in ("svg", "pdf"):
        (MADE / f"figure3_3.{ending}").unlink()
    other = {**made, "record": {**made["record"], "code": "0" * 16}}
    (MADE / "figure3_3.provenance.json").write_text(json.dumps(other), encoding="utf-8")
    assert redraw(figure)
    assert evidence()["files"] == made["files"]
    assert evidence()["record"]["code"] == made["record"]["code"]
    assert evidence()["record"]["read"] == made["record"]["read"]
    assert not redraw(figure)


def test_every_run_is_named_with_its_checksum(trained):
    plot("smoke", "thesis", "figure3_3")
    assert evidence()["cells"] == []
    assert evidence()["record"]["read"] == [
        {"file": (f / "run.json").as_posix(), "sha256": sha256(f / "run.json")} for f in trained
    ]


def test_the_caption_says_scale_seeds_and_the_stand_in_that_was_used(trained):
    plot("smoke", "thesis", "figure3_3")
    caption = evidence()["caption"]
    assert "Figure 3.3: Training and validation accuracy" in caption
    assert "Scale smoke; mean over seeds (2)" in caption
    assert caption.endswith("Trained on CIFAR-100, a stand-in for CIFAR-10.")


def test_a_history_that_was_changed_is_refused(trained, edit):
    edit(trained[0] / "history.csv", "20.0", "90.0")
    with pytest.raises(ValueError, match=r"history.csv: sha256 is .* was changed"):
        plot("smoke", "thesis", "figure3_3")


def test_a_machine_that_reaches_no_run_is_told_where_to_select_some(trained):
    with pytest.raises(ValueError, match="runs nothing of thesis/figure3_3 on this machine"):
        plot("smoke", "thesis", "figure3_3", "nowhere")


def test_a_table_is_not_drawn(trained):
    with pytest.raises(ValueError, match="is trained; accepted: an exhibit with a picture"):
        plot("smoke", "thesis", "table3_2")


def test_a_figure_without_runs_names_none(trained):
    plot("smoke", "thesis", "figure3_2")
    found = json.loads((MADE / "figure3_2.provenance.json").read_text(encoding="utf-8"))
    assert found["record"]["read"] == found["cells"] == []
