"""GmP Figures 1 to 3, 5 and 6 at a small size: their numbers, pictures and statements."""

import math
from io import StringIO

import numpy as np
import pandas as pd
import pytest
import torch
from matplotlib.figure import Figure
from reactivate.documents.gmp import figure1 as gmp_perturbation
from reactivate.documents.gmp import (
    figure1_claims,
    figure1_picture,
    figure2_claims,
    figure3_claims,
    figures5_6_picture,
)
from reactivate.documents.gmp import figure2 as gmp_levy
from reactivate.documents.gmp import figure2_picture as gmp_levy_pictures
from reactivate.documents.gmp import figure3 as gmp_banana
from reactivate.documents.gmp import figure3_picture as gmp_banana_pictures
from reactivate.documents.gmp import figures5_6 as gmp_units
from reactivate.documents.gmp.networks import PARAMETERIZATIONS, networks
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.documents.gmp.training import Outcome
from reactivate.documents.gmp.trials import Trial, spread_places, typical
from reactivate.evidence.judgement import Verdict

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


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_the_same_every_time_and_survive_their_file(name, tmp_path):
    frame = NUMBERS[name]()
    pd.testing.assert_frame_equal(frame, NUMBERS[name]())
    read = pd.read_csv(StringIO(frame.to_csv(index=False)))
    picture = PICTURES[name](read)
    assert isinstance(picture, Figure)
    picture.savefig(tmp_path / "figure.png", dpi=60)
    assert len(read) == len(frame)


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


def summaries(quantity, **values):
    """Numbers of every network; ``name=(at the small rate, at the large rate)``."""
    rows = [
        {"quantity": quantity, "parameterization": name, "rate": rate, "seed": seed, "value": v}
        for name, by_rate in values.items()
        for rate, seeds in zip(RATES, by_rate, strict=True)
        for seed, v in enumerate(seeds)
    ]
    return pd.DataFrame(rows)


JUDGED = {
    "below 1": (
        figure2_claims.gmp_steps_stay_below_1,
        summaries("largest_change_ever", gmp=([0.1, 0.1], [0.4, 0.9])),
        "0.9",
        True,
    ),
    "a step of 1": (
        figure2_claims.gmp_steps_stay_below_1,
        summaries("largest_change_ever", gmp=([0.1, 0.1], [0.4, 1.0])),
        "largest change of 2 networks at a rate of 0.1: 1",
        False,
    ),
    "all reach 2^16": (
        figure2_claims.other_steps_reach_2_16,
        summaries("largest_change_ever", **{n: ([1], [2**17]) for n in ("sp", "wn", "bn")}),
        "SP 1.31e+05 (1 of 1 seeds)",
        True,
    ),
    "one does not": (
        figure2_claims.other_steps_reach_2_16,
        summaries("largest_change_ever", sp=([1], [2**17]), wn=([1], [9]), bn=([1], [2**16])),
        "WN 9 (0 of 1 seeds)",
        False,
    ),
    "lowest error": (
        figure2_claims.gmp_lowest_error,
        summaries(
            "test_rmse",
            **{n: ([1.1, 1.2], [0, 0]) for n in ("sp", "wn", "bn")},
            gmp=([9, 9], [0.5, 0.7]),
        ),
        "SP 1.150, WN 1.150, BN 1.150, GmP 0.600; GmP best or equal for 2 seeds",
        True,
    ),
    "seeds disagree": (
        figure2_claims.gmp_lowest_error,
        summaries(
            "test_rmse",
            **{n: ([1.1, 1.2], [0, 0]) for n in ("sp", "wn", "bn")},
            gmp=([9, 9], [0.5, 1.9]),
        ),
        "GmP 1.200; GmP best or equal for 1 seeds",
        False,
    ),
    "highest accuracy": (
        figure3_claims.gmp_highest_accuracy,
        summaries(
            "test_accuracy", **{n: ([0.8], [1]) for n in ("sp", "wn", "bn")}, gmp=([0], [0.9])
        ),
        "GmP 90.0 %",
        True,
    ),
    "rates": (
        figure2_claims.rates_of_figure2,
        summaries("test_rmse", **{n: ([1], [2]) for n in ("sp", "wn", "bn")}, gmp=([2], [1])),
        "GmP 2.000 at 0.01, 1.000 at 0.1",
        True,
    ),
    "another rate is better": (
        figure2_claims.rates_of_figure2,
        summaries("test_rmse", sp=([1], [2]), wn=([2], [1]), bn=([1], [2]), gmp=([2], [1])),
        "WN 2.000 at 0.01, 1.000 at 0.1",
        False,
    ),
    "covers the data": (
        figure3_claims.gmp_locations_cover_the_data,
        summaries(
            "distance_to_location",
            **{n: ([1.5], [0]) for n in ("sp", "wn", "bn")},
            gmp=([9], [0.1]),
        ),
        "SP 1.500, WN 1.500, BN 1.500, GmP 0.100",
        True,
    ),
    "small turns": (
        figure3_claims.gmp_directions_are_stable,
        summaries(
            "largest_turn_ever",
            **{n: ([1, 1], [30, 180]) for n in OWN_RATE if n != "gmp"},
            gmp=([1, 1], [8, 9]),
        ),
        "GmP 8 to 9, SP 30 to 180",
        True,
    ),
    "as large turns": (
        figure3_claims.gmp_directions_are_stable,
        summaries(
            "largest_turn_ever",
            **{n: ([1, 1], [30, 5]) for n in OWN_RATE if n != "gmp"},
            gmp=([1, 1], [8, 9]),
        ),
        "GmP least for 1 seeds",
        False,
    ),
    "all turn round": (
        figure3_claims.other_directions_turn_round,
        summaries("largest_turn_ever", **{n: ([1, 1], [9, 179]) for n in ("sp", "wn", "bn")}),
        "BN 179 (1 of 2 seeds)",
        True,
    ),
    "SP does not": (
        figure3_claims.other_directions_turn_round,
        summaries("largest_turn_ever", sp=([1], [74]), wn=([1], [180]), bn=([1], [180])),
        "SP 74 (0 of 1 seeds)",
        False,
    ),
    "smooth": (
        figure3_claims.gmp_is_smooth_at_ten_times_the_rate,
        summaries(
            "largest_move_ever", **{n: ([0.1], [5]) for n in ("sp", "wn", "bn")}, gmp=([0], [0.3])
        ),
        "GmP 0.3, SP 5",
        True,
    ),
}


