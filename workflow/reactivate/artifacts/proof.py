"""Ask Snakemake whether anything is left to do."""

import subprocess
import sys

NOTHING = "Nothing to be done"


def outstanding_jobs(targets: list[str]) -> str:
    """What a dry run would do to make the targets: Snakemake's job table, empty when nothing.

    Raises:
        ValueError: The dry run fails.
    """
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run", *targets, "--quiet", "rules"],
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout + done.stderr
    if done.returncode:
        raise ValueError(f"snakemake --dry-run failed:\n{output.strip()[-2000:]}")
    if NOTHING in output:
        return ""
    lines = output.splitlines()
    start = lines.index("Job stats:") if "Job stats:" in lines else 0
    table = lines[start + 1 :]
    return "\n".join(table[: table.index("")] if "" in table else table)
