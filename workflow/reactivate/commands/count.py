"""Count the work of every network of the configuration, and keep it for the cost model."""

from collections.abc import Iterable
from dataclasses import astuple, replace
from typing import Any

from reactivate.commands.parsing import Parser
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.costs.networks import (
    COUNTED,
    FUSED,
    PASSES,
    NetworkCost,
    PassCost,
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

PRINTED = "paper"  # the scale at which steps may be compiled
LARGE = 128  # pixels of the side of an image from which compiled steps are counted


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
    networks, printed = configured_networks(), configured_networks((PRINTED,))
    known = {} if every else counted_networks()
    entries = dict[str, dict[str, Any]]()
    for number, (name, (cell, chosen)) in enumerate(networks.items(), 1):
        if name in known:
            entries[name] = entry_of(known[name])
            continue
        print(f"{number} of {len(networks)}: {name}", flush=True)
        entries[name] = entry_of(counted(cell, chosen, name in printed))
        _keep(entries)
    _keep(entries)
    counted_networks.cache_clear()
    print(f"{COUNTED}: {len(entries)} networks")


def _keep(entries: dict[str, dict[str, Any]]) -> None:
    """Writes what is counted so far."""
    COUNTED.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(COUNTED) as part:
        part.write_text(written(entries), encoding="utf-8")


def configured_networks(
    scales: Iterable[str] | None = None,
) -> dict[str, tuple[Cell, ImageSettings]]:
    """A cell and its settings for every network of any paper at some scales, or at any."""
    found = dict[str, tuple[Cell, ImageSettings]]()
    for scale in load_scales() if scales is None else scales:
        experiment = Experiment.load(scale)
        for paper in experiment.papers:
            for exhibit in experiment.exhibits(paper):
                cells = [exhibit.cell(place) for place in exhibit.places]
                for run in [*cells, *(one.backbone for one in cells)]:
                    chosen = None if run is None else run.settings
                    if run is not None and isinstance(chosen, ImageSettings):
                        found.setdefault(network_name(run.cell, chosen), (run.cell, chosen))
    return found


def counted(cell: Cell, chosen: ImageSettings, compiled: bool = False) -> NetworkCost:
    """The work of one network, counted on the meta device.

    Args:
        cell: A cell that has it.
        chosen: Settings of the cell.
        compiled: Whether to count compiled steps too, if images are large; those of small images
            are launches above all, and detectors and segmenters are not compiled.
    """
    from reactivate.models.fusion import fused_training
    from reactivate.models.passes import network_work
    from reactivate.training.scenes.mean_losses import MeanLosses
    from reactivate.training.setup import make_network

    images = dataset(cell.dataset)
    assert isinstance(images, Sized)
    of_scenes = isinstance(chosen.recipe, Detected | Segmented)

    def make() -> Any:
        network = make_network(cell, chosen, seed=0)
        return MeanLosses(network) if of_scenes else network

    size = input_size(images, chosen)
    work = network_work(make, size)
    passes = {kind: PassCost(*astuple(getattr(work, kind))) for kind in PASSES}
    known = NetworkCost(work.parameters, work.tensors, work.kept, **passes)
    if of_scenes or not compiled or size[-1] < LARGE:
        return known
    return replace(known, fused=PassCost(*astuple(fused_training(make, size))))


def entry_of(work: NetworkCost) -> dict[str, Any]:
    """The work of a network as the file keeps it."""
    plain = {name: getattr(work, name) for name in ("parameters", "tensors", "kept")}
    passes = {kind: getattr(work, kind) for kind in (*PASSES, FUSED)}
    return plain | {kind: list(astuple(one)) for kind, one in passes.items() if one is not None}
