"""Count the work of every network of the configuration, and keep it for the cost model."""

from dataclasses import astuple
from typing import Any

from reactivate.commands.parsing import Parser
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.costs.networks import (
    COUNTED,
    PASSES,
    counted_networks,
    input_size,
    network_name,
    written,
)
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_scales
from reactivate.experiment.recipes import Detected, Segmented
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.files import write_atomically


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate count``."""
    parser.add_argument("--all", action="store_true", help="also those that are counted")
    parser.examples("reactivate count          # after a new paper", "reactivate count --all")
    parser.set_defaults(run=lambda a: count(a.all))


def count(every: bool = False) -> None:
    """Counts the networks that nobody has counted, and drops those that no paper has any more.

    Args:
        every: Count all of them anew: what a layer runs has changed.
    """
    networks = dict(configured_networks())
    known = {} if every else counted_networks()
    entries = dict[str, dict[str, Any]]()
    for number, (name, (cell, chosen)) in enumerate(networks.items(), 1):
        if name in known:
            entries[name] = entry_of(known[name])
            continue
        print(f"{number} of {len(networks)}: {name}", flush=True)
        entries[name] = entry_of(counted(cell, chosen))
        _keep(entries)
    _keep(entries)
    counted_networks.cache_clear()
    print(f"{COUNTED}: {len(entries)} networks")


def _keep(entries: dict[str, dict[str, Any]]) -> None:
    """Writes what is counted so far."""
    COUNTED.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(COUNTED) as part:
        part.write_text(written(entries), encoding="utf-8")


def configured_networks() -> dict[str, tuple[Cell, ImageSettings]]:
    """A cell and its settings for every network of any paper at any scale."""
    found = dict[str, tuple[Cell, ImageSettings]]()
    for scale in load_scales():
        experiment = Experiment.load(scale)
        for paper in experiment.papers:
            for exhibit in experiment.exhibits(paper):
                cells = [exhibit.cell(place) for place in exhibit.places]
                for run in [*cells, *(one.backbone for one in cells)]:
                    chosen = None if run is None else run.settings
                    if run is not None and isinstance(chosen, ImageSettings):
                        found.setdefault(network_name(run.cell, chosen), (run.cell, chosen))
    return found


def counted(cell: Cell, chosen: ImageSettings) -> Any:
    """The work of one network, counted on the meta device."""
    from reactivate.models.passes import network_work
    from reactivate.training.scenes.mean_losses import MeanLosses
    from reactivate.training.setup import make_network

    images = dataset(cell.dataset)
    assert isinstance(images, Sized)

    def make() -> Any:
        network = make_network(cell, chosen, seed=0)
        of_scenes = isinstance(chosen.recipe, Detected | Segmented)
        return MeanLosses(network) if of_scenes else network

    return network_work(make, input_size(images, chosen))


def entry_of(work: Any) -> dict[str, Any]:
    """The work of a network as the file keeps it."""
    plain = {name: getattr(work, name) for name in ("parameters", "tensors", "kept")}
    return plain | {kind: list(astuple(getattr(work, kind))) for kind in PASSES}
