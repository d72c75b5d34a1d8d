"""Metrics: how many guesses an accuracy has, and which numbers are compared by their logs."""

import pytest
from reactivate.experiment.metrics import metric, metric_names

GUESSES = {"top1": 1, "error": 1, "clean": 1, "certified_000": 1, "top5": 5, "top5_error": 5}


def written(folder, text):
    path = folder / "metrics.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", metric_names())
def test_only_accuracies_of_whole_networks_tell_whether_they_learned(name):
    assert metric(name).guesses == GUESSES.get(name)


@pytest.mark.parametrize("name", metric_names())
def test_losses_and_errors_are_compared_by_logs_and_percentages_are_not(name):
    entry = metric(name)
    assert entry.logs == (name in ("loss_min", "test_rmse"))
    assert not (entry.logs and (entry.unit == "%" or entry.guesses))


def test_a_metric_says_neither_if_nothing_is_written(tmp_path):
    found = metric("toy", written(tmp_path, "toy: {unit: nats}"))
    assert (found.guesses, found.logs, found.better) == (None, False, "")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{unit: '%', guesses: 0}", r"toy\.guesses is 0; .* greater than or equal to 1"),
        ("{unit: '%', guesses: five}", r"toy\.guesses is 'five'; .* valid integer"),
        ("{unit: nats, logs: natural}", r"toy\.logs is 'natural'; .* valid boolean"),
        ("{unit: nats, log: true}", r"toy: unknown key 'log'; did you mean logs"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path, entry, message):
    with pytest.raises(ValueError, match=rf"metrics\.yaml: {message}"):
        metric("toy", written(tmp_path, f"toy: {entry}"))
