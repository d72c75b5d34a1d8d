"""What Snakemake tells people: failures with their logs, mistakes in words, a report, its lint."""

import re

import pytest

pytestmark = pytest.mark.slow

TABLE = "results/smoke/gmp/table3.csv"

# what `snakemake --lint` says that docs/decisions.md answers
ANSWERED = (
    "Mixed rules and functions in same snakefile.",
    "Do not access input and output files individually by index in shell commands",
    "Specify a conda environment or container for each rule.",
    "Shell command directly uses variable LAUNCH from outside of the rule",
    "Shell command directly uses variable REACH from outside of the rule",
    "Shell command directly uses variable rule from outside of the rule",
    "Path composition with '+'",
    "Environment variable PATH",
)


def edit(clone, path, old, new):
    text = (clone.folder / path).read_text(encoding="utf-8")
    assert old in text
    (clone.folder / path).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        ("config/scales.yaml", "says", "sayz", "error: config/scales.yaml: laptop: unknown key"),
        ("config/papers/gmp/scales.yaml", "epochs", "epoch", "error: config/papers/gmp/scales"),
        ("config/papers/gmp/paper.yaml", "paper: gmp", "paper: [gmp", "error: config/papers/gmp"),
    ],
)
def test_a_mistake_in_the_configuration_is_told_without_a_traceback(
    unfrozen, path, old, new, told
):
    edit(unfrozen, path, old, new)
    done = unfrozen.snakemake(TABLE, "--dry-run")
    assert done.returncode == 1
    assert told in done.stdout
    assert "Traceback" not in done.stdout
    assert 'File "' not in done.stdout


def test_a_traceback_is_there_for_those_who_ask(unfrozen):
    edit(unfrozen, "config/scales.yaml", "says", "sayz")
    done = unfrozen.snakemake(TABLE, "--dry-run", "--verbose")
    assert done.returncode == 1
    assert 'File "' in done.stdout


def test_the_log_of_a_job_that_failed_is_printed(unfrozen):
    path = "workflow/reactivate/activations/clipped.py"
    edit(unfrozen, path, "return x.clamp(0, 0.1)", 'raise ValueError("no such ceiling")')
    done = unfrozen.snakemake(TABLE)
    assert done.returncode == 1
    assert re.search(r"Logfile results/smoke/gmp/runs/yacht/\S+/sweep.log:", done.stdout)
    assert "error: no such ceiling" in done.stdout


def test_the_report_has_captions_and_categories(unfrozen):
    done = unfrozen.snakemake(TABLE, "--report", "report.html")
    assert done.returncode == 0, done.stdout
    report = (unfrozen.folder / "report.html").read_text(encoding="utf-8")
    assert "table3 of gmp at scale smoke: the printed numbers beside" in " ".join(report.split())
    assert '"gmp": {"tables"' in report


def test_the_lint_of_snakemake_finds_nothing_that_is_not_answered(unfrozen):
    done = unfrozen.snakemake("--lint")
    found = re.findall(r"^    \* (.+)$", done.stdout, re.MULTILINE)
    assert found
    assert [one for one in found if not one.startswith(ANSWERED)] == []
