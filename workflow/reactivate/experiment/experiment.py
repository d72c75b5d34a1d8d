"""The experiment: everything that config/ says, at a scale and as far as a machine can run it."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reactivate.experiment import loading, paths
from reactivate.experiment.absence import why_absent
from reactivate.experiment.catalog import entries
from reactivate.experiment.cell import Cell
from reactivate.experiment.checking import check_cell
from reactivate.experiment.loading import (
    PAPERS,
    load_exhibit,
    load_paper,
    load_paper_scales,
    load_scale,
    load_scales,
    load_seeds,
    paper_names,
)
from reactivate.experiment.measurements import AnyMeasurement
from reactivate.experiment.paper import Paper
from reactivate.experiment.run_cell import RunCell, measurement_at
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import Scale
from reactivate.foundation.digests import words_of_documents
from reactivate.foundation.registry import unknown_name

EVERYTHING = "all"  # the reach of a machine that can run a whole scale
EXISTING = "existing"  # the reach of an audit that takes what there is, and makes nothing


@dataclass(frozen=True)
class Experiment:
    """All papers at one scale: says which runs are behind a number.

    Example:
        >>> experiment = Experiment.load("paper")
        >>> [path.as_posix() for path in experiment.exhibit("gmp", "table3").records][:1]
        ['results/paper/gmp/runs/boston/mlp100-relu-sp-document/run.json']
    """

    scale: str
    reach: str = EVERYTHING

    @classmethod
    def load(cls, scale: str, reach: str = EVERYTHING) -> "Experiment":
        """The experiment of a scale, once its name and the reach's are known to exist.

        Raises:
            ValueError: There is no such scale or reach.
        """
        load_scale(scale)
        ours = [name for every in load_scales().values() for name in every.reaches]
        known = [EVERYTHING, EXISTING, *ours]
        if reach not in known:
            raise unknown_name("reach", reach, known, "config/scales.yaml")
        return cls(scale, reach)

    @property
    def form(self) -> Scale:
        """The scale as it is configured."""
        return load_scale(self.scale)

    @property
    def papers(self) -> tuple[str, ...]:
        """Keys of all papers."""
        return paper_names()

    def paper(self, name: str) -> Paper:
        """A paper as it is configured."""
        return load_paper(name)

    def exhibit(self, paper: str, name: str) -> RunExhibit:
        """One exhibit at this scale."""
        load_exhibit(paper, name)
        return _exhibit(self, paper, name)

    def exhibits(self, paper: str) -> list[RunExhibit]:
        """The exhibits of a paper that this scale makes: those with anything to show."""
        every = (self.exhibit(paper, name) for name in load_paper(paper).exhibits)
        return [exhibit for exhibit in every if not self._lacks(exhibit) and exhibit.is_made]

    def _lacks(self, exhibit: RunExhibit) -> bool:
        """Whether an audit of what exists leaves an exhibit out; :meth:`absence` says why."""
        return self.reach == EXISTING and not exhibit.file("provenance.json").exists()

    def absence(self, exhibit: RunExhibit, file: Path | None = None) -> str:
        """Why an exhibit, or a file of it, is left out that was not made; empty if it is not.

        Only an audit of what exists leaves such exhibits out; any other has them made.
        """
        return why_absent(exhibit, file) if self.reach == EXISTING else ""

    def cell(self, paper: str, cell: Cell) -> RunCell:
        """One cell at this scale.

        Raises:
            ValueError: A coordinate of the cell does not exist, or its recipe cannot train it.
        """
        return _cell(self.scale, paper, cell)

    def measurement(self, paper: str, name: str) -> AnyMeasurement:
        """A measurement of trained networks, less what this scale lowers."""
        return measurement_at(load_paper(paper), load_paper_scales(paper)[self.scale], name)

    def judged_files(self, paper: str) -> list[Path]:
        """The values of analyses that statements of a paper are judged from."""
        asked = [check for check in load_paper(paper).checks.values() if check.judge]
        exhibits = [(self.exhibit(paper, str(check.exhibit)), check) for check in asked]
        judged = [exhibit.name for exhibit, check in exhibits if exhibit.judges(check)]
        return [
            paths.analysis_folder(self.scale, paper, name) / paths.VALUES
            for name in dict.fromkeys(judged)
        ]


@cache
def _exhibit(experiment: Experiment, paper: str, name: str) -> RunExhibit:
    limits = load_paper_scales(paper)[experiment.scale]
    reach = None
    if experiment.reach in experiment.form.reaches:
        reach = limits.reaches.get(experiment.reach, {})
    stand_ins = experiment.form.stand_ins
    return RunExhibit(experiment.scale, load_paper(paper), limits, stand_ins, reach, name)


# Snakemake asks for the cell of a job half a dozen times: settings, code, resources, inputs
@cache
def _cell(scale: str, paper: str, cell: Cell) -> RunCell:
    source = load_paper(paper)
    check_cell(source, cell, f"{PAPERS / paper}")
    return RunCell(scale, source, load_paper_scales(paper)[scale], cell)


def forget() -> None:
    """Reads the configuration anew from now on; for whoever edits it in a running process."""
    loading.forget()
    entries.forget()
    _exhibit.cache_clear()
    _cell.cache_clear()


def printed_digests(paper: str, target: str) -> dict[str, str]:
    """Digest of the printed numbers of every table that a check may read, by exhibit."""
    words, tables = words_of_documents(target), load_paper(paper).tables
    return {name: table.printed_digest for name, table in tables.items() if name in words}


def recipes_of(stage: str) -> list[str]:
    """Names of the recipes, of any paper that can be read, of a stage."""
    papers = readable_papers()
    return [n for paper in papers for n, recipe in paper.recipes.items() if recipe.stage == stage]


def stages_of_recipes() -> dict[str, str]:
    """The stage of every recipe, of any paper that can be read."""
    papers = readable_papers()
    return {name: recipe.stage for paper in papers for name, recipe in paper.recipes.items()}


def pictured() -> str:
    """Pattern of the names of exhibits that are drawn: figures, and whatever else has a picture.

    Names of tables do not match it, in any paper. A paper that cannot be read is left out: its
    mistake is told to whoever asks for one of its exhibits.
    """
    tables, drawn = set[str](), set[str]()
    for paper in readable_papers():
        tables |= set(paper.tables)
        drawn |= set(paper.exhibits) - set(paper.tables)
    if drawn & tables:
        raise ValueError(
            f"{', '.join(sorted(drawn & tables))} is a table in one paper and a picture in "
            "another; accepted: a name for one of them. Change it in config/papers"
        )
    figures = "figure[a-z0-9_]*"
    return "|".join([figures, *sorted(name for name in drawn if not name.startswith("figure"))])


def readable_papers() -> list[Paper]:
    """The papers without mistakes."""
    papers = []
    for name in paper_names():
        try:
            papers.append(load_paper(name))
        except ValueError:
            continue
    return papers


def load_everything() -> None:
    """Reads every paper that can be read, and what scales change of it, before anybody asks."""
    for paper in readable_papers():
        with suppress(ValueError):
            load_paper_scales(paper.paper)
            load_seeds(paper.paper)
