"""The audit for programs: claims, exhibits with their numbers, and the runs behind them."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from reactivate.auditing.chain import Ledger
from reactivate.auditing.rows import Row
from reactivate.auditing.sharing import Runs
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.papers import (
    exhibits_made,
    load_paper,
    load_reach,
    load_scale,
    paper_names,
)
from reactivate.experiment.runs import exhibit_file
from reactivate.foundation.files import strict_json


def content(scale: str, rows: list[Row], reach: str) -> dict[str, Any]:
    """The content of ``audit.json``: claims, and cells and records of every exhibit made."""
    ledger = Ledger(scale)
    runs = Runs(ledger)
    exhibits, figures = [], []
    for name in paper_names():
        for key in exhibits_made(scale, name, reach):
            exhibit = load_paper(name).exhibits[key]
            evidence = ledger.provenance(exhibit_file(scale, name, key, "provenance.json"))
            shown = {"paper": name, "name": key, "caption": evidence.caption}
            for behind in evidence.behind:
                runs.place(ledger.link(behind.file, behind.sha256))
            if isinstance(exhibit, Grid):
                grid = {"rows": exhibit.row_names, "columns": exhibit.column_names}
                cells = [cell.model_dump() for cell in evidence.cells]
                exhibits.append({**shown, **grid, "cells": cells})
            else:
                figures.append(shown)
    return {
        "scale": scale,
        "reach": reach,
        "says": says(scale, reach),
        "verdicts": dict(Counter(row.verdict for row in rows)),
        "protocols": {name: load_paper(name).protocols for name in paper_names()},
        "claims": [asdict(row) for row in rows],
        "exhibits": exhibits,
        "figures": figures,
        **runs.listed(),
    }


def says(scale: str, reach: str) -> str:
    """What a scale changes, and what this machine can run of it."""
    limited, text = load_reach(scale, reach), load_scale(scale).says
    return text if limited is None else f"{text}; {limited.says}"


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
