"""PSC's networks: what is measured of them, what is drawn and what is said."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sympy
import torch
from reactivate.activations.gate import gate_of
from reactivate.documents.psc import (
    accuracy,
    accuracy_claims,
    accuracy_picture,
    bound_claims,
    bound_fit_claims,
    bound_fit_picture,
    gates_claims,
    split,
    split_picture,
)
from reactivate.documents.psc.bound import minimum, numeric_minimum
from reactivate.documents.psc.bound_fit import bound_fit
from reactivate.documents.shared.style import save_png
from reactivate.evidence.observed import Observations
from reactivate.models.collapsed import gated_layers
from reactivate.models.psc_resnet import PscResNet

VARIANTS = {
    "relu": ("relu", {}),
    "psc": ("psc", {"balanced": True}),
    "spsc": ("spsc", {}),
    "psc_whole": ("psc", {}),
}
CHECKS = {
    "every_split": "confirmed(sampled(44))",
    "collapsed_size": "confirmed(sampled(13))",
    "balanced_parameters": "confirmed(proof)",
    "svd_freedom": "confirmed(proof)",
    "system": "confirmed(proof)",
    "never_below_the_bound": "confirmed(proof)",
}


def strict_gates(delimiter):
    """Gates with the sum over j < i."""
    return torch.cat([delimiter.new_zeros(1), delimiter[:-2].cumsum(dim=0)])


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
    ("name", "frame", "told"),
    [
        ("removal_changes_nothing", made_up(), "200 parameters become 100"),
        ("removal_changes_nothing", made_up(), "the network of ReLU has 100"),
        ("removal_changes_nothing", made_up(), "the same in 3 of 3 networks"),
        ("removal_changes_nothing", changed(made_up(), "parameters_after", 101), "become 101"),
        ("removal_changes_nothing", changed(made_up(), "parameters", 99, "relu"), "ReLU has 99"),
        ("removal_changes_nothing", changed(made_up(), "top1_after", 12.0), "in 0 of 3"),
        ("removal_changes_nothing", changed(made_up(), "largest_change", 0.1), "by 0.1 at most"),
        ("gating_beats_svd", made_up(spsc=53), "spsc 54.40 % (53.00 to 55.80, 100 parameters)"),
        ("gating_beats_svd", made_up(psc_svd=54), "psc_svd 55.70 %"),
        ("gating_beats_svd", made_up(psc_whole=54), "psc_whole 55.90 %"),
        ("gating_beats_svd", made_up(seeds=1), "1 seeds"),
        ("negatives_help", made_up(relu=49), "relu 50.40 %"),
        ("negatives_help", made_up(psc=52), "psc 53.30 %"),
        ("negatives_help", made_up(spsc=49), "spsc 50.40 %"),
    ],
)
def test_findings_about_networks_are_told_from_their_values(name, frame, told):
    assert told in getattr(accuracy_claims, name)(frame)


def test_the_loss_that_a_fit_leaves_is_told():
    fits = bound_fit(iterations=100)
    told = bound_fit_claims.both_branches_fit(fits)
    assert "relu 0.1333" in told
    assert "psc 0.0000" in told
    worse = fits.assign(loss=fits["loss"] + 0.01)
    assert "psc 0.0100" in bound_fit_claims.both_branches_fit(worse)


@pytest.mark.parametrize("name", CHECKS)
def test_a_statement_gets_its_verdict_in_one_line(name):
    module = gates_claims if hasattr(gates_claims, name) else bound_claims
    judgement = getattr(module, name)()
    assert str(judgement.verdict) == CHECKS[name]
    assert "\n" not in judgement.reason


@pytest.mark.parametrize(
    ("module", "name", "value", "check"),
    [
        (gates_claims, "gates", strict_gates, "every_split"),
        (gates_claims, "collapse", lambda layer: layer, "collapsed_size"),
        (gates_claims, "PRINTED_RANK", gates_claims.PRINTED_RANK / 2, "balanced_parameters"),
        (gates_claims, "PRINTED_RANK", gates_claims.N / 2, "svd_freedom"),
        (gates_claims, "PRINTED_RANK", gates_claims.M / 2, "svd_freedom"),
        (bound_claims, "PRINTED_SYSTEM", bound_claims.PRINTED_SYSTEM[::-1], "system"),
        (bound_claims, "minimum", lambda: (0, 0, sympy.Rational(2, 3)), "never_below_the_bound"),
    ],
)
def test_a_statement_with_another_formula_is_refused(monkeypatch, module, name, value, check):
    monkeypatch.setattr(module, name, value)
    assert str(getattr(module, check)().verdict) == "refuted"


@pytest.mark.parametrize("outputs", range(1, 7))
def test_the_splits_are_those_of_the_gate_sum(outputs):
    codes = range(1, outputs + 2)  # the sum of s_j over j <= i is 1 where s_code = 1 and code <= i
    expected = [tuple(int(code <= i) for i in range(1, outputs + 1)) for code in codes]
    assert gates_claims.splits(outputs, outputs + 1) == expected


def test_both_branches_can_have_more_rank_than_the_collapsed_weight(monkeypatch):
    branch = np.eye(3)  # N = 3, M = 6, three outputs each
    both = np.block([[branch, np.zeros((3, 3))], [np.zeros((3, 3)), branch]])
    assert np.linalg.matrix_rank(both) == 6
    assert "at most 3 for N = 6" in gates_claims.gating_freedom()
    assert "at most 6 for N = 3" in gates_claims.gating_freedom()
    monkeypatch.setattr(gates_claims, "degrees_of_freedom", lambda n, m, positives: 5)
    assert "at most 5 for N = 3" in gates_claims.gating_freedom()


def exact_loss(w, b):
    """The integral of supplement B, term by term."""
    s = 1 - w
    return s**2 / 3 - s * b + b**2 + Fraction(1, 3) - b + b**2


def test_the_lower_bound_in_fractions():
    least, best = Fraction(2, 15), Fraction(2, 5)
    assert exact_loss(best, best) == least
    assert tuple(map(str, minimum())) == ("2/5", "2/5", "2/15")
    steps = [Fraction(i, 50) for i in range(-10, 11)]
    worse = [exact_loss(best + i, best + j) for i, j in product(steps, steps) if i or j]
    assert min(worse) > least


def test_quadrature_finds_the_same_minimum():
    assert numeric_minimum() == pytest.approx((0.4, 0.4, 2 / 15), abs=1e-5)


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
