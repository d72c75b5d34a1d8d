"""What is compared in GmP's Figures 1 to 3: the replicates, and what other numbers make of it."""

import math
from itertools import product

import pandas as pd
import pytest
from reactivate.documents.gmp import figure1_claims, figure2_claims, figure3_claims
from reactivate.documents.gmp.figure1 import figure1
from reactivate.documents.gmp.networks import PARAMETERIZATIONS
from reactivate.documents.gmp.rates import RATES
from reactivate.experiment.choices import marked
from reactivate.experiment.loading import load_paper
from reactivate.judging.questions import question_of

SMALL, LARGE = RATES
OTHERS = ("SP", "WN", "BN")
GATES = {"test_rmse": 1.0, "test_accuracy": 0.9}  # scores of networks that learned


def networks(seeds=3, unlearned=(), **changes):
    """Numbers of both figures: 1 for every network, but for what changes.

    A change is ``quantity={(parameterization, rate): values by seed}``.
    """
    rows = []
    quantities = {*changes, *GATES, "distance_to_location"}
    for quantity, name, rate in product(quantities, PARAMETERIZATIONS, RATES):
        plain = [GATES.get(quantity, 1.0)] * seeds
        values = list(changes.get(quantity, {}).get((name, rate), plain))
        for seed, value in enumerate(values):
            lost = (name, rate, seed) in unlearned and quantity in GATES
            found = {"test_rmse": 9.0, "test_accuracy": 0.5}[quantity] if lost else value
            rows.append((quantity, name, rate, seed, found))
    frame = pd.DataFrame(rows, columns=["quantity", "parameterization", "rate", "seed", "value"])
    levy = pd.DataFrame({"quantity": "levy", "value": [-3.0, 3.0]})
    training = pd.DataFrame({"quantity": "training", "value": [0.0, 1.0] * 400, "x1": 3, "x2": 4})
    return pd.concat([frame.sample(frac=1, random_state=0), levy, training])


def others(values, rate):
    return {(name, rate): values for name in ("sp", "wn", "bn")}


def asked(name):
    """What the document's claim asks of replicates, and the marks of its readings."""
    claim = load_paper("gmp").claims[name]
    marks = {mark: marked(claim.choices, mark) for mark in ("afterwards", "on_test_split")}
    return lambda found: question_of(claim.effect, "laptop").answer(found, **marks)


LOWER = {
    "gmp_lowest_levy_error": (figure2_claims.gmp_lowest_error, "test_rmse", SMALL),
    "gmp_directions_are_stable": (
        figure3_claims.gmp_directions_are_stable,
        "largest_turn_ever",
        LARGE,
    ),
    "gmp_is_smooth_at_ten_times_the_rate": (
        figure3_claims.gmp_is_smooth_at_ten_times_the_rate,
        "largest_move_ever",
        LARGE,
    ),
}


@pytest.mark.parametrize("name", LOWER)
def test_gmp_is_lower_by_the_difference_of_logs(name):
    judge, quantity, rate = LOWER[name]
    near = [2.0, 2.1, 2.2]
    numbers = {
        **others(near, rate),
        ("gmp", LARGE): [0.5, 0.6, 0.5],
        ("wn", rate): [0.4, 0.3, 0.2],
    }
    found = judge(networks(**{quantity: numbers}))
    assert set(found) == set(OTHERS)
    logs = [math.log(x) for x in near]
    assert found["SP"].samples[0] == pytest.approx([-math.log(x) for x in (0.5, 0.6, 0.5)])
    assert found["SP"].samples[1] == pytest.approx([-x for x in logs])
    assert found["SP"].mean > 0 > found["WN"].mean
    assert not found["SP"].paired


@pytest.mark.parametrize("name", LOWER)
def test_a_network_that_did_not_learn_is_counted_and_not_compared(name):
    judge, quantity, rate = LOWER[name]
    numbers = {quantity: others([2.0, 2.1, 2.2], rate)}
    found = judge(networks(unlearned={("sp", rate, 1)}, **numbers))
    assert (found["SP"].n, found["SP"].unlearned) == (2, 1)
    assert (found["WN"].n, found["WN"].unlearned) == (3, 0)


