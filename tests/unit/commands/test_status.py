"""Running trainings are listed from their heartbeats; one that was killed is called quiet."""

from dataclasses import asdict

import pytest
from reactivate.commands import status as command
from reactivate.commands.status import bar_lines, find_running, status, watch
from reactivate.commands.workflow import WorkflowRun
from reactivate.foundation.files import write_json
from reactivate.training.heartbeat import HEARTBEAT, Beat

NOW = 1_800_000_000.0
PLACE = "results/laptop/thesis/runs/cifar10/vgg16-relu-bn-chapter3/seed1"


@pytest.fixture(autouse=True)
def _empty_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command.time, "time", lambda: NOW)


@pytest.fixture
def beat(tmp_path):
    """``beat(age, **values)``: a training whose newest news are ``age`` seconds old."""

    def write(age, place=PLACE, **values):
        usual = Beat("here", 1, 4, 16, 61.234, 0.9876, 120.0, 360.0, NOW - age)
        write_json(tmp_path / place / HEARTBEAT, asdict(usual) | values)

    return write


@pytest.fixture
def printed(capsys):
    """``printed()``: the lines that ``reactivate status`` prints."""

    def lines():
        status()
        return capsys.readouterr().out.splitlines()

    return lines


def finish(tmp_path, place):
    write_json(tmp_path / place / "run.json", {})


def test_a_running_training_is_told_with_epoch_accuracy_loss_and_time_left(beat, printed):
    beat(age=8)
    headings, line, summary = printed()
    assert line.split() == [
        *("laptop", "thesis", "cifar10", "vgg16-relu-bn-chapter3", "1"),
        *("4/16", "61.23", "%", "0.9876", "6", "min", "8", "s", "ago"),
    ]
    assert line.index("4/16") == headings.index("epoch")
    assert summary == "laptop: 0 finished, 1 running"


@pytest.mark.parametrize("untested", [float("nan"), "nan"])  # JSON has the second
def test_a_training_without_tests_has_no_accuracy(beat, printed, untested):
    beat(age=8, test=untested)
    headings, line, _ = printed()
    assert line[headings.index("test") :].split() == ["-", "0.9876", "6", "min", "8", "s", "ago"]


def test_a_training_that_is_looked_at_is_told_as_such(beat, printed):
    beat(age=8, place=PLACE.replace("/runs/", "/observe/"))
    assert "vgg16-relu-bn-chapter3 (observed)  1" in printed()[1]


@pytest.mark.parametrize(
    ("age", "seconds", "quiet"),
    [
        (119, 4.0, False),  # epochs of one second
        (121, 4.0, True),
        (299, 400.0, False),  # epochs of a hundred seconds
        (301, 400.0, True),
    ],
)
def test_a_training_is_quiet_after_two_minutes_and_three_epochs(
    beat, printed, age, seconds, quiet
):
    beat(age, seconds=seconds)
    _, line, summary = printed()
    assert line.endswith(f"quiet for {age / 60:.0f} min (killed?)") == quiet
    assert summary == f"laptop: 0 finished, {0 if quiet else 1} running" + ", 1 quiet" * quiet


def test_a_loss_that_is_no_number_is_told(beat, printed):
    beat(age=1, train_loss=float("nan"))
    assert " nan " in printed()[1]


def test_finished_runs_are_counted_by_scale(tmp_path, beat, printed):
    beat(age=1)
    finish(tmp_path, PLACE.replace("seed1", "seed0"))
    finish(tmp_path, "results/smoke/gmp/runs/boston/mlp100-relu-sp-document")
    finish(tmp_path, "results/smoke/gmp/analyse/table5")  # an analysis is not a run
    assert printed()[-1] == "laptop: 1 finished, 1 running; smoke: 1 finished, 0 running"


def test_a_file_that_is_no_heartbeat_is_passed_over(tmp_path, beat, printed):
    beat(age=1)
    half = tmp_path / PLACE.replace("seed1", "seed2") / HEARTBEAT
    half.parent.mkdir()
    half.write_text('{"epoch": ', encoding="utf-8")
    assert len(printed()) == 3


def test_without_results_it_says_how_to_start(printed):
    assert printed() == [
        "nothing is running",
        "no run has finished; start some, e.g. snakemake smoke",
    ]


def test_bars_show_how_far_all_jobs_and_each_training_are(beat):
    beat(age=8)
    beat(age=500, place=PLACE.replace("seed1", "seed2"))
    run = WorkflowRun(1, 4, ("train", "train"), 120.0)
    assert list(bar_lines(run, find_running(NOW), 80)) == [
        "[#####...............]       1/4 about 6 min left  all jobs",
        "failed: 2 of rule train; Snakemake prints the log",
        "[#####...............]      4/16            6 min  thesis cifar10 vgg16-relu-bn-",
        "[#####...............]      4/16      quiet 8 min  thesis cifar10 vgg16-relu-bn-",
    ]


def test_bars_without_anything_say_so():
    assert list(bar_lines(None, [], 80)) == ["nothing is running"]


def test_watching_goes_on_until_it_is_stopped(beat, monkeypatch, capsys):
    beat(age=8)
    looks = []

    def sleep(seconds):
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", sleep)
    watch(7)
    assert looks == [7, 7, 7]
    assert capsys.readouterr().out.count("laptop: 0 finished, 1 running") == 3
