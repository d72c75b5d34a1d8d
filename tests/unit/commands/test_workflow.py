"""How far Snakemake is, is read from the log that it writes."""

from datetime import datetime

import pytest
from reactivate.commands.workflow import WorkflowRun, running_workflow

STARTED = datetime(2026, 11, 17, 16, 0, 0).timestamp()
STATS = """Building DAG of jobs...
Job stats:
job      count
-----  -------
train        3
all          1
total        4

Execute 1 jobs...
"""
ONE = "[Tue Nov 17 16:08:46 2026]\nFinished jobid: 1 (Rule: train)\n1 of 4 steps (25%) done\n"
FAILURE = "Error in rule train:\n    message: None\n    jobid: 2\n"


@pytest.fixture
def kept(tmp_path):
    """``kept(text)``: the folder that Snakemake keeps while it runs, with its log."""

    def write(text, locked=True, name="2026-11-17T160000.000000"):
        for folder in ("log", "locks"):
            (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / "log" / f"{name}.snakemake.log").write_text(text, encoding="utf-8")
        if locked:
            (tmp_path / "locks" / "0.output.lock").touch()
        return tmp_path

    return write


def test_nothing_is_known_before_a_job_is_done(kept):
    run = running_workflow(STARTED + 60, kept(STATS))
    assert run == WorkflowRun(0, 4, (), 60.0)
    assert run.seconds_left is None


def test_the_other_jobs_are_expected_to_take_as_long(kept):
    run = running_workflow(STARTED + 100, kept(STATS + ONE + FAILURE))
    assert run == WorkflowRun(1, 4, ("train",), 100.0)
    assert run.seconds_left == 300.0


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        (STATS + ONE + "Complete log(s): x\n", True),  # it ended
        (STATS + ONE, False),  # it was killed
        ("Building DAG of jobs...\n", True),  # nothing is known yet
    ],
)
def test_a_run_that_ended_or_has_not_begun_is_none(kept, text, locked):
    assert running_workflow(STARTED, kept(text, locked)) is None


def test_the_newest_log_counts(kept):
    kept(STATS + ONE)
    folder = kept(STATS, name="2026-11-17T160100.000000")
    assert running_workflow(STARTED + 60, folder).done == 0


def test_without_a_log_nothing_runs(tmp_path):
    assert running_workflow(STARTED, tmp_path) is None
