"""The command: results on the screen, and a mistake as one message without a traceback."""

import sys

import pytest
from reactivate.cli import main
from reactivate.foundation.errors import reports_errors


@pytest.fixture
def reactivate(monkeypatch):
    """``reactivate(*arguments)``: the command as typed."""

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["reactivate", *arguments])
        main()

    return command


def test_show_prints_the_table_and_the_path_of_the_audit_page(finished, reactivate, capsys):
    reactivate("show", "gmp/table3", "--scale", "smoke")
    output = capsys.readouterr().out
    lines = output.splitlines()
    head = next(place for place, line in enumerate(lines) if line.endswith("boston        yacht"))
    assert lines[head + 1] == "sp, printed       3.370±0.145  0.639±0.063"
    assert lines[head + 2].startswith("  document  ")
    assert len(set(map(len, lines[head : head + 5]))) == 1  # columns stand one below the other
    assert "document: The text of the document." in lines
    assert output.splitlines()[-1] == f"audit: {finished / 'results/smoke/audit.html'}"


def test_publish_and_compare_go_together(finished, reactivate, capsys):
    reactivate("publish", "--scale", "smoke")
    reactivate("compare", "--scale", "smoke")
    assert "4 identical" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["show", "gmp/table33", "--scale", "smoke"], "unknown exhibit 'table33'; did you mean"),
        (["show", "gnp/table3", "--scale", "smoke"], "unknown paper 'gnp'; did you mean gmp?"),
        (["publish", "--scale", "smok"], "unknown scale 'smok'; did you mean smoke?"),
        (["compare", "--scale", "smok"], "unknown scale 'smok'; did you mean smoke?"),
        (["compare", "--scale", "smoke"], "nothing to compare at scale smoke"),
    ],
)
def test_a_mistake_is_one_message_on_stderr(finished, reactivate, capsys, arguments, expected):
    with pytest.raises(SystemExit) as stop:
        reactivate(*arguments)
    captured = capsys.readouterr()
    assert stop.value.code == 1
    assert captured.err.startswith("error: ")
    assert expected in captured.err
    assert "Traceback" not in captured.err


def test_a_table_that_was_not_made_says_how_to_make_it(unrun, reactivate, capsys):
    with pytest.raises(SystemExit):
        reactivate("show", "gmp/table3", "--scale", "smoke")
    message = capsys.readouterr().err
    assert "results/smoke/gmp/table3.md does not exist" in message
    assert "snakemake results/smoke/gmp/table3.csv" in message


@pytest.mark.parametrize("error", [ValueError("a value"), OSError("a file")])
def test_wrong_input_is_reported_in_one_line(capsys, error):
    @reports_errors
    def command():
        raise error

    with pytest.raises(SystemExit) as stop:
        command()
    assert stop.value.code == 1
    assert capsys.readouterr().err == f"error: {error}\n"


def test_a_defect_of_the_package_keeps_its_traceback():
    @reports_errors
    def command():
        raise KeyError("a defect")

    with pytest.raises(KeyError):
        command()
