"""What it would cost to decide an open claim, from the time that its runs took."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from reactivate.auditing.power import core_hours
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import HOLDS, UNDECIDED


def record(seconds, threads=1, read=()):
    return SimpleNamespace(
        times=SimpleNamespace(seconds=seconds),
        environment=SimpleNamespace(machine=SimpleNamespace(threads=threads)),
        read=[SimpleNamespace(file=name) for name in read],
    )


RECORDS = {
    Path("a/run.json"): record(1800, threads=2),
    Path("b/run.json"): record(3600),
    Path("c/run.json"): record(10, read=["a/run.json", "b/run.json", "data/x.safetensors"]),
}


def hours(judgement, *names):
    return core_hours(judgement, [Path(name) for name in names], RECORDS.__getitem__)


def open_claim(n, needed):
    return Judgement(UNDECIDED, "few runs", n=n, seeds_to_decide=needed)


def test_each_missing_replicate_takes_as_long_as_those_that_are_there():
    assert hours(open_claim(4, 10), "a/run.json", "b/run.json") == pytest.approx(6 * 2 / 4)


def test_a_record_counts_once_and_so_do_those_that_it_read():
    names = ("c/run.json", "a/run.json", "a/run.json")
    assert hours(open_claim(1, 2), *names) == pytest.approx((3600 + 3600 + 10) / 3600)


@pytest.mark.parametrize(
    ("judgement", "names", "expected"),
    [
        (Judgement(HOLDS, "sure", n=3), ["a/run.json"], None),
        (open_claim(3, 9), [], None),
        (open_claim(9, 5), ["a/run.json"], 0.0),  # they are there, and are not looked at yet
        (open_claim(None, 2), ["a/run.json"], 2.0),
    ],
)
def test_nothing_is_said_where_nothing_is_open_or_known(judgement, names, expected):
    assert hours(judgement, *names) == expected
