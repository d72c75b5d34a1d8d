"""The command: results on the screen, and a mistake as one message without a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.cli import COMMANDS, command_parser, main
from reactivate.foundation.errors import reports_errors

ROOT = Path(__file__).parents[3]
KINDS = [("new", kind) for kind in ("paper", "exhibit", "activation", "dataset")]
HELPED = [(), *((name,) for name in COMMANDS), ("completion",), *KINDS]
HEAVY = ("torch", "numpy", "scipy", "pandas", "pydantic", "yaml", "shtab")
TELL = """
import sys, time
sys.argv = ["reactivate", {word!r}]
from reactivate.cli import main
try:
    main()
except SystemExit as stop:
    loaded = [name for name in {heavy!r} if name in sys.modules]
    print("TOLD", stop.code, time.process_time(), *loaded)
"""


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
    head = next(
        place for place, line in enumerate(lines) if line.split()[-2:] == ["Boston", "Yacht"]
    )
    assert lines[head + 1].split() == ["SP,", "printed", "3.370±0.145", "○", "0.639±0.063", "○"]
    assert lines[head + 2].startswith("  ours, as the document says  ")
    assert len(set(map(len, lines[head : head + 5]))) == 1  # columns stand one below the other
    assert "as the document says: The text of the document." in lines
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


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["publish", "--scale", "smok"],
            "unknown scale 'smok'; did you mean smoke? Accepted",
        ),
        (["verify", "--scale", "papre"], "unknown scale 'papre'; did you mean paper?"),
        (["shwo"], "unknown command 'shwo'; did you mean show?"),
        (["compares"], "unknown command 'compares'; did you mean compare?"),
        (["verify", "--rerun", "0"], "argument --rerun: '0'; accepted: a whole number from 1 on"),
    ],
)
def test_a_word_that_is_not_understood_is_answered_with_near_ones(
    unrun, reactivate, capsys, arguments, expected
):
    with pytest.raises(SystemExit) as stop:
        reactivate(*arguments)
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert error.startswith(f"error: {expected}")
    assert error.splitlines()[-1].startswith("see: reactivate")


@pytest.mark.parametrize("command", HELPED, ids=" ".join)
def test_every_help_has_an_example_and_fits_80_columns(reactivate, capsys, monkeypatch, command):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        reactivate(*command, "--help")
    text = capsys.readouterr().out
    assert stop.value.code == 0
    assert "\nexamples:\n  " in text
    assert max(map(len, text.splitlines())) <= 80


def test_one_scale_is_the_default_and_stated_wherever_one_is_asked_for(monkeypatch):
    monkeypatch.chdir(ROOT)
    options = [
        option
        for parser in command_parser()[1]
        for option in parser.declared()._actions
        if option.dest == "scale"
    ]
    assert len(options) > 8
    for option in options:
        assert option.choices == ["smoke", "laptop", "paper"]
        assert option.default in ("laptop", [])
        assert "; default: laptop" in option.help or "may be repeated; default: all" in option.help


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version_come_at_once_because_nothing_heavy_is_imported(word):
    code = TELL.format(word=word, heavy=HEAVY)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    _, status, seconds, *loaded = done.stdout.splitlines()[-1].split()
    assert (status, loaded) == ("0", [])
    assert float(seconds) < 0.3


def test_whoever_reads_no_further_sees_no_error(finished):
    reading, writing = os.pipe()
    os.close(reading)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    words = ["show", "gmp/table3", "--scale", "smoke"]
    done = subprocess.run(
        [sys.executable, "-m", "reactivate.cli", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=environment,
    )
    os.close(writing)
    assert (done.stderr, done.returncode) == ("", 141)


@pytest.mark.parametrize("inside", [False, True])
def test_outside_of_a_clone_one_sentence_says_where_to_go(
    unrun, tmp_path, reactivate, capsys, monkeypatch, inside
):
    folder = unrun / "data" if inside else tmp_path
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stop:
        reactivate("show", "gmp/table3")
    where = f"cd {unrun}" if inside else "change to the folder of your clone, or clone it first"
    told = f"error: {folder} is not the top folder of a clone of reactivate; {where}\n"
    assert (stop.value.code, capsys.readouterr().err) == (1, told)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_commands_options_and_scales(reactivate, capsys, monkeypatch, shell):
    monkeypatch.chdir(ROOT)
    reactivate("completion", shell)
    text = capsys.readouterr().out
    for word in (*COMMANDS, "--watch", "--published", "laptop"):
        assert word in text
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)


def test_every_command_that_prints_data_prints_json(finished, reactivate, capsys):
    reactivate("publish", "--scale", "smoke")
    capsys.readouterr()

    def told(*arguments):
        reactivate(*arguments, "--json")
        return json.loads(capsys.readouterr().out)

    shown = told("show", "gmp/table3", "--scale", "smoke")
    assert shown["file"] == "results/smoke/gmp/table3.md"
    assert [row["printed"] for row in shown["rows"] if row["column"] == "boston"] == [
        "3.370±0.145",
        "3.057±0.144",
    ]
    plan = told("decide", "gmp", "--scale", "smoke", "--hours", "1", "--dry-run")
    assert all(claim["claim"].startswith("gmp/") for claim in plan)
    assert all(bool(claim["looks"]) != bool(claim["closed"]) for claim in plan)
    compared = told("compare", "--scale", "smoke")
    assert {cell["agreement"] for cell in compared["exhibits"]["gmp/table3"]} == {"identical"}
    assert compared["changed"] == []
    facts = told("why", "gmp/table3/gmp/boston", "--scale", "smoke")
    assert {"about": "printed", "says": "3.057±0.144"} in facts
    status = told("status")
    assert (status["running"], status["finished"]) == ([], {"smoke": 4})
    agreement = told("agreement")
    assert agreement["audits"] == {"smoke": "results/smoke/audit.csv"}
    assert agreement["tables"][0]["exhibit"] == "table3"


def test_a_table_that_was_not_made_says_how_to_make_it(unrun, reactivate, capsys):
    with pytest.raises(SystemExit):
        reactivate("show", "gmp/table3", "--scale", "smoke")
    message = capsys.readouterr().err
    assert "results/smoke/gmp/table3.md does not exist, nor is it published" in message
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
