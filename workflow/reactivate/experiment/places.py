"""Where the runs behind an exhibit are."""

from pathlib import Path

from reactivate.evidence.records import RECORD
from reactivate.experiment.exhibits import Analysis, Best, Grid
from reactivate.experiment.grids import GridCell
from reactivate.experiment.papers import (
    EVERYTHING,
    grid,
    has_runs,
    is_computed,
    limits_of,
    load_exhibit,
    load_paper,
    paper_names,
)
from reactivate.experiment.runs import (
    RESULTS,
    Cell,
    analysis_folder,
    exhibit_file,
    measurement_folder,
    run_folder,
    seed_folder,
)
from reactivate.experiment.schema import Recipe


def seeds(scale: str, paper: str, cell: Cell) -> int:
    """How many seeds of a cell a scale trains."""
    recipe = load_paper(paper).recipes[cell.recipe]
    printed = recipe.splits.seeds if isinstance(recipe, Recipe) else recipe.seeds
    return limits_of(scale, paper, cell).seeds or printed


def run_folders(scale: str, paper: str, cell: Cell, root: Path = RESULTS) -> list[Path]:
    """Where the records of a cell are: one for all seeds of small networks, else one each."""
    if isinstance(load_paper(paper).recipes[cell.recipe], Recipe):
        return [run_folder(scale, paper, cell, root)]
    return [
        seed_folder(scale, paper, cell, seed, root) for seed in range(seeds(scale, paper, cell))
    ]


def place_folders(scale: str, paper: str, place: GridCell, root: Path = RESULTS) -> list[Path]:
    """Where the records of a number are: of its runs, or of what was measured after them."""
    if place.measurement is None:
        return run_folders(scale, paper, place.cell, root)
    stage = load_paper(paper).measurements[place.measurement].stage
    return [
        measurement_folder(scale, paper, stage, place.cell, place.measurement, seed, root)
        for seed in range(seeds(scale, paper, place.cell))
    ]


def records(scale: str, paper: str, exhibit: str, reach: str = EVERYTHING) -> list[Path]:
    """What an exhibit is made from: the records of its analysis or its runs, or another table."""
    exhibit_of = load_exhibit(paper, exhibit)
    if isinstance(exhibit_of, Best):
        return [exhibit_file(scale, paper, exhibit_of.of, "provenance.json")]
    analysis = analysis_folder(scale, paper, exhibit) / RECORD
    if isinstance(exhibit_of, Analysis):
        return [analysis]
    found = [analysis] if is_computed(paper, exhibit) else []
    if has_runs(paper, exhibit):
        places = grid(scale, paper, exhibit, reach)
        folders = [f for place in places for f in place_folders(scale, paper, place)]
        found += [folder / RECORD for folder in dict.fromkeys(folders)]
    return found


def pictured() -> str:
    """Pattern of the names of exhibits that are drawn: figures, and whatever else has a picture.

    Names of tables do not match it, in any paper.
    """
    exhibits = [pair for paper in paper_names() for pair in load_paper(paper).exhibits.items()]
    drawn = {name for name, exhibit in exhibits if not isinstance(exhibit, Grid)}
    both = drawn & {name for name, exhibit in exhibits if isinstance(exhibit, Grid)}
    if both:
        raise ValueError(
            f"{', '.join(sorted(both))} is a table in one paper and a picture in another; "
            "accepted: a name for one of them. Change it in config/papers"
        )
    figures = "figure[a-z0-9_]*"
    return "|".join([figures, *sorted(n for n in drawn if not n.startswith("figure"))])
