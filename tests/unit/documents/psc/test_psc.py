"""PSC's networks: what is measured of them, what is drawn and what is said."""

import json

import pandas as pd
import pytest
import torch
from reactivate.activations.gate import gate_of
from reactivate.documents.psc import (
    accuracy,
    accuracy_claims,
    accuracy_picture,
    bound_fit_claims,
    bound_fit_picture,
    split,
    split_picture,
)
from reactivate.documents.psc.bound_fit import bound_fit
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.observed import Observations
from reactivate.models.collapsed import gated_layers
from reactivate.models.psc_resnet import PscResNet
from reactivate.stages.plot import save_png

VARIANTS = {
    "relu": ("relu", {}),
    "psc": ("psc", {"balanced": True}),
    "spsc": ("spsc", {}),
    "psc_whole": ("psc", {}),
}
OK, WRONG = Verdict.RECOMPUTED_OK, Verdict.INCONSISTENT
HOLDS, FAILS = Verdict.ORDER_HOLDS, Verdict.ORDER_FAILS


def network(row, seed):
    torch.manual_seed(seed)
    activation, arguments = VARIANTS[row]
    made = PscResNet(activation, width=0.25, depth=1, stride=2, **arguments).eval()
    with torch.no_grad():
        for number, (_, layer) in enumerate(gated_layers(made)):
            gate_of(layer).logits[number + 1 + seed] = 1.0
    return made


@pytest.fixture
def runs(monkeypatch, tmp_path):
    """Networks of two seeds, untrained, and images; labels are what the network says."""
    x = torch.randn(40, 3, 32, 32, generator=torch.Generator().manual_seed(1))

    def images(run, part, count):
        with torch.no_grad():
            labels = network(run.place[0], run.seed)(x).argmax(1)
        labels[:10] = (labels[:10] + 1) % 10  # three of four are right
        return x[:count], labels[:count]

    for module in (accuracy, split):
        monkeypatch.setattr(module, "trained", lambda run: network(run.place[0], run.seed))
    monkeypatch.setattr(accuracy, "images", images)
    folders = {}
    for row, (activation, _) in VARIANTS.items():
        cell = {"dataset": "d", "model": "m", "activation": activation}
        cell |= {"parameterization": "bn", "recipe": "r"}
        for seed in range(2):
            folder = tmp_path / row / f"seed{seed}"
            folder.mkdir(parents=True)
            record = {"scale": "smoke", "paper": "psc", "cell": cell, "seeds": [seed]}
            (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
            folders[row, "cifar10", "ours", seed] = folder
    return Observations(folders)


def test_accuracy_tells_networks_as_trained_and_as_used(runs):
    found = accuracy.accuracy(runs, images=1000)
    assert found["row"].tolist() == [row for row in VARIANTS for _ in range(2)]
    assert found["seed"].tolist() == [0, 1] * 4
    assert (found["top1"] == 75).all()
    by_row = found.drop_duplicates("row").set_index("row")
    afterwards = ["nothing", "nothing", "gates removed", "SVD"]
    assert by_row["after"].tolist() == afterwards
    assert by_row.at["spsc", "parameters_after"] == by_row.at["relu", "parameters"]
    kept = found[found["row"] != "psc_whole"]
    assert (kept["top1_after"] == 75).all()
    assert (kept["predictions_changed"] == 0).all()
    assert kept["largest_change"].max() < 1e-4
    assert (found.loc[found["row"] == "psc_whole", "largest_change"] > 1e-3).all()


def test_the_split_of_every_gate_is_listed(runs):
    static = {place: folder for place, folder in runs.folders.items() if place[0] == "spsc"}
    found = split.split(Observations(static))
    assert found["layer"].tolist() == [1, 2, 3] * 2
    assert found["outputs"].tolist() == [4, 8, 16] * 2
    assert found["positives"].tolist() == [1, 2, 3, 2, 3, 4]
    assert found["rho"].tolist() == [1 / 4, 2 / 8, 3 / 16, 2 / 4, 3 / 8, 4 / 16]
    assert (found["likelihood"] > 0.99).all()
    assert found["mean_rho"].tolist() == pytest.approx(found["rho"].tolist(), abs=1e-2)


def made_up(seeds=3, **accuracies):
    """Accuracies by variant, a little different for every seed."""
    rows = []
    for row in ("relu", "leaky_relu", "crelu", "psc", "spsc", "psc_svd", "psc_whole"):
        after = {"spsc": "gates removed", "psc_whole": "SVD"}.get(row, "nothing")
        for seed in range(seeds):
            top1 = accuracies.get(row, 50.0) + seed + 0.1 * seed * len(row)
            counts = (200, 100) if after != "nothing" else (100, 100)
            change = 20.0 if after == "SVD" else 0.0
            rows.append((row, "cifar10", seed, *counts, top1 + change, after, top1, 0.0, change))
    names = ["row", "column", "seed", "parameters", "parameters_after", "top1", "after"]
    names += ["top1_after", "predictions_changed", "largest_change"]
    return pd.DataFrame(rows, columns=names)


def changed(frame, column, value, row="spsc"):
    frame = frame.copy()
    frame.loc[frame["row"] == row, column] = value
    return frame


@pytest.mark.parametrize(
    ("name", "frame", "verdict"),
    [
        ("removal_changes_nothing", made_up(), OK),
        ("removal_changes_nothing", changed(made_up(), "parameters_after", 101), WRONG),
        ("removal_changes_nothing", changed(made_up(), "top1_after", 12.0), WRONG),
        ("removal_changes_nothing", changed(made_up(), "largest_change", 0.1), WRONG),
        ("gating_beats_svd", made_up(spsc=53), HOLDS),
        ("gating_beats_svd", made_up(spsc=53, psc_svd=54), FAILS),
        ("gating_beats_svd", made_up(spsc=53, psc_whole=54), FAILS),
        ("gating_beats_svd", made_up(seeds=1, spsc=53), HOLDS),
        ("negatives_help", made_up(psc=52, spsc=51), HOLDS),
        ("negatives_help", made_up(psc=52, spsc=49), FAILS),
        ("negatives_help", made_up(psc=49, spsc=52), FAILS),
    ],
)
def test_statements_about_networks_are_judged_from_their_values(name, frame, verdict):
    judgement = getattr(accuracy_claims, name)(frame)
    assert judgement.verdict == verdict
    assert "\n" not in judgement.reason


def test_statements_about_the_fit_are_judged_from_its_losses():
    fits = bound_fit(iterations=100)
    for judge in (bound_fit_claims.both_branches_fit, bound_fit_claims.never_below_the_bound):
        assert judge(fits).verdict == OK
    worse = fits.assign(loss=fits["loss"] + 0.01)
    assert bound_fit_claims.both_branches_fit(worse).verdict == WRONG
    better = fits.assign(loss=fits["loss"] - 0.01)
    assert bound_fit_claims.never_below_the_bound(better).verdict == WRONG


def test_pictures_are_drawn_and_stay_small(tmp_path):
    splits = pd.DataFrame(
        [("spsc", "cifar10", s, n, 8, n, n / 8, s / 3) for s in range(3) for n in (1, 2, 3)],
        columns=["row", "column", "seed", "layer", "outputs", "positives", "rho", "likelihood"],
    )
    for name, picture in (
        ("accuracy", accuracy_picture.accuracy(made_up())),
        ("split", split_picture.split(splits)),
        ("bound_fit", bound_fit_picture.bound_fit(bound_fit(iterations=100))),
    ):
        save_png(picture, tmp_path / f"{name}.png")
        assert 0 < (tmp_path / f"{name}.png").stat().st_size < 200_000
