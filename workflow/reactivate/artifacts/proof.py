"""Ask Snakemake what is left to do."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

NOTHING = "Nothing to be done"
# members of a group are indented
JOB = re.compile(r" *(?:local)?rule (\w+):")
FIELD = re.compile(r" +(output|wildcards|resources): (.*)")


@dataclass(frozen=True)
class Job:
    """A job that Snakemake would run."""

    rule: str
    outputs: tuple[str, ...]
    wildcards: dict[str, str]
    resources: dict[str, str]


def dry_run(*arguments: str) -> str:
    """The text that Snakemake prints when it only pretends to work.

    Raises:
        ValueError: It fails; what it said last is shown.
    """
    command = ["--dry-run", *arguments]
    # megabytes in small pieces, for which a pipe would wake this process each time
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", *command], stdout=said, stderr=said, check=False
        )
        said.seek(0)
        output = said.read()
    if done.returncode:
        raise ValueError(f"snakemake {' '.join(command)} failed:\n{output.strip()[-2000:]}")
    return output


def outstanding_jobs(targets: list[str]) -> str:
    """Snakemake's table of the jobs that would make the targets; empty if nothing is left.

    Raises:
        ValueError: The dry run fails.
    """
    output = dry_run(*targets, "--quiet", "rules")
    if NOTHING in output:
        return ""
    lines = output.splitlines()
    start = lines.index("Job stats:") if "Job stats:" in lines else 0
    table = lines[start + 1 :]
    return "\n".join(table[: table.index("")] if "" in table else table)


def jobs_of(lines: Iterable[str]) -> list[Job]:
    """Every job that makes a file, from what ``snakemake --dry-run`` prints.

    Example:
        >>> lines = ["rule check:", "    output: results/smoke/psc/analyse/claims.json",
        ...          "    wildcards: scale=smoke, paper=psc",
        ...          "    resources: runtime=30, gpu=0", ""]
        >>> jobs_of(lines)[0].wildcards["paper"]
        'psc'
    """
    jobs: list[tuple[str, dict[str, str]]] = []
    for line in lines:
        if started := JOB.fullmatch(line):
            jobs.append((started[1], {}))
        elif jobs and (told := FIELD.fullmatch(line)):
            jobs[-1][1].setdefault(told[1], told[2])
    return [
        Job(
            rule,
            tuple(fields["output"].split(", ")),
            _pairs(fields.get("wildcards", "")),
            _pairs(fields.get("resources", "")),
        )
        for rule, fields in jobs
        if "output" in fields
    ]


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split(", ") if "=" in pair)