def test_networks_learn_if_they_are_better_than_the_deviation_of_the_function():
    errors = {("sp", SMALL): [2.9, 3.0, 3.1]}
    found = figure2_claims.gmp_lowest_error(networks(test_rmse=errors))
    assert [x is None for x in found["SP"].other] == [False, True, True]


def test_classifiers_learn_if_they_are_a_third_of_the_way_from_guessing_to_the_best():
    accuracies = {("sp", SMALL): [0.90, 0.64, 0.62]}  # chance 0.5, best 0.9
    found = figure3_claims.gmp_highest_accuracy(networks(test_accuracy=accuracies)).found
    effect = found["test rows watched"]["SP"]
    assert [x is None for x in effect.other] == [False, False, True]


@pytest.mark.parametrize(("last", "verdict"), [(0.9, "holds"), (1.0, "undecided")])
def test_steps_that_stay_below_1_are_true_and_others_false(last, verdict):
    changes = {("gmp", LARGE): [0.4] * 7 + [last], ("gmp", SMALL): [7.0] * 8}
    found = figure2_claims.gmp_steps_stay_below_1(networks(8, largest_change_ever=changes))
    assert found == {**dict.fromkeys(range(7), True), 7: last < 1}
    assert str(asked("gmp_steps_stay_below_1")(found).verdict) == verdict


REACHED = {
    "other_steps_reach_2_16": (
        figure2_claims.other_steps_reach_2_16,
        "largest_change_ever",
        (65535.0, 65536.0),
    ),
    "other_directions_turn_round": (
        figure3_claims.other_directions_turn_round,
        "largest_turn_ever",
        (179.4, 179.6),
    ),
}


@pytest.mark.parametrize("name", REACHED)
def test_one_run_of_one_other_parameterization_is_enough(name):
    judge, quantity, values = REACHED[name]
    for value, verdict in zip(values, ("undecided", "holds"), strict=True):
        found = judge(networks(**{quantity: {("bn", LARGE): [1.0, value, 1.0]}}))
        assert found["BN"] == {0: 1.0, 1: value, 2: 1.0}
        assert str(asked(name)(found).verdict) == verdict


@pytest.mark.parametrize("name", REACHED)
def test_what_gmp_reaches_says_nothing_of_others(name):
    judge, quantity, (_, value) = REACHED[name]
    found = judge(
        networks(**{quantity: {("gmp", LARGE): [value] * 3, ("sp", SMALL): [value] * 3}})
    )
    assert set(found) == set(OTHERS)
    assert str(asked(name)(found).verdict) == "undecided"


def rates(gmp, sp):
    """Errors at both rates; GmP and SP have the lower one where they are told to."""
    errors = {
        (name, rate): [1.0 if rate == best else 2.0 for best in chosen]
        for name, chosen in (("gmp", gmp), ("sp", sp))
        for rate in RATES
    }
    return figure2_claims.rates_of_figure2(networks(len(gmp), test_rmse=errors))


def test_rates_are_compared_by_their_logs_and_equal_ones_tie():
    found = rates([LARGE] * 3, [SMALL, LARGE, SMALL]).found[figure2_claims.BETTER]["SP"]
    ours, theirs = found.samples
    apart = [a - b for a, b in zip(ours, theirs, strict=True)]
    assert apart == pytest.approx([math.log(10), 0.0, math.log(10)])
    assert found.grain == pytest.approx(math.log(10))


def test_a_rate_that_the_test_points_choose_never_confirms():
    found = rates([LARGE] * 13, [SMALL] * 13)
    case = found.found[figure2_claims.BETTER]["SP"]
    everyone = type(found)({figure2_claims.BETTER: dict.fromkeys(OTHERS, case)})
    assert case.mean > 0
    assert str(asked("levy_rates")(everyone).verdict) == "undecided"


SPREAD = {
    "test_rmse": (figure2_claims.spread_lowers_error, (1.4, 1.3, 1.2, 1.1)),
    "test_accuracy": (figure3_claims.spread_raises_accuracy, (0.7, 0.8, 0.85, 0.9)),
}


