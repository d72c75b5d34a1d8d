"""GmP Figures 1 to 6 at a small size: their numbers and pictures."""

import math
import re
from io import StringIO

import numpy as np
import pandas as pd
import pytest
import torch
from matplotlib.figure import Figure
from reactivate.documents.gmp import figure1 as gmp_perturbation
from reactivate.documents.gmp import figure1_picture, figures5_6_picture
from reactivate.documents.gmp import figure2 as gmp_levy
from reactivate.documents.gmp import figure2_picture as gmp_levy_pictures
from reactivate.documents.gmp import figure3 as gmp_banana
from reactivate.documents.gmp import figure3_picture as gmp_banana_pictures
from reactivate.documents.gmp import figures5_6 as gmp_units
from reactivate.documents.gmp.figure4 import top5
from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.networks import PARAMETERIZATIONS, networks
from reactivate.documents.gmp.rates import RATES
from reactivate.documents.gmp.training import Outcome
from reactivate.documents.gmp.trials import Trial, spread_places, typical
from reactivate.documents.shared.looks import GREEN
from reactivate.experiment.loading import load_paper

SEEDS = 3
NUMBERS = {
    "figure1": lambda: gmp_perturbation.figure1(draws=20),
    "figure2": lambda: gmp_levy.figure2(hidden=8, points=20, epochs=30, seeds=SEEDS),
    "figure3": lambda: gmp_banana.figure3(
        hidden=10, drawn=150, batch_size=64, epochs=12, seeds=SEEDS
    ),
    "figure5": gmp_units.figure5,
    "figure6": gmp_units.figure6,
}
PICTURES = {
    "figure1": figure1_picture.figure1,
    "figure2": gmp_levy_pictures.figure2,
    "figure3": gmp_banana_pictures.figure3,
    "figure5": figures5_6_picture.figure5,
    "figure6": figures5_6_picture.figure6,
}


@pytest.fixture(autouse=True)
def _bananas(monkeypatch):
    """Two classes in the plane, in place of the prepared set."""
    stream = torch.Generator().manual_seed(0)
    x = torch.randn(400, 2, generator=stream, dtype=torch.float64)
    y = torch.where(x.square().sum(1, keepdim=True) > 1, 1.0, -1.0)
    monkeypatch.setattr(gmp_banana, "load_prepared", lambda name: (x, y))


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_the_same_every_time_and_survive_their_file(name, tmp_path):
    frame = NUMBERS[name]()
    pd.testing.assert_frame_equal(frame, NUMBERS[name]())
    read = pd.read_csv(StringIO(frame.to_csv(index=False)))
    picture = PICTURES[name](read)
    assert isinstance(picture, Figure)
    picture.savefig(tmp_path / "figure.png", dpi=60)
    assert len(read) == len(frame)


def test_stated_changes_are_those_of_the_quoted_passage():
    (quoted,) = load_paper("gmp").claims["other_steps_reach_2_16"].quote
    assert "always smaller than 1 throughout" in " ".join(quoted.split())
    assert re.findall(r"2\^\{(\d+)\}", quoted) == ["16"]
    assert list(gmp_levy_pictures.STATED) == [1, 2.0**16]


def test_the_levy_function_and_its_points_are_those_of_the_notebook():
    np.testing.assert_allclose(
        gmp_levy.levy(torch.tensor([1.0, -10.0, 3.0])),
        [0.0, 0.5 + 2 * 2.75**2, 1.25],
        atol=1e-4,
    )
    points = gmp_levy.evaluation_points()
    np.testing.assert_allclose(points[:, 0], np.arange(-10.0, 10.1, 0.1), atol=1e-12)
    train = gmp_levy.training_points(50)
    assert train.x.abs().max() <= 10
    assert (train.y - gmp_levy.levy(train.x)).std().item() == pytest.approx(0.1, rel=0.25)


