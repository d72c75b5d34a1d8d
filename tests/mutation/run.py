"""Mutation run: ``make mutate``, or ``python tests/mutation/run.py --seed 18 --size 640``.

A sample of mutants is drawn, package by package in proportion, and each is tried on the tests of
its package that reach it. A run that was stopped goes on with those that were not tried; after
new tests ``--again`` tries the survivors. ``docs/mutation.md`` is written at the end, with all
samples whose outcomes are kept.
"""

import argparse
import hashlib
import json
import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import pytest
import report
from mutants import ROOT, Mutant, file, modules, mutants
from suite import Map, test_files
from trial import ANEW, SURVIVED, collect, exchange, forked, functions, import_anew, passed, trace

PACKAGES = (
    "reactivate.activations",
    "reactivate.layers",
    "reactivate.smoothing",
    "reactivate.attacks",
    "reactivate.defences",
    "reactivate.pruning",
    "reactivate.patterns",
    "reactivate.reconstruction",
    "reactivate.judging",
    "reactivate.auditing",
    "reactivate.foundation.files",
)
LIBRARIES = "torch numpy scipy.stats pandas hypothesis.strategies pydantic yaml matplotlib.pyplot"


def sample(population: dict[str, list[Mutant]], size: int, seed: int) -> dict[str, list[Mutant]]:
    """Mutants of every package, as many as its share of all; the shares are rounded up."""
    total = sum(map(len, population.values()))
    return {
        package: sorted(found, key=lambda mutant: mutant.rank(seed))[
            : -(-size * len(found) // total)
        ]
        for package, found in population.items()
    }


class Journal:
    """The file of outcomes, one line each, the last of a mutant being valid."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        self.read()

    def read(self) -> None:
        """Takes over what this or another process has noted."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        self.entries = [json.loads(line) for line in lines]

    def outcomes(self) -> dict[str, str]:
        """By mutant."""
        return {entry["mutant"]: entry["outcome"] for entry in self.entries}

    def note(self, mutant: Mutant, outcome: str, tests: int) -> None:
        """Adds an outcome."""
        entry = {"mutant": mutant.name, "outcome": outcome, "tests": tests}
        self.entries.append(entry)
        with self.path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")


def reach(package: str, folder: Path) -> Map:
    """Which test reaches which line; measured again when the package or its tests changed."""
    tests, sources = test_files(package), [file(module) for module in modules(package)]
    texts = [(ROOT / name).read_bytes() for name in tests] + [
        path.read_bytes() for path in sources
    ]
    digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:12]
    path = folder / f"{package}-{digest}.json"
    if not path.exists() and forked(lambda: trace(tests, sources, path)) != SURVIVED:
        sys.exit(f"the tests of {package} fail as they are, try: pytest {' '.join(tests)}")
    return Map(path)


def try_all(package: str, chosen: list[Mutant], found: Map, journal: Journal) -> None:
    """Tries mutants inside of functions in a process that has collected the tests.

    What is alive then, or is computed while a module is imported, is tried in one that imports
    the module anew, on all tests that use it.
    """

    def note(mutant: Mutant, outcome: str, tests: int) -> None:
        journal.note(mutant, outcome, tests)
        os.write(OUT, f"{outcome:9} {tests:4} {mutant.name}\n".encode())

    def each(items: dict[str, pytest.Item]) -> bool:
        for module in modules(package):
            import_module(module)  # also what tests only import while they run
        known = functions()
        for mutant in inside:
            tests = found.chosen(mutant, anew=False)

            def work(mutant: Mutant = mutant, tests: list[str] = tests) -> int:
                if not exchange(mutant.tree(), str(file(mutant.module)), known):
                    return 3
                return 0 if passed(items[test] for test in tests if test in items) else 1

            outcome = forked(work, found.limit(tests))
            note(mutant, ANEW if outcome == SURVIVED else outcome, len(tests))
        return True

    known = journal.outcomes()
    inside = [m for m in chosen if m.function and known.get(m.name) != ANEW]
    if inside and forked(lambda: collect(test_files(package), each)) != SURVIVED:
        sys.exit(f"the tests of {package} cannot be collected")
    journal.read()
    known = journal.outcomes()
    for mutant in chosen:
        if not mutant.function or known[mutant.name] == ANEW:
            tests = found.chosen(mutant, anew=True)
            work = partial(import_anew, mutant, tests, found.seconds)
            note(mutant, forked(work, found.limit(tests)), len(tests))


OUT = os.dup(1)  # where the run tells how far it is, also from a child


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=18, help="of the sample")
    parser.add_argument("--size", type=int, default=640, help="how many mutants, all packages")
    parser.add_argument("--again", action="store_true", help="try survivors, after new tests")
    parser.add_argument("--only", nargs="*", default=PACKAGES, help="packages to go on with")
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutation", help="of the outcomes")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    for name in LIBRARIES.split():
        __import__(name)
    population = {
        package: [mutant for module in modules(package) for mutant in mutants(module)]
        for package in PACKAGES
    }
    drawn = sample(population, chosen.size, chosen.seed)
    journal = Journal(chosen.folder / f"seed{chosen.seed}-{chosen.size}.jsonl")
    for package in chosen.only:
        known = journal.outcomes()
        equivalent = report.equivalent()
        wanted = (None, ANEW, *([SURVIVED] if chosen.again else []))
        left = [
            mutant
            for mutant in drawn[package]
            if known.get(mutant.name) in wanted and mutant.name not in equivalent
        ]
        if left:
            try_all(package, left, reach(package, chosen.folder), journal)
    missing = report.untried(drawn, journal.entries)
    if missing:
        sys.exit(f"{len(missing)} mutants were not tried yet, like {missing[0]}")
    samples = []
    for path in sorted(chosen.folder.glob("seed*-*.jsonl")):
        seed, size = map(int, path.stem.removeprefix("seed").split("-"))
        found, entries = sample(population, size, seed), Journal(path).entries
        if not report.untried(found, entries):
            samples.append((seed, found, entries))
    report.write(population, samples)


if __name__ == "__main__":
    main()
