"""``docs/mutation.md``: how many mutants the tests notice, and which they do not, with reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from mutants import ROOT, Mutant
from scipy.stats import beta

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")
OUT = ROOT / "docs" / "mutation.md"
LEVEL = 0.95
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

    def row(self) -> str:
        """One line of the table; the share is of those that are not equivalent."""
        noticed, cases = self.killed + self.endless, self.drawn - self.equivalent
        low, high = share(noticed, cases)
        shown = f"{noticed / cases:.1%} ({low:.1%} to {high:.1%})" if cases else "–"
        begun = f"{self.first / cases:.1%}" if cases else "–"
        counts = (self.mutants, self.drawn, self.killed, self.endless, self.equivalent)
        cells = (self.name, *counts, self.survived, begun, shown)
        return "| " + " | ".join(map(str, cells)) + " |"


def tally(name: str, mutants: int, drawn: Sequence[Mutant], entries: Sequence[dict]) -> Tally:
    """Counts of a package from its outcomes: the first of each mutant, and the last."""
    names = [mutant.name for mutant in drawn]
    decided = [entry for entry in entries if entry["outcome"] != "anew"]
    last = {entry["mutant"]: entry["outcome"] for entry in decided}
    first = {entry["mutant"]: entry["outcome"] for entry in reversed(decided)}
    missing = [name for name in names if name not in last and name not in equivalent()]
    if missing:
        raise ValueError(
            f"{len(missing)} mutants of {name} were not tried, the first: {missing[0]}"
        )
    same = [name for name in names if name in equivalent()]
    others = [last[name] for name in names if name not in equivalent()]
    begun = [first[name] for name in names if name not in equivalent()]
    noticed = len(begun) - begun.count("survived")
    counts = (noticed, others.count("killed"), others.count("endless"), len(same))
    return Tally(name, mutants, len(names), *counts, others.count("survived"))


def text(
    population: dict[str, list[Mutant]],
    drawn: dict[str, list[Mutant]],
    entries: Sequence[dict],
    seed: int,
) -> str:
    """The whole page."""
    rows = [tally(name, len(population[name]), drawn[name], entries) for name in population]
    sums = [sum(getattr(row, name) for row in rows) for name in list(Tally.__annotations__)[1:]]
    columns = (
        "package|mutants|drawn|killed|endless|equivalent|survived|at first|killed share (95 %)"
    )
    table = [
        f"## Seed {seed}",
        "",
        "| " + columns.replace("|", " | ") + " |",
        "|---" * len(columns.split("|")) + "|",
        *(row.row() for row in (*rows, Tally("all", *sums))),
        "",
        "The share is of the mutants that are not equivalent. *At first* is the share before",
        "tests were added for the survivors of this sample, hence the unbiased one. Intervals are",
        "those of Clopper and Pearson; a stratified sample does a little better than they say.",
    ]
    last = {entry["mutant"]: entry["outcome"] for entry in entries}
    everyone = [mutant for found in drawn.values() for mutant in found]
    alive = [m for m in everyone if last.get(m.name) == "survived" and m.name not in equivalent()]
    lines = [f"- `{show(mutant.name)}`" for mutant in alive] or ["None."]
    table += ["", "## Survivors", "", *lines, "", "## Equivalent mutants", ""]
    table += [
        f"- `{show(mutant.name)}`: {equivalent()[mutant.name]}"
        for mutant in everyone
        if mutant.name in equivalent()
    ]
    return "\n".join([HEAD.read_text(encoding="utf-8"), *table, ""])


def show(name: str) -> str:
    """A mutant's name as it stands between backquotes."""
    return name.replace("`", "'")


def write(
    population: dict[str, list[Mutant]],
    drawn: dict[str, list[Mutant]],
    entries: Sequence[dict],
    seed: int,
) -> None:
    """Writes the page."""
    OUT.write_text(text(population, drawn, entries, seed), encoding="utf-8")
