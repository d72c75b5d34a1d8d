"""Work of analyses that pass images through trained networks."""

from dataclasses import astuple, replace
from functools import lru_cache
from pathlib import Path

from pydantic import RootModel

from reactivate.experiment.costs.networks import PassCost
from reactivate.experiment.costs.pieces import Work, over, pixels
from reactivate.experiment.costs.training import run_of
from reactivate.experiment.numbers import Count, NonNegative
from reactivate.experiment.run_cell import RunCell
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.foundation.configuration import Strict, read_yaml, validate

ANALYSES = Path("config/costs/analyses.yaml")


class Analysed(Strict):
    """Passes of every network that an analysis makes for each of its images.

    Attributes:
        of: Settings of the exhibit whose product is the number of images.
        forward: Forward passes for an image.
        backward: Backward passes to the image, without the forward pass before them.
        looked: Forward passes that read and write as much as all that is looked at meanwhile.
        batch: Images at a time.
    """

    of: list[str]
    forward: NonNegative
    backward: NonNegative
    looked: NonNegative
    batch: Count


class Analyses(RootModel[dict[str, Analysed]]):
    """What analyses pass through networks, by ``paper/exhibit``."""


@lru_cache
def load_analyses(path: Path = ANALYSES) -> dict[str, Analysed]:
    """The passes of all analyses that make any worth counting."""
    return validate(Analyses, read_yaml(path), path).root if path.exists() else {}


def analysing_work(exhibit: RunExhibit) -> Work | None:
    """Work of an analysis; None where it passes no images, or a network was not counted."""
    asked = load_analyses().get(f"{exhibit.paper.paper}/{exhibit.name}")
    if asked is None:
        return None
    cells = [exhibit.cell(place) for place in exhibit.places]
    runs = [run_of(cell) for cell in cells for _ in range(_networks(exhibit, cell))]
    pieces, loaded = [], 0.0
    for run in runs:
        if run is None:
            return None
        images = 1.0
        for name in asked.of:
            images *= float(exhibit.settings[name])
        forward = run.network.forward
        backward = _difference(run.network.ascent, forward)
        looked = replace(forward, flops=0, fixed_flops=0)
        for cost, times in (
            (forward, asked.forward),
            (backward, asked.backward),
            (looked, asked.looked),
        ):
            if times:
                pieces.append(over(cost, times * images, asked.batch))
        loaded = max(loaded, 8.0 * run.test * pixels(run.size))
    largest = max((run.network.kept for run in runs if run is not None), default=0)
    return Work(tuple(pieces), device_bytes=2.0 * asked.batch * largest, host_bytes=loaded)


def _networks(exhibit: RunExhibit, cell: RunCell) -> int:
    """Networks of a cell that the analysis looks at: of every seed, or of the first."""
    return cell.seeds if exhibit.reads_every_seed else 1


def _difference(whole: PassCost, part: PassCost) -> PassCost:
    """The work that is left of a pass without a part of it."""
    return PassCost(*(a - b for a, b in zip(astuple(whole), astuple(part), strict=True)))
