"""A run enters a comparison only if its network has learned, at its own scale."""

import math

import pytest
from scipy.stats import binomtest

ATTACKED = {
    "stage": "attack",
    "attack": {"name": "fgsm", "epsilon": 8},
    "window": 300,
}
CERTIFIED = {
    "stage": "certify",
    "sigma": 0.25,
    "n0": 10,
    "n": 100,
    "alpha": 0.001,
    "every": 20,
    "radii": [0.0, 0.25],
}


@pytest.mark.parametrize(
    ("accuracies", "best", "learned"),
    [
        ([36.6, 36.7], 90.0, [False, True]),  # a third of the way from 10 to 90 is 36.67
        ([10.5, 11.5], 12.0, [False, True]),  # above chance by luck, and by more than luck
        ([9.0, 90.0], 90.0, [False, True]),
    ],
)
def test_a_network_has_learned_if_it_is_above_chance_and_on_its_way_to_the_best(
    table, accuracies, best, learned
):
    found = table({("relu", "c"): accuracies, ("crelu", "c"): [best] * 2})
    assert found.learned("relu", "c", "document") == learned
    assert [x is not None for x in found.runs("relu", "c", "document").values()] == learned
    lucky = binomtest(1050, 10000, 0.1, alternative="greater").pvalue
    assert lucky > 0.001 > binomtest(1150, 10000, 0.1, alternative="greater").pvalue


def test_the_best_network_is_that_of_the_same_kind_of_number_on_the_same_data(table):
    columns = {
        "ten": {"dataset": "cifar10"},
        "hundred": {"dataset": "cifar100"},
        "five": {"dataset": "cifar10", "metric": "top5"},
    }
    values = {
        ("relu", "ten"): [30.0],
        ("crelu", "ten"): [50.0],
        ("relu", "hundred"): [30.0],
        ("crelu", "hundred"): [90.0],
        ("relu", "five"): [99.0],
        ("crelu", "five"): [99.0],
    }
    found = table(values, columns=columns)
    assert found.learned("relu", "ten", "document") == [True]  # 30 of 10 to 50
    assert found.learned("relu", "hundred", "document") == [False]  # 30 of 1 to 90


def test_an_error_is_an_accuracy_the_other_way_round(table):
    found = table({("relu", "c"): [80.0, 60.0], ("crelu", "c"): [10.0, 10.0]}, metric="error")
    assert found.learned("relu", "c", "document") == [False, True]


@pytest.mark.parametrize(("guesses", "chance"), [("top1", 10.0), ("top5", 50.0)])
def test_five_guesses_are_right_five_times_as_often_by_chance(table, guesses, chance):
    values = {("relu", "c"): [chance + 0.5, chance + 8.0], ("crelu", "c"): [chance + 20.0] * 2}
    found = table(values, columns={"c": {"metric": guesses}})
    assert found.learned("relu", "c", "document") == [False, True]


@pytest.mark.parametrize(
    ("measure", "values", "learned"),
    [
        ("map", [11.9, 12.1], [False, True]),  # a third of the way from 0 to 36
        ("map", [0.0, 12.1], [False, True]),
        ("miou", [18.6, 18.7], [False, True]),  # from one class of ten
    ],
)
def test_other_shares_tell_by_what_a_network_has_that_knows_nothing(
    table, measure, values, learned
):
    columns = {"c": {"metric": measure}, "other": {"metric": "ap50"}}
    numbers = {("relu", "c"): values, ("crelu", "c"): [36.0] * 2}
    numbers |= {("relu", "other"): [50.0] * 2, ("crelu", "other"): [50.0] * 2}
    found = table(numbers, columns=columns)
    assert found.learned("relu", "c", "document") == learned
    assert found.learned("relu", "other", "document") == learned


def test_a_number_that_is_no_accuracy_is_gated_by_that_of_its_network(table):
    columns = {"c": {"metric": "top1"}, "loss": {"metric": "loss_min"}}
    values = {
        ("relu", "c"): [10.0, 80.0],
        ("relu", "loss"): [2.3, 0.7],
        ("crelu", "c"): [90.0, 90.0],
        ("crelu", "loss"): [0.5, 0.5],
    }
    found = table(values, columns=columns)
    assert found.runs("relu", "loss", "document") == {0: None, 1: 0.7}


def test_the_best_guess_tells_where_several_accuracies_could(table):
    columns = {
        "five": {"metric": "top5"},
        "one": {"metric": "top1"},
        "loss": {"metric": "loss_min"},
    }
    values = {
        ("relu", "five"): [60.0],  # a fifth of the way
        ("relu", "one"): [80.0],
        ("relu", "loss"): [1.0],
        ("crelu", "five"): [99.0],
        ("crelu", "one"): [90.0],
        ("crelu", "loss"): [0.5],
    }
    printed = {("relu", "five"): "95", ("crelu", "five"): "99"}
    found = table(values, columns=columns, printed=printed)
    assert found.runs("relu", "loss", "document") == {0: 1.0}
    assert found.runs("relu", "five", "document") == {0: None}


def test_where_nothing_tells_every_run_counts(table):
    found = table({("relu", "c"): [3.0, 2.0]}, metric="loss_min")
    assert found.runs("relu", "c", "document") == {0: 3.0, 1: 2.0}