def test_a_fifth_of_the_rows_drawn_are_the_test_part_and_the_rest_is_standardized():
    x = torch.randn(300, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    y = torch.where(x[:, :1] > 0.3, 1.0, -1.0)
    fit, test = gmp_banana.split(5 + 3 * x, y, 100)
    assert (len(fit.x), len(test.x)) == (80, 20)
    torch.testing.assert_close(fit.x.mean(0), torch.zeros(2, dtype=torch.float64))
    torch.testing.assert_close(fit.x.std(0, correction=0), torch.ones(2, dtype=torch.float64))
    assert set(fit.y.unique().tolist()) == {0.0, 1.0}
    both = torch.cat([fit.x, test.x])
    assert len(both.unique(dim=0)) == 100


def test_every_seed_and_rate_has_its_summary():
    frame = NUMBERS["figure2"]()
    for quantity in ("test_rmse", "largest_change_ever", "distance_to_location"):
        found = frame[frame["quantity"] == quantity].groupby(["parameterization", "rate"])["seed"]
        assert set(found.nunique()) == {SEEDS}
        assert len(found) == len(PARAMETERIZATIONS) * len(RATES)


def test_the_largest_change_that_is_drawn_is_the_largest_of_that_network():
    frame = NUMBERS["figure2"]()
    drawn = frame[frame["quantity"] == "largest_change"]
    ever = frame[frame["quantity"] == "largest_change_ever"]
    for name, part in drawn.groupby("parameterization"):
        place = (ever["parameterization"] == name) & (ever["rate"] == part["rate"].iloc[0])
        whole = ever[place & (ever["seed"] == part["seed"].iloc[0])]
        assert part["value"].max() == pytest.approx(whole["value"].item())


def test_units_start_at_the_origin_and_their_points_spread():
    frame = NUMBERS["figure2"]()
    points = frame[(frame["quantity"] == "location") & (frame["parameterization"] == "gmp")]
    assert points.loc[points["step"] == 0, "value"].abs().max() == 0
    assert points.loc[points["step"] > 0, "value"].abs().max() > 0


def test_the_sign_of_a_unit_on_a_line_does_not_learn():
    model = networks("gmp", 1, 5, [torch.Generator().manual_seed(0)])
    assert {name for name, _ in model.hidden.named_parameters()} == {"offset", "radius"}
    assert set(model.hidden.sign.unique().tolist()) <= {-1.0, 1.0}


def trial(seed):
    nothing = torch.zeros(1)
    return Trial("sp", 0.1, seed, Outcome(1, 1, None), nothing, nothing, [], [], [])


@pytest.mark.parametrize(("scores", "seed"), [([3.0, 1.0, 2.0], 2), ([4.0, 1.0, 1.0, 9.0], 2)])
def test_the_network_shown_has_the_median_score_and_the_lower_of_two(scores, seed):
    assert typical([trial(n) for n in range(len(scores))], scores).seed == seed


@pytest.mark.parametrize(
    ("count", "wanted", "places"), [(5, 9, [0, 1, 2, 3, 4]), (9, 5, [0, 2, 4, 6, 8]), (1, 3, [0])]
)
def test_places_are_even_and_hold_the_first_and_the_last(count, wanted, places):
    assert spread_places(count, wanted) == places


def test_the_first_perturbed_unit_is_that_of_the_notebook():
    unit = gmp_perturbation.unit_draws(3)
    wanted = [0.00162434536, -0.00061175641, -0.00052817175]  # numpy's seed 1, by a thousandth
    found = [*unit.weight[0].tolist(), unit.bias[0].item()]
    assert found == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("offset", [-1.5, 1.5])
def test_a_unit_is_active_beyond_its_location(offset):
    frame = gmp_units.figure5()
    for theta, part in frame[frame["offset"] == offset].groupby("theta"):
        side = (part["x"] - part["location"]) * math.cos(theta)
        assert ((part["activation"] > 1e-9) == (side > 1e-9)).all()


def history(row, seed, epochs=6):
    """A training that rises, from another start for every seed."""
    rise = np.linspace(10.0 * seed, 80.0, epochs)
    place = {"row": row, "column": "batch1024", "protocol": "document", "seed": seed}
    values = {"epoch": np.arange(1, epochs + 1), "train_top5": rise, "test_top5": rise - 5}
    return pd.DataFrame({**place, **values})


def test_figure_4_has_a_line_with_a_band_per_parameterization():
    numbers, figure = top5(pd.concat([history(row, seed) for row in LOOKS for seed in range(3)]))
    for axis, quantity in zip(figure.axes, ("train_top5", "test_top5"), strict=True):
        drawn = [line for line in axis.get_lines() if line.get_marker() != "x"]
        lines = {line.get_label(): list(line.get_ydata()) for line in drawn}
        own = numbers[numbers["row"] == "gmp_imn"]
        assert lines["GmP+IMN"] == list(own[quantity])
        assert len(lines) == len(axis.collections) == len(LOOKS)
    assert LOOKS["gmp_imn"].colour == GREEN  # green, as the document says
