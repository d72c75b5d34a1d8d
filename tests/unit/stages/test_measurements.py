"""Attacks and certificates of trained networks: rows, summaries, and what is left by a kill."""

import pandas as pd
import pytest
import torch
from pydantic import ValidationError
from reactivate.experiment.exhibits import Best, Trained
from reactivate.experiment.measurements import Attack, Certification, Fgsm, Pgd
from reactivate.experiment.places import places_of
from reactivate.experiment.scales import Selection
from reactivate.models.mlp import MLP
from reactivate.stages import attack, certify
from torch import nn

AXES = {"dataset": "cifar10", "model": "vgg16", "activation": "relu", "parameterization": "bn"}


def table(**changed):
    given = {
        "kind": "trained",
        "title": "t",
        "locator": "Table 1",
        "metric": {"name": "acr", "better": "higher", "unit": ""},
        "rows": {"method": {"a": {"recipe": "one", "measurement": "plain"}}},
        "columns": {"radius": {"r0": {}, "r1": {"metric": "certified_100"}}},
        "fixed": AXES,
        "protocols": ["document", "sound"],
        "spread": "unstated",
        "printed": {"a": ["1.0", ""]},
    }
    return Trained(**{**given, **changed})


def test_a_protocol_changes_what_has_a_variant_and_nothing_else():
    cells = places_of(table(), Selection(), {"one"}, {"plain", "plain_sound"})
    assert [(c.protocol, c.cell.recipe, c.measurement) for c in cells] == [
        ("document", "one", "plain"),
        ("sound", "one", "plain_sound"),
    ]
    both = places_of(table(), Selection(), {"one", "one_sound"}, {"plain"})
    assert [(c.cell.recipe, c.measurement) for c in both] == [
        ("one", "plain"),
        ("one_sound", "plain"),
    ]


def test_where_nothing_is_printed_nothing_is_run():
    places = {(c.row, c.column) for c in places_of(table(), Selection(), {"one"}, {"plain"})}
    assert places == {("a", "r0")}


def test_what_is_printed_and_lost_is_run_and_no_claim():
    lost = table(printed={"a": ["1.0", "?"]})
    places = {(c.row, c.column) for c in places_of(lost, Selection(), {"one"}, {"plain"})}
    assert places == {("a", "r0"), ("a", "r1")}
    assert [lost.is_printed("a", column) for column in ("r0", "r1")] == [True, False]


def test_a_best_of_rows_needs_rows_for_each():
    with pytest.raises(ValidationError, match="over has the rows b, but rows lists a"):
        Best(
            kind="best",
            title="t",
            locator="Table 2",
            rows={"method": ["a"]},
            columns={"radius": ["r0"]},
            printed={"a": ["1.0"]},
            of="table1",
            over={"b": ["a"]},
        )


def test_more_samples_to_choose_than_to_bound_are_refused():
    with pytest.raises(ValidationError, match="n0 is 200, more than n 100; accepted: at most n"):
        Certification(stage="certify", sigma=0.1, n0=200, n=100, alpha=0.1, every=1, radii=[0.0])


@pytest.mark.parametrize(
    "changed", [{"sigma": 0.0}, {"alpha": 1.0}, {"alpha": 0.0}, {"repress": 1.0}]
)
def test_a_certification_outside_its_range_is_refused(changed):
    given = {"sigma": 0.1, "n0": 1, "n": 10, "alpha": 0.1, "every": 1, "radii": [0.0]}
    with pytest.raises(ValidationError):
        Certification(stage="certify", **{**given, **changed})


CERTIFICATION = {"sigma": 0.1, "n0": 1, "n": 10, "alpha": 0.1, "every": 1, "radii": [0.0, 0.25]}


def test_a_summary_has_the_average_radius_unless_radii_were_only_decided():
    votes = ["1:900 2:100", "", "0:200", "0:100"]
    rows = {"correct": [True, False, True, True], "radius": [0.3, 0.0, 0.25, 0.0], "counts": votes}
    table = pd.DataFrame(rows)
    fixed = certify.summary(table, Certification(stage="certify", **CERTIFICATION))
    assert fixed == {"certified_000": 75.0, "certified_025": 50.0, "acr": 0.1375}
    asked = Certification(stage="certify", **CERTIFICATION, stopping="anytime")
    found = certify.summary(table, asked)
    assert found == {"certified_000": 75.0, "certified_025": 50.0, "samples": 325.0}


def test_captions_say_how_many_samples_were_drawn():
    fixed = Certification(stage="certify", **CERTIFICATION)
    early = Certification(stage="certify", **CERTIFICATION, stopping="anytime")
    assert "n0 1, n 10, alpha 0.1" in fixed.says
    assert "n0 1, anytime up to n 10, alpha 0.1" in early.says


def images(count):
    stream = torch.Generator().manual_seed(0)
    return torch.rand(count, 4, generator=stream), torch.randint(3, (count,), generator=stream)


@pytest.mark.parametrize(
    "how",
    [
        Fgsm(name="fgsm", epsilon=127.5),
        Pgd(name="pgd", epsilon=127.5, step=60.0, steps=3, start="uniform"),
    ],
)
@pytest.mark.parametrize("paths", ["document", "authors_code"])
def test_rows_of_an_attack_agree_with_the_network(how, paths):
    torch.manual_seed(1)
    network = MLP(features=4, hidden=(16, 8), classes=3).eval()
    for layer in (m for m in network.modules() if isinstance(m, nn.Linear)):
        nn.init.normal_(layer.weight)
        nn.init.zeros_(layer.bias)
    x, _ = images(200)
    with torch.no_grad():
        y = network(x).argmax(1)
    y[::4] = (y[::4] + 1) % 3
    chosen = Attack(stage="attack", attack=how, paths=paths)
    rows = attack.attack(network, x, y, chosen, "made_up")
    assert list(rows["idx"]) == list(range(len(x)))
    assert list(rows["label"]) == y.tolist()
    with torch.no_grad():
        right = network(x).argmax(1) == y
    assert rows["clean"].tolist() == right.tolist()
    assert rows["adversarial"].mean() < rows["clean"].mean()
    found = attack.summary(rows)
    assert found["clean"] == pytest.approx(100 * right.double().mean().item())
    assert found["gap"] == pytest.approx(found["fixed_adversarial"] - found["adversarial"])
    assert found["float_vulnerable"] == 10_000 * rows["float_vulnerable"].mean()
    kept = attack.short(rows)
    flags = rows.select_dtypes(bool)
    assert (kept[flags.columns].to_numpy() == flags.to_numpy().astype(int)).all()
    for changed in ("fixed_change", "float_change"):
        assert kept[changed].tolist() == [round(value, 5) for value in rows[changed]]


def test_without_paths_only_accuracies_are_measured():
    network = nn.Linear(4, 3)
    chosen = Attack(stage="attack", attack=Fgsm(name="fgsm", epsilon=1.0))
    found = attack.summary(attack.attack(network, *images(5), chosen, "made_up"))
    assert set(found) == {"clean", "clean_top5", "adversarial", "adversarial_top5"}


def test_a_window_is_the_mean_of_the_last_batches_however_small_the_last_one_is():
    right = [True] * 128 + [False] * 128 + [True] * 4
    rows = pd.DataFrame({"clean": right})
    assert attack.summary(rows, window=2) == {"clean": 50.0}
    assert attack.summary(rows, window=20)["clean"] == pytest.approx(100 * 2 / 3)
    assert attack.summary(rows)["clean"] == pytest.approx(100 * 132 / 260)
