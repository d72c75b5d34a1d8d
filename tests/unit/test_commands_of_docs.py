"""Every command that README, guides and pages tell to type is understood as it is written."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.cli import command_parser
from reactivate.experiment.loading import load_scales, paper_names

ROOT = Path(__file__).parents[2]
BESIDE = ("README.md", "CONTRIBUTING.md", "SECURITY.md", *("config/README.md", "data/README.md"))
TEXTS = [*BESIDE, "profiles/README.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
PROGRAMS = ("reactivate", "snakemake", "make", "python", "pytest", "papermill", "jupyter", "dvc")
MADE_UP = re.compile(r"[{<*…]|\.\.\.|\b[A-Z]{4,}\b")  # a name to be filled in by the reader
UNMADE = re.compile(r"\b(?:table9|figure9|prelu|hump)\b")  # of what a guide tells how to add


def typed(text):
    """Commands of a text: lines of its blocks, continued ones joined, and words in code."""
    blocks = re.findall(r"^```(?:\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    named = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    inline = [words for words in named if not re.fullmatch(r"reactivate \w+", words)]  # a name
    for line in (*lines, *inline):
        command = re.sub(r"\s+#.*|^\$ ", "", line).strip()
        if command.split(" ")[0] in PROGRAMS and " " in command:
            yield command


COMMANDS = sorted(
    {
        command
        for name in TEXTS
        for command in typed((ROOT / name).read_text(encoding="utf-8"))
        if not MADE_UP.search(command) and not UNMADE.search(command)
    }
)
OURS = [command for command in COMMANDS if command.startswith("reactivate ")]
MAKE = [command for command in COMMANDS if command.startswith("make ")]
PYTHON = [command for command in COMMANDS if command.startswith("python ")]
TESTS = [command for command in COMMANDS if command.startswith("pytest ")]
FLOW = [command for command in COMMANDS if command.startswith("snakemake ")]


def test_there_are_commands():
    assert len(COMMANDS) > 60
    assert min(map(len, (OURS, MAKE, PYTHON, TESTS, FLOW))) > 1


@pytest.mark.parametrize("command", OURS)
def test_a_command_of_reactivate_is_understood(command, monkeypatch):
    monkeypatch.chdir(ROOT)
    command_parser()[0].parse_args(shlex.split(command)[1:])


@pytest.mark.parametrize("command", MAKE)
def test_a_target_of_make_is_there(command):
    rules = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(command.split()[1:]) <= set(rules)


@pytest.mark.parametrize("command", [*PYTHON, *TESTS])
def test_what_python_runs_is_there(command):
    words = shlex.split(command)
    if words[:2] == ["python", "-m"]:
        place = words[2].replace(".", "/")
        found = [ROOT / place, ROOT / "workflow" / place]
        assert any(path.with_suffix(".py").exists() or path.is_dir() for path in found)
    for word in words[1:]:
        if word.endswith(".py") or word.startswith("tests/"):
            assert (ROOT / word).exists()


def targets(command):
    """What Snakemake is asked to make: words that are neither options nor their values."""
    words = shlex.split(command)[1:]
    return [word for word in words if word.startswith("results/") or word in load_scales()]


@pytest.mark.parametrize("command", FLOW)
def test_a_target_names_a_scale_a_document_and_an_exhibit(command, monkeypatch):
    monkeypatch.chdir(ROOT)
    for target in targets(command):
        parts = target.removeprefix("results/").split("/")
        assert parts[0] in (*load_scales(), "notebooks")
        if len(parts) > 2:
            assert parts[1] in paper_names()


@pytest.mark.slow
def test_snakemake_knows_a_way_to_every_target(tmp_path):
    for part in ("Snakefile", "config", "notebooks", "published", "rules", "workflow"):
        (tmp_path / part).symlink_to(ROOT / part)
    wanted = sorted({target for command in FLOW for target in targets(command)})
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "--cores=1", "--", *wanted],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