@pytest.mark.parametrize("quantity", SPREAD)
@pytest.mark.parametrize("helps", [True, False])
def test_spread_helps_when_networks_nearer_to_the_data_are_better(quantity, helps):
    judge, values = SPREAD[quantity]
    names = ("sp", "wn", "bn", "gmp")
    at = {name: LARGE if name == "gmp" else SMALL for name in names}
    far = {(n, at[n]): [d] * 3 for n, d in zip(names, (4.0, 3.0, 2.0, 1.0), strict=True)}
    scores = values if helps else values[::-1]
    own = {(n, at[n]): [v] * 3 for n, v in zip(names, scores, strict=True)}
    lost = {("wn", SMALL, 2)}
    found = judge(networks(unlearned=lost, distance_to_location=far, **{quantity: own}))
    effect = found.found["test rows watched"] if quantity == "test_accuracy" else found
    rho = 1.0 if helps else -1.0
    assert effect.stated == (rho, rho, None)
    assert effect.grain == pytest.approx(0.2)


@pytest.mark.parametrize(("gmp", "sign"), [(0.91, 1), (0.89, -1)])
def test_accuracies_differ_by_whole_test_rows_and_never_confirm(gmp, sign):
    accuracies = {("gmp", LARGE): [gmp] * 13, ("gmp", SMALL): [0.7] * 13}
    found = figure3_claims.gmp_highest_accuracy(networks(13, test_accuracy=accuracies))
    effect = found.found["test rows watched"]["WN"]
    assert effect.mean == pytest.approx(sign * 0.01)
    assert effect.grain == pytest.approx(1 / 200)
    assert str(asked("gmp_highest_banana_accuracy")(found).verdict) != "holds"


@pytest.mark.parametrize(
    ("gmp", "verdict"), [([1.0, 1.1, 1.2], "holds"), ([4, 4.1, 4.2], "depends")]
)
def test_locations_that_are_not_nearest_are_excused_by_those_at_the_start(gmp, verdict):
    distances = {**others([2.0, 2.01, 1.99], SMALL), ("gmp", LARGE): gmp}
    found = figure3_claims.gmp_locations_cover_the_data(networks(distance_to_location=distances))
    start = found.found["than at the start"]["GmP"]
    assert start.stated == pytest.approx([math.log(5 / end) for end in gmp])  # inputs are (3, 4)
    assert str(asked("banana_locations_cover_the_data")(found).verdict) == verdict


PERTURBED = {
    "gmp_moves_gradually": ("gmp", figure1_claims.gmp_moves_gradually),
    "gmp_is_most_stable": ("gmp", figure1_claims.gmp_is_most_stable),
    "small_perturbation_is_drastic": ("sp", figure1_claims.small_perturbation_is_drastic),
}


@pytest.mark.parametrize("column", ["turned_degrees", "moved"])
@pytest.mark.parametrize("name", PERTURBED)
def test_statements_on_perturbations_hold_and_do_not_when_their_numbers_are_others(name, column):
    arm, judge = PERTURBED[name]
    frame = figure1(draws=50)
    assert str(asked(name)(judge(frame)).verdict) == "holds"
    frame.loc[frame["parameterization"] == arm, column] = 0.0 if arm == "sp" else 179.0
    found = judge(frame)
    if name == "gmp_moves_gradually":
        assert found.mean == (0.5 if column == "turned_degrees" else -0.5)
        return
    reading = {"turned_degrees": "direction", "moved": "location"}[column]
    changed = asked(name)(found.found[reading]).verdict
    assert str(changed) == ("undecided" if arm == "sp" else "fails")


def test_each_unit_is_a_replicate_with_a_grain_of_one_unit():
    effect = figure1_claims.gmp_moves_gradually(figure1(draws=50))
    assert effect.n == 50
    assert effect.grain == 1.0


def test_a_location_is_moved_in_units_of_the_median_distance():
    frame = figure1(draws=3)
    place = frame["parameterization"] == "unperturbed"
    frame.loc[place, ["location1", "location2"]] = [[3.0, 4.0], [0.0, 0.1], [30.0, 40.0]]
    small = (frame["parameterization"] == "wn") & (frame["epsilon"] == 1e-3)
    frame.loc[small, ["turned_degrees", "moved"]] = [[45.0, 1.0], [90.0, 2.0], [180.0, 10.0]]
    found = figure1_claims.small_perturbation_is_drastic(frame).found
    assert found["location"]["WN"] == pytest.approx({0: 0.2, 1: 0.4, 2: 2.0})
    assert found["direction"]["WN"] == pytest.approx({0: 0.5, 1: 1.0, 2: 2.0})
