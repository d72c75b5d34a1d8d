"""The audit for programs: claims, exhibits with their numbers, and the runs behind them."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from reactivate.auditing.chain import Ledger
from reactivate.auditing.rows import Row
from reactivate.auditing.sharing import Runs
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.experiment import Experiment
from reactivate.foundation.files import strict_json


def content(experiment: Experiment, rows: list[Row], ledger: Ledger) -> dict[str, Any]:
    """The content of ``audit.json``: cells and records of every exhibit that was made."""
    runs, papers = Runs(ledger), ledger.papers
    exhibits, figures = [], []
    for name in papers:
        for made in experiment.exhibits(name):
            exhibit = made.form
            evidence = ledger.provenance(made.file("provenance.json"))
            shown = {"paper": name, "name": made.name, "caption": evidence.caption}
            for behind in evidence.behind:
                runs.place(ledger.link(behind.file, behind.sha256))
            if isinstance(exhibit, Grid):
                grid = {"rows": exhibit.row_names, "columns": exhibit.column_names}
                cells = [cell.model_dump() for cell in evidence.cells]
                exhibits.append({**shown, **grid, "cells": cells})
            else:
                figures.append(shown)
    return {
        "scale": experiment.scale,
        "reach": experiment.reach,
        "says": says(experiment),
        "verdicts": dict(Counter(row.verdict for row in rows)),
        "protocols": {name: experiment.paper(name).protocols for name in papers},
        "claims": [asdict(row) for row in rows],
        "exhibits": exhibits,
        "figures": figures,
        **runs.listed(),
    }


def says(experiment: Experiment) -> str:
    """A sentence on what a scale changes, and on what this machine can run of it."""
    text, limited = experiment.form.says, experiment.form.reaches.get(experiment.reach)
    return text if limited is None else f"{text}; {limited}"


def dump(value: dict[str, Any]) -> str:
    """JSON with a line per item of every list at the top, so that changes can be read.

    Example:
        >>> print(dump({"scale": "smoke", "claims": [{"n": 1}, {"n": 2}]}))
        {
        "scale": "smoke",
        "claims": [
        {"n": 1},
        {"n": 2}
        ]
        }
        <BLANKLINE>
    """
    parts = []
    for key, item in strict_json(value).items():
        if isinstance(item, list):
            text = "[\n" + ",\n".join(_line(one) for one in item) + "\n]"
        else:
            text = _line(item)
        parts.append(f"{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _line(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False, allow_nan=False)
