"""``docs/mutation.md``: how many mutants the tests notice, and which they do not, with reasons."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from mutants import ROOT, Mutant
from scipy.stats import beta

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")
OUT = ROOT / "docs" / "mutation.md"
LEVEL = 0.95
COLUMNS = (
    *("package", "mutants", "drawn", "equivalent", "killed", "endless", "survived"),
    *("killed share at first (95 %)", "killed share now (95 %)"),
)
Sample = tuple[int, dict[str, list[Mutant]], list[dict]]  # seed, drawn by package, outcomes
HEAD = Path(__file__).with_name("head.md")


def equivalent() -> dict[str, str]:
    """Reasons why mutants cannot be noticed, by mutant."""
    found: dict[str, str] | None = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    return found or {}


def share(successes: int, cases: int) -> tuple[float, float]:
    """The exact (Clopper-Pearson) interval of a probability."""
    tail = (1 - LEVEL) / 2
    low = beta.ppf(tail, successes, cases - successes + 1) if successes else 0.0
    high = beta.ppf(1 - tail, successes + 1, cases - successes) if successes < cases else 1.0
    return float(low), float(high)


@dataclass(frozen=True)
class Tally:
    """Counts of a package, or of all."""

    name: str
    mutants: int
    drawn: int
    first: int  # killed by the tests of the first run
    killed: int
    endless: int
    equivalent: int
    survived: int

    @property
    def row(self) -> str:
        """One line of the table; the shares are of those that are not equivalent."""
        cases = self.drawn - self.equivalent
        shares = [shown(noticed, cases) for noticed in (self.first, self.killed + self.endless)]
        counts = (self.mutants, self.drawn, self.equivalent, self.killed, self.endless)
        return "| " + " | ".join(map(str, (self.name, *counts, self.survived, *shares))) + " |"


def shown(successes: int, cases: int) -> str:
    """A share with its interval."""
    low, high = share(successes, cases)
    return f"{successes / cases:.1%} ({low:.1%} to {high:.1%})"


def tally(name: str, mutants: int, drawn: Sequence[Mutant], entries: Sequence[dict]) -> Tally:
    """Counts of a package from its outcomes: the first of each mutant, and the last."""
    names = [mutant.name for mutant in drawn]
    decided = [entry for entry in entries if entry["outcome"] != "anew"]
    last = {entry["mutant"]: entry["outcome"] for entry in decided}
    first = {entry["mutant"]: entry["outcome"] for entry in reversed(decided)}
    same = [name for name in names if name in equivalent()]
    others = [last[name] for name in names if name not in equivalent()]
    begun = [first[name] for name in names if name not in equivalent()]
    noticed = len(begun) - begun.count("survived")
    counts = (noticed, others.count("killed"), others.count("endless"), len(same))
    return Tally(name, mutants, len(names), *counts, others.count("survived"))


def untried(drawn: dict[str, list[Mutant]], entries: Sequence[dict]) -> list[str]:
    """Mutants of the sample that have no outcome yet."""
    done = {entry["mutant"] for entry in entries if entry["outcome"] != "anew"}
    names = [mutant.name for found in drawn.values() for mutant in found]
    return [name for name in names if name not in done and name not in equivalent()]


def text(population: dict[str, list[Mutant]], samples: Sequence[Sample]) -> str:
    """The whole page: a table for each sample, then what is alive, and what is the same."""
    lines = [HEAD.read_text(encoding="utf-8")]
    for seed, drawn, entries in samples:
        lines += [f"## Seed {seed}", "", *table(population, drawn, entries), ""]
    everyone, alive = {}, []
    for _, drawn, entries in samples:
        last = {entry["mutant"]: entry["outcome"] for entry in entries}
        for mutant in (mutant for found in drawn.values() for mutant in found):
            everyone[mutant.name] = mutant
            if last.get(mutant.name) == "survived" and mutant.name not in equivalent():
                alive.append(mutant.name)
    lines += ["## Survivors", "", *([f"- {show(name)}" for name in alive] or ["None."]), ""]
    same = [(name, reason) for name, reason in equivalent().items() if name in everyone]
    lines += ["## Equivalent mutants", "", *(f"- {show(name)}: {why}" for name, why in same)]
    return "\n".join([*lines, ""])


def table(
    population: dict[str, list[Mutant]], drawn: dict[str, list[Mutant]], entries: Sequence[dict]
) -> list[str]:
    """Counts of a sample, package by package."""
    rows = [tally(name, len(population[name]), drawn[name], entries) for name in population]
    sums = [sum(getattr(row, name) for row in rows) for name in list(Tally.__annotations__)[1:]]
    lines = [row.row for row in (*rows, Tally("all", *sums))]
    return ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|", *lines]


def show(name: str) -> str:
    """A mutant's name as code of the page."""
    return f"<code>{html.escape(name)}</code>"


def write(population: dict[str, list[Mutant]], samples: Sequence[Sample]) -> None:
    """Writes the page."""
    OUT.write_text(text(population, samples), encoding="utf-8")
