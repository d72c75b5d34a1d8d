"""Choices: what a document leaves open, which readings are marked, and which were not computed."""

import pytest
from pydantic import ValidationError
from reactivate.experiment.choices import Choice, check_marks, choices_text, marked, unread

LOSS = Choice(value="mse", alternatives=["mae", "huber"], reason="the metric is RMSE")
HOLD_OUT = Choice(
    value="none",
    alternatives=["a fifth"],
    reason="none is named",
    afterwards=["a fifth", "a tenth"],
    on_test_split=["test rows"],
)
RATE = Choice(value="0.1", reason="the only one printed", afterwards=["0.2"])
CHOICES = {"loss": LOSS, "hold_out": HOLD_OUT, "rate": RATE}


@pytest.mark.parametrize(
    ("mark", "expected"),
    [("afterwards", {"a fifth", "a tenth", "0.2"}), ("on_test_split", {"test rows"})],
)
def test_readings_are_marked_by_any_choice(mark, expected):
    assert marked(CHOICES, mark) == expected
    assert marked({"loss": LOSS}, mark) == set()


@pytest.mark.parametrize("mark", ["afterwards", "on_test_split"])
@pytest.mark.parametrize(
    "reading", ["mse", "huber", "cv", "none / mae", "a fifth / cv", "0.1 / mse / none"]
)
def test_marks_may_stand_at_values_alternatives_protocols_and_crossings_of_these(mark, reading):
    rate = RATE.model_copy(update={"afterwards": [], mark: [reading]})
    hold_out = HOLD_OUT.model_copy(update={"afterwards": [], "on_test_split": []})
    check_marks({"loss": LOSS, "hold_out": hold_out, "rate": rate}, ["document", "cv"], "here")


@pytest.mark.parametrize("mark", ["afterwards", "on_test_split"])
@pytest.mark.parametrize(
    ("reading", "unknown"),
    [("a tenth", "a tenth"), ("mae / a tenth", "a tenth"), ("mae/mse", "mae/mse"), ("Mae", "Mae")],
)
def test_a_mark_at_what_no_reading_is_named_is_refused(mark, reading, unknown):
    rate = Choice.model_validate({"value": "0.1", "reason": "printed", mark: ["0.1", reading]})
    with pytest.raises(ValueError, match="unknown reading") as error:
        check_marks({"loss": LOSS, "rate": rate}, ["cv"], "x.yaml: claims.y.choices")
    message = str(error.value)
    assert message.startswith(f"x.yaml: claims.y.choices.rate.{mark}: unknown reading {unknown!r}")
    assert message.endswith("Known: 0.1, cv, huber, mae, mse. Add it to rate.alternatives")


@pytest.mark.parametrize(
    ("computed", "expected"),
    [
        ([], ["loss: mae", "loss: huber", "hold_out: a fifth"]),
        (["mae", "mse"], ["loss: huber", "hold_out: a fifth"]),
        (["mae", "huber", "a fifth"], []),
        (["Mae"], ["loss: mae", "loss: huber", "hold_out: a fifth"]),
        (["mse / a fifth", "mae / none"], ["loss: huber"]),
        (["mae and huber", "amae / x"], ["loss: mae", "loss: huber", "hold_out: a fifth"]),
    ],
)
def test_alternatives_without_a_computation_are_listed(computed, expected):
    assert unread(CHOICES, computed) == expected
    assert unread(CHOICES, iter(computed)) == expected


def test_choices_are_sentences():
    assert choices_text({"loss": LOSS, "hold_out": HOLD_OUT}) == (
        "loss: mse (or mae, huber), because the metric is RMSE; "
        "hold out: none (or a fifth), because none is named"
    )
    assert choices_text({"rate": RATE}) == "rate: 0.1, because the only one printed"
    assert choices_text({}) == ""


@pytest.mark.parametrize("missing", ["value", "reason"])
def test_a_choice_has_a_value_and_a_reason(missing):
    given = {key: text for key, text in {"value": "a", "reason": "b"}.items() if key != missing}
    with pytest.raises(ValidationError, match="Field required"):
        Choice.model_validate(given)
