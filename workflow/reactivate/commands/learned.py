"""Print which networks behind the tables of a scale have learned, how, and at what price."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from reactivate.auditing.learning import Learning
from reactivate.commands.look_costs import core_seconds
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import at_terminal, folded, print_json
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RESULTS
from reactivate.experiment.places import Place
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.foundation.registry import unknown_name
from reactivate.stages.audit import as_configured

HEAD = (
    "| exhibit | data and recipe | what the scale changes | core-minutes a run | seeds | "
    "accuracy, lowest to highest | learned |\n| --- | --- | --- | --- | --- | --- | --- |"
)


@dataclass
class Lesson:
    """The networks of a table that are trained by one recipe on one dataset.

    Attributes:
        exhibit: ``paper/exhibit``.
        taught: Dataset and recipe.
        setting: What the scale changes of the recipe, in words.
        accuracies: Percent of test images, one for every network that has such a number.
        learned: Whether each network has passed the gate of the audit.
        seeds: Networks of each cell, as often as there are cells.
        minutes: Core-minutes of each run.
    """

    exhibit: str
    taught: str
    setting: str
    accuracies: list[float] = field(default_factory=list)
    learned: list[bool] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The row of the printed table."""
        told = [
            self.exhibit,
            self.taught,
            self.setting or "nothing",
            f"{median(self.minutes):.1f}" if self.minutes else "",
            _between(self.seeds, "d"),
            f"{_between(self.accuracies, '.1f')} %" if self.accuracies else "",
            f"{sum(self.learned)} of {len(self.learned)}",
        ]
        return f"| {' | '.join(told)} |"

    @property
    def paragraph(self) -> list[str]:
        """The same in a few lines, for people at a terminal."""
        found = f"{sum(self.learned)} of {len(self.learned)} networks have learned"
        if self.accuracies:
            found += f", with accuracies of {_between(self.accuracies, '.1f')} %"
        price = f"; {median(self.minutes):.1f} core-minutes a run" if self.minutes else ""
        return [
            f"{self.exhibit}: {self.taught}",
            f"  {found}",
            f"  seeds: {_between(self.seeds, 'd')}{price}",
            f"  the scale changes: {self.setting or 'nothing'}",
        ]


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate learned``."""
    parser.add_argument("paper", nargs="*", help="e.g. psc; default: all")
    parser.add_scale()
    parser.add_json()
    parser.examples("reactivate learned", "reactivate learned iieu crelu --json")
    parser.set_defaults(run=lambda a: learned(a.paper, a.scale, a.json))


def learned(papers: list[str], scale: str, as_json: bool = False) -> None:
    """Prints every recipe and dataset of every trained table that was made: a line of Markdown.

    At a terminal, which such lines are too long for, it prints a paragraph instead.

    Networks count once in a table, however many numbers are read off them. Where the printed
    network has not learned either, ours need not; it counts all the same.

    Args:
        papers: Whose tables; empty: all.
        scale: The scale.
        as_json: Whether to print for programs.

    Raises:
        ValueError: There is no such paper or scale.
    """
    load_scale(scale)
    for name in papers:
        if name not in paper_names():
            raise ValueError(
                unknown_name("paper", name, list(paper_names()), "Look into config/papers")
            )
    experiment = Experiment.load(scale)
    found = [
        lesson
        for name in papers or paper_names()
        for exhibit in experiment.exhibits(name)
        if isinstance(exhibit.form, Trained)
        for lesson in lessons(exhibit)
    ]
    if as_json:
        print_json([asdict(lesson) for lesson in found])
        return
    if at_terminal():
        for line in (line for lesson in found for line in lesson.paragraph):
            print(folded(line, "    "))
        return
    print(HEAD)
    for lesson in found:
        print(lesson.line)


def lessons(exhibit: RunExhibit) -> list[Lesson]:
    """What the runs behind a table have learned, from this clone or as it was published."""
    root = next((r for r in (RESULTS, PUBLISHED) if _source(exhibit, r).exists()), None)
    if root is None:
        return []
    table = Learning(exhibit, as_configured(exhibit, Evidence.read(_source(exhibit, root))))
    found: dict[tuple[str, ...], Lesson] = {}
    for place in _networks(table):
        changed = exhibit.overrides_of(place)
        setting = ", ".join(f"{key} = {value}" for key, value in changed.items())
        taught = f"{place.cell.dataset}, {place.cell.recipe}"
        name = f"{exhibit.paper.paper}/{exhibit.name}"
        lesson = found.setdefault((taught, setting), Lesson(name, taught, setting))
        where = place.row, place.column, place.protocol
        passed = table.learned(*where)
        lesson.learned += passed
        lesson.seeds.append(len(passed))
        lesson.accuracies += table.accuracies(*where) or []
        kept = [
            root / Path(k.record).relative_to(RESULTS) for k in table.evidence.cells[where].records
        ]
        lesson.minutes += [core_seconds(record) / 60 for record in kept if record.exists()]
    return list(found.values())


def _networks(table: Learning) -> Iterator[Place]:
    """A place of every network of a table that was run, the first that is read off it."""
    seen = set()
    for place in table.exhibit.places:
        network = place.protocol, place.cell, place.measurement
        if (
            network not in seen
            and (place.row, place.column, place.protocol) in table.evidence.cells
        ):
            seen.add(network)
            yield place


def _source(exhibit: RunExhibit, root: Path) -> Path:
    return exhibit.file("provenance.json", root)


def _between(numbers: list[int] | list[float], form: str) -> str:
    """The smallest and the largest number, or the one that all are."""
    least, most = format(min(numbers), form), format(max(numbers), form)
    return least if least == most else f"{least} to {most}"
