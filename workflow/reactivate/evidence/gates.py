"""The learned gate for networks that an analysis looks into."""

from pathlib import Path
from statistics import fmean

import pandas as pd

from reactivate.experiment.catalog.catalog import Dataset, dataset
from reactivate.experiment.exhibits import Cells, OfNetworks, OfObservations
from reactivate.experiment.metrics import metric, metric_names
from reactivate.experiment.places import Place
from reactivate.experiment.run_exhibit import SEED, RunExhibit
from reactivate.experiment.statements import Check
from reactivate.judging.learned import Gate

METRICS = "metrics.csv"
EVERY = 100.0  # percent


def unlearned_networks(exhibit: RunExhibit, check: Check) -> list[str]:
    """Places of the networks behind a claim that have not learned at their own scale.

    Where the analysis reads all seeds of runs, those that did not learn are left out one by one:
    by itself, or as :func:`mark_learned` tells.
    """
    form = exhibit.form
    if not isinstance(form, Cells) or exhibit.reads_every_seed:
        return []
    asked = [
        place
        for place in exhibit.places
        if place.row in (check.rows or form.row_names)
        and place.column in (check.columns or form.column_names)
        and place.protocol == form.protocols[0]
    ]
    return [f"{place.row} {place.column}" for place in _unlearned(exhibit, asked)]


def mark_learned(numbers: pd.DataFrame, exhibit: RunExhibit) -> pd.DataFrame:
    """Values of an analysis with a column ``learned``: whether the network of each row has.

    Of observed trainings: readings of a document may need networks beside those that its claim
    speaks of, and where these have not learned, it is the reading that cannot be compared, not
    the claim. Of all seeds of networks: a replicate in which one has not learned leaves the mean.
    """
    form = exhibit.form
    if isinstance(form, OfNetworks | OfObservations) and form.every_seed:
        return numbers.assign(learned=_learned_seeds(numbers, exhibit))
    if not isinstance(form, OfObservations) or form.kind != "observed":
        return numbers
    if not _tells_places(numbers):
        return numbers
    first = [place for place in exhibit.places if place.protocol == form.protocols[0]]
    failed = {(place.row, place.column) for place in _unlearned(exhibit, first)}
    places = zip(numbers["row"], numbers["column"], strict=True)
    return numbers.assign(learned=[place not in failed for place in places])


def _learned_seeds(numbers: pd.DataFrame, exhibit: RunExhibit) -> list[bool]:
    """Whether the network of each value has learned, by as much of its place as the value tells.

    Its row and column are told as such or by the names of their axes; without a seed it is the
    first.
    """
    form = exhibit.form
    assert isinstance(form, Cells)
    names = ("row", "column") if _tells_places(numbers) else (form.row_axis, form.column_axis)
    told = numbers.assign(seed=numbers.get("seed", SEED))
    known = {name: key for key, name in enumerate((*names, "seed")) if name in told}
    unlearned = [tuple(map(str, place)) for place in _unlearned_seeds(exhibit)]
    lost = {tuple(place[key] for key in known.values()) for place in unlearned}
    values = told[list(known)].astype(str).itertuples(index=False, name=None)
    return [place not in lost for place in values]


def _tells_places(numbers: pd.DataFrame) -> bool:
    """Whether values say which row and column of the grid each of them is of."""
    return {"row", "column"} <= set(numbers.columns)


def _unlearned(exhibit: RunExhibit, places: list[Place]) -> list[Place]:
    """Those of some places whose networks have not learned, the best of them on the same data."""
    found = {place: _accuracy(exhibit, place) for place in places}
    accuracies = {place: accuracy for place, accuracy in found.items() if accuracy is not None}
    return [
        place
        for place, accuracy in accuracies.items()
        if not _gate(exhibit, place, accuracies).passes(accuracy / EVERY)
    ]


def _unlearned_seeds(exhibit: RunExhibit) -> set[tuple[str | None, str, int]]:
    """Row, column and seed of networks that have not learned, the best mean on the same data."""
    form = exhibit.form
    assert isinstance(form, Cells)
    found: dict[Place, dict[int, float]] = {}
    for place in exhibit.places:
        if place.protocol == form.protocols[0]:
            where = (place.row, place.column, place.protocol)
            folders = [folder for at, (_, folder) in exhibit.analysed.items() if at[:3] == where]
            known = {seed: _accuracy_in(folder, place) for seed, folder in enumerate(folders)}
            found[place] = {seed: x for seed, x in known.items() if x is not None}
    means = {place: fmean(known.values()) for place, known in found.items() if known}
    return {
        (place.row, place.column, seed)
        for place in means
        for seed, accuracy in found[place].items()
        if not _gate(exhibit, place, means).passes(accuracy / EVERY)
    }


def _gate(exhibit: RunExhibit, place: Place, accuracies: dict[Place, float]) -> Gate:
    data = dataset(place.cell.dataset)
    assert not isinstance(data, Dataset)
    alike = [x for other, x in accuracies.items() if other.cell.dataset == place.cell.dataset]
    images = round(data.test * exhibit.cell(place).image_settings.tested_fraction)
    return Gate(chance=1 / data.classes, best=max(alike) / EVERY, images=max(1, images))


def _accuracy(exhibit: RunExhibit, place: Place) -> float | None:
    """Test accuracy of a network in percent; None if its run keeps none."""
    where = place.row, place.column, place.protocol
    observed = exhibit.is_observed
    folder = exhibit.analysed[where][1] if observed else exhibit.cell(place).folders()[SEED]
    return _accuracy_in(folder, place)


def _accuracy_in(folder: Path, place: Place) -> float | None:
    """Test accuracy in percent that the run in a folder kept; None if it keeps none."""
    path = folder / METRICS
    if isinstance(dataset(place.cell.dataset), Dataset) or not path.exists():
        return None
    kept = pd.read_csv(path)
    known = [name for name in metric_names() if metric(name).guesses == 1 and name in kept]
    if not known:
        return None
    value = float(kept[known[0]].iloc[0])
    return EVERY - value if metric(known[0]).better == "lower" else value