@pytest.mark.parametrize(
    ("members", "vote"),
    [
        ([10.0, 80.0, 80.0], 15.0),
        ([10.0, 10.0, 80.0], None),
        ([10.0, 10.0, 80.0, 80.0], None),
    ],
)
def test_a_vote_counts_if_more_than_half_of_its_networks_learned(table, members, vote):
    columns = {"alone": {"metric": "error"}, "vote": {"metric": "vote_error"}}
    values = {
        ("relu", "alone"): [100 - x for x in members],
        ("relu", "vote"): [15.0],
        ("crelu", "alone"): [10.0] * len(members),
        ("crelu", "vote"): [8.0],
    }
    found = table(values, columns=columns)
    assert found.runs("relu", "vote", "document") == {0: vote}


def test_networks_that_are_printed_not_to_learn_are_not_left_out(table):
    values = {("relu", "c"): [10.0, 90.0], ("crelu", "c"): [90.0, 90.0]}
    printed = {("relu", "c"): "10.00", ("crelu", "c"): "92.00"}
    found = table(values, printed=printed)
    assert not found.is_printed_to_learn("relu", "c")
    assert found.is_printed_to_learn("crelu", "c")
    assert found.runs("relu", "c", "document") == {0: 10.0, 1: 90.0}


@pytest.mark.parametrize(
    ("printed", "learned"), [("37.3", True), ("37.2", False), ("", True), ("?", True)]
)
def test_what_is_printed_is_held_to_a_third_of_the_way_to_the_best_that_is_printed(
    table, printed, learned
):
    places = {("relu", "c"): [50.0], ("crelu", "c"): [50.0]}
    found = table(places, printed={("relu", "c"): printed, ("crelu", "c"): "91.9"})
    assert found.is_printed_to_learn("relu", "c") == learned


@pytest.mark.parametrize(("printed", "learned"), [("63", False), ("64", True)])
def test_five_printed_guesses_are_held_to_five_times_the_chance(table, printed, learned):
    places = {("relu", "c"): [80.0], ("crelu", "c"): [80.0]}
    found = table(
        places,
        columns={"c": {"metric": "top5"}},
        printed={("relu", "c"): printed, ("crelu", "c"): "90"},  # a third of the way is 63.3
    )
    assert found.is_printed_to_learn("relu", "c") == learned


def test_a_regression_has_learned_if_its_error_is_below_the_deviation_of_the_target(table):
    values = {("relu", "c"): [9.19, 9.20, 3.0], ("crelu", "c"): [1.0] * 3}
    found = table(values, dataset="boston", metric="test_rmse")  # its target deviates by 9.1971
    assert found.runs("relu", "c", "document") == {0: 9.19, 1: None, 2: 3.0}
    assert found.is_printed_to_learn("relu", "c")
    assert found.grain("relu", "c", "document") == 0.0


def test_where_the_accuracy_that_would_tell_was_not_run_every_run_counts(table):
    columns = {"c": {"metric": "top1"}, "loss": {"metric": "loss_min"}}
    found = table({("relu", "loss"): [2.3, 0.7]}, columns=columns)
    assert found.runs("relu", "loss", "document") == {0: 2.3, 1: 0.7}


def test_a_run_that_diverged_has_no_number(table):
    found = table({("relu", "c"): [math.nan, 2.0]}, metric="loss_min")
    assert found.runs("relu", "c", "document") == {0: None, 1: 2.0}


def test_what_was_not_run_has_no_runs(table):
    found = table({("relu", "c"): [50.0]}, rows=["relu", "crelu"])
    assert found.runs("crelu", "c", "document") is None


@pytest.mark.parametrize(
    ("measurement", "images"),
    [
        (None, 10000),
        (CERTIFIED, 500),
        ({**CERTIFIED, "images": 400}, 400),
        ({**CERTIFIED, "every": 3}, 3334),
    ],
)
def test_a_step_of_an_accuracy_is_one_of_the_images_it_was_measured_on(table, measurement, images):
    columns = {"c": {"metric": "certified_025", "measurement": "m"} if measurement else {}}
    measured = {"m": measurement} if measurement else None
    found = table({("relu", "c"): [50.0]}, columns=columns, measurements=measured)
    assert found.images("relu", "c", "document") == images
    assert found.grain("relu", "c", "document") == pytest.approx(100 / images)


@pytest.mark.parametrize(("more", "images"), [({}, 300), ({"images": 200}, 200)])
def test_a_running_mean_is_over_the_images_of_its_window(table, more, images):
    columns = {"c": {"metric": "top1", "measurement": "m"}}
    found = table({("relu", "c"): [50.0]}, columns=columns, measurements={"m": ATTACKED | more})
    assert found.images("relu", "c", "document") == images


def test_fewer_images_of_a_scale_are_a_larger_step(table):
    limits = {"recipes": {"document": {"data_fraction": 0.02}}}
    found = table({("relu", "c"): [50.0]}, scale="smoke", limits=limits)
    assert found.images("relu", "c", "document") == 200


def test_a_loss_has_no_smallest_step(table):
    assert table({("relu", "c"): [2.0]}, metric="loss_min").grain("relu", "c", "document") == 0.0
