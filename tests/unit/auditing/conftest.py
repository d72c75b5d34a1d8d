"""A made-up table of runs, and comparisons that are judged from it."""

from datetime import date
from pathlib import Path

import pytest
from reactivate.auditing.comparisons import judge_statement
from reactivate.auditing.learning import Learning
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.evidence.tables import Entry
from reactivate.experiment.paper import Paper
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import PaperScale
from reactivate.experiment.statements import Statement
from reactivate.judging.exact import not_run

ROOT = Path(__file__).parents[3]
RECIPE = {
    "stage": "train",
    "optimizer": {"name": "sgd", "momentum": 0.9, "weight_decay": 0.0},
    "lr": {"default": 0.1},
    "schedule": {"kind": "constant"},
    "batch_size": 100,
    "epochs": 10,
    "normalise": "mean",
    "seeds": 5,
}
UNITS = {"top1": ("higher", "%"), "error": ("lower", "%"), "loss_min": ("lower", "nats")}


@pytest.fixture
def table(monkeypatch):
    """``table(values, ...)``: a made-up table whose places, ``(row, column)``, have these runs.

    A place may name its protocol third; a column may stand for ``{"metric": ...}``; nothing is
    printed but what ``printed`` says by place, else 50.
    """
    monkeypatch.chdir(ROOT)  # for config/datasets.yaml and config/metrics.yaml

    def made(values, **changed):
        exhibit = made_up(list(values), **changed)
        cells = {}
        for place, runs in values.items():
            row, column, protocol = (*place, "document")[:3]
            data = exhibit.form.coordinates(row, column)["dataset"]
            data = exhibit.stand_ins.get(data, data)
            entry = Entry(row, column, protocol, runs, dataset=data)
            cells[entry.row, entry.column, protocol] = ShownCell.of(entry, "1", [])
        return Learning(exhibit, Evidence(cells))

    return made


@pytest.fixture
def judged():
    """``judged(table, check, choices, **effect)``: of a comparison; by default crelu is best."""

    def judgement(table, check=None, choices=None, **effect):
        statement = {
            "locator": "Section 1",
            "kind": "comparison",
            "says": "CReLU is best.",
            "quote": "CReLU is best",
            "lines": [1, 1],
            "check": {"exhibit": "table1", **(check or {"best": "crelu"})},
            "effect": {"number": "accuracy", "replicate": "seed", **effect},
            "choices": choices or {},
            "would_change": "More seeds.",
        }
        left_out = not_run("compute", "left out here")
        return judge_statement(Statement.model_validate(statement), table, left_out)

    return judgement


def made_up(
    places,
    *,
    rows=None,
    columns=None,
    metric="top1",
    dataset="cifar10",
    printed=None,
    spread="unstated",
    choices=None,
    protocols=None,
    measurements=None,
    recipe=None,
    scale="paper",
    limits=None,
    stand_ins=None,
    conventions=None,
    fixed=None,
):
    """A trained exhibit of a made-up paper at a scale."""
    rows = rows or list(dict.fromkeys(place[0] for place in places))
    columns = columns or {name: {} for name in dict.fromkeys(place[1] for place in places)}
    columns = columns if isinstance(columns, dict) else {name: {} for name in columns}
    protocols = protocols or {"document": "As it says."}
    better, unit = UNITS.get(metric, ("lower", "1"))
    usual = {"model": "small", "parameterization": "sp", "dataset": dataset, **(fixed or {})}
    varied = {key for said in columns.values() for key in said}
    form = {
        "kind": "trained",
        "title": "Made up.",
        "locator": "Table 1",
        "metric": {"name": metric, "better": better, "unit": unit},
        "rows": {"activation": rows},
        "columns": {"what": columns},
        "fixed": {key: value for key, value in usual.items() if key not in varied},
        "protocols": list(protocols),
        "spread": spread,
        "choices": choices or {},
        "conventions": conventions or {},
        "printed": {r: [(printed or {}).get((r, c), "50") for c in columns] for r in rows},
    }
    paper = Paper.model_validate(
        {
            "paper": "toy",
            "title": "A toy.",
            "source": {"cited": "Nobody", "read": date(2027, 1, 1)},
            "models": {"small": {"kind": "image", "network": "vgg16"}},
            "recipes": {name: {**RECIPE, **(recipe or {})} for name in protocols},
            "measurements": measurements or {},
            "exhibits": {"table1": form},
            "protocols": protocols,
        }
    )
    smaller = PaperScale.model_validate(limits or {})
    return RunExhibit(scale, paper, smaller, stand_ins or {}, None, "table1")
