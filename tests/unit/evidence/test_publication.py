"""Which files that a record vouches for are published with it."""

import pytest
from reactivate.evidence.publication import is_left_out
from reactivate.evidence.records import Record


@pytest.mark.parametrize(
    ("name", "stage", "settings", "left_out"),
    [
        ("model.safetensors", "train", {"epochs": 1}, True),
        ("metrics.csv", "train", {"epochs": 1}, False),
        ("masks.csv", "prune", {"epochs": 1}, True),
        ("images.csv", "attack", {"steps": 1}, True),  # no figure reads them, unlike certificates
        ("images.csv", "certify", {"n": 1}, False),
        ("values.csv", "analyse", {"repeats": 1}, True),  # the figure's csv has them
        ("values.csv", "analyse", {}, True),
        ("values.csv", "analyse", None, False),  # of a table that was recomputed
        ("values.csv", "train", {"epochs": 1}, False),
    ],
)
def test_what_is_large_or_told_elsewhere_is_not_published(name, stage, settings, left_out):
    record = Record.model_construct(stage=stage, settings=settings)
    assert is_left_out(name, record) == left_out
