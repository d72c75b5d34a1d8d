"""SIGTERM keeps the state of a training after the step it came in, exactly."""

import os
import signal

import pytest
from reactivate.training.ending import EXIT_CODE, Ending
from reactivate.training.processes import own_cpus

CASES = ["dropout", "plateau", "defended", "pruned"]


@pytest.mark.parametrize(
    "case", ["adam", *(pytest.param(case, marks=pytest.mark.slow) for case in CASES)]
)
def test_a_training_that_is_told_to_end_goes_on_within_the_epoch_to_the_same_bytes(forked, case):
    found = forked("terminate", case)
    *stops, last = found["codes"]
    assert set(stops) == {EXIT_CODE}
    assert last == 0
    assert found["resumes"] == len(stops) >= 4
    assert {batches for _, batches in found["stops"]} == {1, 2, 3}
    assert found["killed"] == found["alone"]


@pytest.mark.slow
def test_of_two_processes_both_end_when_one_is_told_to(forked):
    found = forked("terminate_together", "plateau")
    *stops, last = found["codes"]
    assert len(stops) >= 2
    assert all(codes == [EXIT_CODE, EXIT_CODE] for codes in stops)
    assert last == [0, 0]
    assert {batches for _, batches in found["stops"]} - {0}
    assert found["killed"] == found["together"]


def test_the_signal_is_remembered_and_its_old_handler_put_back():
    before = signal.getsignal(signal.SIGTERM)
    with Ending() as ending:
        assert not ending()
        os.kill(os.getpid(), signal.SIGTERM)
        assert ending()
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize(
    ("asked", "job", "processes", "expected"),
    [
        (3, None, None, 3),
        (8, None, "4", 2),
        (1, "2", None, 2),
        (1, "64", "2", 2),
        (1, "2", "4", 1),
    ],
)
def test_a_process_has_its_part_of_the_cpus_of_the_job(
    monkeypatch, asked, job, processes, expected
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4))
    for name, value in (("SLURM_CPUS_PER_TASK", job), ("LOCAL_WORLD_SIZE", processes)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert own_cpus(asked) == expected
