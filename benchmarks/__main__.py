"""Run benchmarks one after the other; all of them leave one JSON file and one table.

``python -m benchmarks`` runs every module of this folder, each in a process of its own, waits
before each until others leave the machine alone, and writes ``published/benchmarks.json`` and
``published/benchmarks.md``. With names it runs those only, and writes nothing.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from reactivate.foundation.files import write_atomically

from benchmarks.load import PATIENCE, QUIET, Watch, wait_until_quiet

FOLDER = Path(__file__).parent
TOOLS = ("__init__", "__main__", "timing", "load")
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in TOOLS)
PUBLISHED = FOLDER.parent / "published"
HEAD = ("benchmark", "measurement", "ratio", "bar", "met", "peer", "share of the limit", "others")

Line = dict[str, Any]


def run(module: str, patience: float) -> tuple[list[Line], bool, float]:
    """Lines of a benchmark, with how busy others were; whether it was met; seconds of waiting."""
    start = time.monotonic()
    busy = wait_until_quiet(patience=max(0.0, patience))
    waited = time.monotonic() - start
    if busy > QUIET:
        said = f"others keep {busy:.2f} processors busy; quiet is at most {QUIET}"
        print(f"{module}: {said}", file=sys.stderr, flush=True)
    watch = Watch()
    command = [sys.executable, "-m", f"benchmarks.{module}"]
    done = subprocess.run(
        command, cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True, check=False
    )
    lines = [json.loads(text) for text in done.stdout.splitlines() if text.startswith("{")]
    others = round(watch.others(), 2)
    if done.returncode and all(line["ok"] for line in lines):
        print(f"{module} failed with code {done.returncode}", file=sys.stderr, flush=True)
    told = [{"benchmark": module, **line, "others": others} for line in lines]
    for line in told:
        print(row(line), flush=True)
    return told, done.returncode == 0, waited


def row(line: Line) -> str:
    """A line of the table."""
    least = "at least" if line["better"] == "higher" else "at most"
    limit = "" if line["limit"] is None else f"{line['limit']:.2f}"
    cells = [
        line["benchmark"],
        line["name"].replace("_", " "),
        f"{line['ratio']:.4g}",
        f"{least} {line['bar']:.4g}",
        "yes" if line["ok"] else "**no**",
        line["peer"],
        limit,
        f"{line['others']:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def table(lines: list[Line]) -> str:
    """The page of all measurements."""
    missed = sum(not line["ok"] for line in lines)
    busiest = max((line["others"] for line in lines), default=0.0)
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Written by `python -m benchmarks`. Ratios of two implementations that take turns in",
            "one process, each the least processor time of several calls. *Share of the limit*:",
            "of the operations per second of a large matrix product. *Others*: processors that",
            f"other processes kept busy meanwhile, {busiest:.2f} at most; trust ratios",
            f"below {QUIET}.",
            "",
            f"{platform.machine()}, {len(lines)} measurements, {missed} bars missed.",
            "",
            f"| {' | '.join(HEAD)} |",
            f"|{'---|' * len(HEAD)}",
            *map(row, lines),
            "",
        ]
    )


def main() -> int:
    """Runs what is named, or all; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MODULES, []], help="those to run; or all")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        help="seconds to wait for quiet, in all",
    )
    asked = parser.parse_args()
    lines, good, left = list[Line](), True, asked.patience
    for module in asked.names or MODULES:
        told, met, waited = run(module, left)
        lines, good, left = lines + told, good and met, left - waited
    if not asked.names:
        for name, text in (("md", table(lines)), ("json", json.dumps(lines, indent=1) + "\n")):
            with write_atomically(PUBLISHED / f"benchmarks.{name}") as part:
                part.write_text(text, encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
