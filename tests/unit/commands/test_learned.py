"""Which networks have learned: beside the measurements that are published of them."""

import csv
import json
from pathlib import Path

import pytest
from reactivate.commands.learned import Lesson, learned, lessons
from reactivate.evidence.records import read_record
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import PUBLISHED, RECORD
from reactivate.experiment.run_exhibit import RunExhibit


def published(paper: str, name: str) -> tuple[RunExhibit, list[Path]]:
    """A published table of laptop, and the folders of the runs behind it, each once."""
    exhibit = Experiment.load("laptop").exhibit(paper, name)
    folders = [folder for place in exhibit.places for folder in exhibit.folders(place, PUBLISHED)]
    return exhibit, [folder for folder in dict.fromkeys(folders) if (folder / RECORD).exists()]


def measured(folder: Path, column: str) -> float:
    """A number of the only network of a run."""
    with (folder / "metrics.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    return float(row[column])


def test_networks_of_a_table_count_once_with_the_accuracies_that_were_measured():
    exhibit, folders = published("iieu", "table1")
    (lesson,) = lessons(exhibit)
    assert sorted(lesson.accuracies) == sorted(measured(folder, "top1") for folder in folders)
    assert len(lesson.learned) == sum(lesson.seeds) == len(lesson.minutes) == len(folders)


def test_minutes_are_those_of_the_records():
    exhibit, folders = published("crelu", "table4")
    taught = lessons(exhibit)
    told = sorted(minutes for lesson in taught for minutes in lesson.minutes)
    records = [read_record(folder / RECORD) for folder in folders]
    seconds = [record.times.seconds * record.environment.machine.threads for record in records]
    assert told == pytest.approx(sorted(second / 60 for second in seconds))


def test_a_network_at_chance_has_not_learned():
    exhibit, folders = published("thesis", "table3_2")
    taught = lessons(exhibit)
    pairs = [
        pair for lesson in taught for pair in zip(lesson.accuracies, lesson.learned, strict=True)
    ]
    assert len(pairs) == len(folders)
    assert all(not passed for accuracy, passed in pairs if accuracy <= 10)


def test_a_line_says_lowest_and_highest():
    lesson = Lesson(
        "a/table", "data, recipe", "epochs = 2", [1.0, 3.0], [True, False], [2], [4, 6]
    )
    assert (
        lesson.line == "| a/table | data, recipe | epochs = 2 | 5.0 | 2 | 1.0 to 3.0 % | 1 of 2 |"
    )


def test_at_a_terminal_lines_fit_and_say_the_same(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    learned(["gmp"], "laptop")
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    (first, *_) = lessons(Experiment.load("laptop").exhibit("gmp", "table1"))
    assert f"{sum(first.learned)} of {len(first.learned)} networks have learned" in text
    assert "|" not in text


def test_an_unknown_paper_is_named():
    with pytest.raises(ValueError, match="unknown paper 'pcs'"):
        learned(["pcs"], "laptop")


def test_json_holds_every_lesson_of_the_papers_asked_for(capsys: pytest.CaptureFixture[str]):
    learned(["crelu"], "laptop", as_json=True)
    told = {lesson["exhibit"] for lesson in json.loads(capsys.readouterr().out)}
    assert "crelu/table4" in told
    assert all(name.startswith("crelu/") for name in told)
