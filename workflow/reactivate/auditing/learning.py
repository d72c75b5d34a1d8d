"""Learned first: which runs behind the numbers of a table have learned, at their own scale."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from reactivate.auditing.quantities import measure_of
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.experiment.catalog.catalog import Dataset, Entry, dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.metrics import MetricEntry, metric
from reactivate.experiment.places import Place
from reactivate.experiment.printed import Printed
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.judging.learned import (
    Gate,
    is_part_of_the_way,
    keep_learned,
    passes_regression,
)
from reactivate.judging.replicates import Runs

EVERY = 100.0  # percent


@dataclass(frozen=True)
class Learning:
    """The runs of a trained table, and which of them have learned."""

    exhibit: RunExhibit
    evidence: Evidence

    @property
    def form(self) -> Trained:
        """The table as it is configured."""
        assert isinstance(self.exhibit.form, Trained)
        return self.exhibit.form

    def runs(self, row: str, column: str, protocol: str) -> Runs | None:
        """The numbers of a place by replicate, None for runs that did not learn.

        None for all of it if the place was not run.
        """
        values = self.evidence.values(row, column, protocol)
        if values is None:
            return None
        learned = self.learned(row, column, protocol)
        if len(learned) != len(values):  # a vote: one number of all networks
            learned = [2 * sum(learned) > len(learned)] * len(values)
        return keep_learned(  # a run that diverged has no number
            {seed: None if math.isnan(x) else x for seed, x in enumerate(values)},
            dict(enumerate(learned)),
            printed_learned=self.is_printed_to_learn(row, column),
        )

    def learned(self, row: str, column: str, protocol: str) -> list[bool]:
        """For each run behind a place whether its network has learned; all, if nothing tells."""
        cell = self.evidence.cells[(row, column, protocol)]
        data = self._dataset(cell.dataset)
        if isinstance(data, Dataset):
            deviation = math.inf if data.deviation is None else data.deviation
            return [passes_regression(error, deviation) for error in cell.values]
        telling = self._telling(row, column)
        accuracies = None if telling is None else self._accuracies(*telling, protocol)
        if telling is None or accuracies is None:
            return [True] * len(cell.values)
        chance, best = self._chance(*telling, data), self._best(*telling, protocol)
        if not self._metric(*telling).guesses:  # no hit or miss of each image
            return [is_part_of_the_way(accuracy, EVERY * chance, best) for accuracy in accuracies]
        gate = Gate(chance, best / EVERY, images=self.images(*telling, protocol))
        return [gate.passes(accuracy / EVERY) for accuracy in accuracies]

    def accuracies(self, row: str, column: str, protocol: str) -> list[float] | None:
        """The accuracy in percent of every network behind a place; None if the table has none."""
        telling = self._telling(row, column)
        return None if telling is None else self._accuracies(*telling, protocol)

    def is_printed_to_learn(self, row: str, column: str) -> bool:
        """Whether the document's own network learned, as far as its table tells."""
        telling = self._telling(row, column)
        data = self._dataset(self.form.coordinates(row, column)["dataset"])
        if telling is None or isinstance(data, Dataset):
            return True
        if telling not in self._printed:
            return True
        known = [self._printed[p] for p in self._alike(*telling) if p in self._printed]
        chance = EVERY * self._chance(*telling, data)
        return is_part_of_the_way(self._printed[telling], chance, max(known))

    def images(self, row: str, column: str, protocol: str) -> int:
        """Test images behind an accuracy."""
        place = self.place(row, column, protocol)
        data = self._dataset(place.cell.dataset)
        assert not isinstance(data, Dataset)
        run = self.exhibit.cell(place)
        images = max(1, round(data.test * run.image_settings.tested_fraction))
        if place.measurement is None:
            return images
        asked = run.measurement(place.measurement)
        limits: list[int | None] = [asked.images, getattr(asked, "window", None)]
        every: int = getattr(asked, "every", 1)
        return min([-(-images // every), *(limit for limit in limits if limit is not None)])

    def grain(self, row: str, column: str, protocol: str) -> float:
        """The smallest step of a number: one test image of a share in percent, else none."""
        place = self.place(row, column, protocol)
        is_share = self._known_metric(place.metric).unit == "%"
        is_table = isinstance(self._dataset(place.cell.dataset), Dataset)
        return EVERY / self.images(row, column, protocol) if is_share and not is_table else 0.0

    def place(self, row: str, column: str, protocol: str) -> Place:
        """The place of a number that was run."""
        return self.exhibit.place(row, column, protocol)

    def column(self, row: str, column: str) -> list[float]:
        """The printed numbers that measure the same thing on the same data as one of them."""
        wanted = self._measured(row, column)
        return [value for measured, value in self._printed_numbers if measured == wanted]

    @cached_property
    def _printed_numbers(self) -> list[tuple[tuple[str, str | None], float]]:
        form = self.form
        return [
            (self._measured(row, column), Printed.parse(form.printed_at(row, column)).value)
            for row in form.row_names
            for column in form.column_names
            if form.is_printed(row, column)
        ]

    def _measured(self, row: str, column: str) -> tuple[str, str | None]:
        """What a number measures, and on which data."""
        measure = measure_of(self.exhibit.paper, self.form, row, column, self._known_metric)
        return measure.metric, self.form.coordinates(row, column).get("dataset")

    def _telling(self, row: str, column: str) -> tuple[str, str] | None:
        """The place whose number is the accuracy of the same network; None if there is none."""
        same = self._accurate.get(self._network(row, column), [])
        if (row, column) in same:
            return row, column
        return min(same, key=lambda place: self._metric(*place).guesses or 0, default=None)

    @cached_property
    def _accurate(self) -> dict[frozenset[tuple[str, str]], list[tuple[str, str]]]:
        """The places with an accuracy, by the network that they are of."""
        found: dict[frozenset[tuple[str, str]], list[tuple[str, str]]] = {}
        for place in self._cells:
            if self._metric(*place).guesses or self._metric(*place).ignorant:
                found.setdefault(self._network(*place), []).append(place)
        return found

    def _chance(self, row: str, column: str, data: Sized) -> float:
        """Share that a network has which knows nothing.

        One that takes every pixel for the same class has that class's share of all pixels as its
        only intersection over union, at most 1.
        """
        known = self._metric(row, column)
        if known.ignorant == "nothing":
            return 0.0
        return (known.guesses or 1) / data.classes

    def _accuracies(self, row: str, column: str, protocol: str) -> list[float] | None:
        cell = self.evidence.cells.get((row, column, protocol))
        return None if cell is None else [self._accuracy(row, column, x) for x in cell.values]

    def _accuracy(self, row: str, column: str, number: float) -> float:
        return EVERY - number if self._metric(row, column).better == "lower" else number

    def _best(self, row: str, column: str, protocol: str) -> float:
        """Mean accuracy of the table's best network, on the same data."""
        key = *self._kind(row, column), protocol
        if key not in self._bests:
            places = self._alike(row, column)
            found = [self.evidence.cells.get((*place, protocol)) for place in places]
            cells: list[ShownCell] = [cell for cell in found if cell is not None]
            self._bests[key] = max(self._accuracy(c.row, c.column, c.mean) for c in cells)
        return self._bests[key]

    @cached_property
    def _bests(self) -> dict[tuple[str, str, str], float]:
        """The best accuracies that were asked for, by metric, data and protocol."""
        return {}

    @cached_property
    def _printed(self) -> dict[tuple[str, str], float]:
        """The printed accuracy of every place that has one."""
        form = self.form
        return {
            place: self._accuracy(*place, Printed.parse(form.printed_at(*place)).value)
            for place in self._cells
            if form.is_printed(*place)
        }

    def _alike(self, row: str, column: str) -> list[tuple[str, str]]:
        """Places with the same kind of accuracy on the same data."""
        return self._kinds[self._kind(row, column)]

    @cached_property
    def _kinds(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for place in self._cells:
            found.setdefault(self._kind(*place), []).append(place)
        return found

    def _kind(self, row: str, column: str) -> tuple[str, str]:
        return self._metric_name(row, column), self.form.coordinates(row, column)["dataset"]

    @cached_property
    def _cells(self) -> list[tuple[str, str]]:
        form = self.form
        return [
            (row, column)
            for row in form.row_names
            for column in form.column_names
            if form.is_run(row, column)
        ]

    def _network(self, row: str, column: str) -> frozenset[tuple[str, str]]:
        """Coordinates of what is trained and measured, without what is read off."""
        said = self.form.coordinates(row, column)
        return frozenset(item for item in said.items() if item[0] != "metric")

    def _metric_name(self, row: str, column: str) -> str:
        return self.form.coordinates(row, column).get("metric", self.form.metric.name)

    def _metric(self, row: str, column: str) -> MetricEntry:
        return self._known_metric(self._metric_name(row, column))

    @cached_property
    def _known_metric(self) -> Callable[[str], MetricEntry]:
        """The metric of a name; each is read once for the whole table."""
        return cache(metric)

    @cached_property
    def _dataset(self) -> Callable[[str], Entry]:
        """The dataset of a name; each is read once for the whole table."""
        return cache(dataset)