@pytest.mark.parametrize(("judge", "frame", "said", "holds"), JUDGED.values(), ids=JUDGED)
def test_statements_are_judged_from_their_numbers(judge, frame, said, holds):
    judgement = judge(frame)
    assert judgement.verdict == (Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS)
    assert said in judgement.reason
    assert "\n" not in judgement.reason


@pytest.mark.parametrize(
    ("judge", "quantity", "values"),
    [
        (figure2_claims.spread_lowers_error, "test_rmse", (1.2, 1.1, 1.0, 0.9)),
        (figure3_claims.spread_raises_accuracy, "test_accuracy", (0.6, 0.7, 0.8, 0.9)),
    ],
)
@pytest.mark.parametrize("helps", [True, False])
def test_spread_helps_when_networks_nearer_to_the_data_are_better(judge, quantity, values, helps):
    def frame(quantity, numbers):
        both = [[v + 0.01 * seed for seed in range(3)] for v in numbers]
        named = {n: (v, v) for n, v in zip(PARAMETERIZATIONS, both, strict=True)}
        return summaries(quantity, **named)

    distances = frame("distance_to_location", (4.0, 3.0, 2.0, 1.0))
    found = frame(quantity, values if helps else values[::-1])
    judgement = judge(pd.concat([distances, found]))
    assert judgement.verdict == (Verdict.ORDER_HOLDS if helps else Verdict.ORDER_FAILS)
    assert "of 12 networks" in judgement.reason


PERTURBED = {
    figure1_claims.gmp_moves_gradually: "gmp",
    figure1_claims.small_perturbation_is_drastic: "sp",
    figure1_claims.gmp_is_most_stable: "gmp",
}


@pytest.mark.parametrize("judge", PERTURBED)
def test_statements_on_perturbations_hold_and_fail_when_their_numbers_are_others(judge):
    frame = gmp_perturbation.figure1(draws=50)
    assert judge(frame).verdict == Verdict.ORDER_HOLDS
    place = frame["parameterization"] == PERTURBED[judge]
    other = 0.0 if PERTURBED[judge] == "sp" else 179.0
    frame.loc[place, ["turned_degrees", "moved"]] = other
    assert judge(frame).verdict == Verdict.ORDER_FAILS


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
