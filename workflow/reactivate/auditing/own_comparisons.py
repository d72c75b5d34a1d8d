"""Comparisons of ours between trained networks: found from their runs, without a verdict."""

from pathlib import Path

import pandas as pd

from reactivate.experiment.catalog.catalog import Dataset, dataset
from reactivate.experiment.metrics import metric
from reactivate.experiment.outputs import METRICS
from reactivate.experiment.places import Place
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.statements import Check, Comparison
from reactivate.judging.effects import difference
from reactivate.judging.exact import not_run
from reactivate.judging.judgement import Judgement
from reactivate.judging.learned import Gate, keep_learned
from reactivate.judging.prospects import Inquiry
from reactivate.judging.questions import question_of
from reactivate.judging.replicates import Effect, Runs

EVERY = 100.0  # percent
ACCURACY = "top1"


def compared_places(exhibit: RunExhibit, check: Check, compared: Comparison) -> list[Place]:
    """The places whose runs a comparison of ours needs."""
    rows = {*compared.ahead, *compared.behind}
    return [
        place
        for place in exhibit.places
        if place.row in rows and place.column in (check.columns or [place.column])
    ]


def inquire_runs(exhibit: RunExhibit, check: Check, compared: Comparison) -> Inquiry | Judgement:
    """What the runs of an exhibit say of a comparison of ours, and how the rules answer it."""
    places = compared_places(exhibit, check, compared)
    question = question_of(compared.effect, exhibit.scale)
    cases: dict[str, Effect] = {}
    for column in dict.fromkeys(place.column for place in places):
        arms = {
            place.row: _runs(exhibit, place, compared.metric)
            for place in places
            if place.column == column
        }
        wanted = (*compared.ahead, *compared.behind)
        if missing := [row for row in wanted if row not in arms or not arms[row][0]]:
            return not_run("compute", f"no run of {', '.join(missing)} on {column} is there")
        best = max(sum(hits) / len(hits) for _, hits, _ in arms.values())
        learned = {row: _learned(*arm, best) for row, arm in arms.items()}
        for ahead in compared.ahead:
            for behind in compared.behind:
                cases[f"{column}: {ahead} over {behind}"] = difference(
                    learned[ahead],
                    learned[behind],
                    paired=compared.effect.shared is not None,
                    lower_is_better=metric(compared.metric).better == "lower",
                    grain=EVERY / arms[ahead][2].images,
                )
    if not cases:
        return not_run("compute", f"the scale {exhibit.scale} runs none of its networks")
    return Inquiry(cases, question.answer, question.plan)


def _runs(exhibit: RunExhibit, place: Place, name: str) -> tuple[Runs, list[float], Gate]:
    """The numbers and accuracies of the runs that are there, and the gate without its best."""
    data = dataset(place.cell.dataset)
    assert not isinstance(data, Dataset)
    cell = exhibit.cell(place)
    images = max(1, round(data.test * cell.image_settings.tested_fraction))
    files: dict[int, Path] = {seed: folder / METRICS for seed, folder in enumerate(cell.folders())}
    kept = {seed: pd.read_csv(file).iloc[0] for seed, file in files.items() if file.exists()}
    runs = {seed: float(row[name]) for seed, row in kept.items()}
    hits = [float(row[ACCURACY]) for row in kept.values()]
    return runs, hits, Gate(1 / data.classes, 0.0, images)


def _learned(runs: Runs, hits: list[float], gate: Gate, best: float) -> dict[int, float | None]:
    passed = Gate(gate.chance, best / EVERY, gate.images).passes
    return keep_learned(
        runs, {seed: passed(hit / EVERY) for seed, hit in zip(runs, hits, strict=True)}
    )
