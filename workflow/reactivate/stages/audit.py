"""Judge every claim of all papers at a scale: audit.csv, audit.json and one page."""

import base64
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd

from reactivate.arguments import REACH, named_arguments
from reactivate.auditing.evidence import Evidence
from reactivate.auditing.rows import Row, checked_row, number_rows, statement_row
from reactivate.claims import Judgement, Verdict
from reactivate.errors import reports_errors
from reactivate.exhibits import Grid
from reactivate.files import strict_json, write_atomically
from reactivate.papers import (
    EVERYTHING,
    checks,
    exhibits_made,
    load_paper,
    load_reach,
    load_scale,
    paper_names,
)
from reactivate.runs import audit_file, checks_file, exhibit_file


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S [--reach R]``."""
    audit(*named_arguments(__doc__, "scale", **REACH))


def audit(scale: str, reach: str = EVERYTHING) -> None:
    """Writes the audit of a scale: of what this machine can run of it."""
    rows = [row for name in paper_names() for row in judge(scale, name, reach)]
    with write_atomically(audit_file(scale, "csv")) as part:
        pd.DataFrame([asdict(row) for row in rows]).to_csv(part, index=False)
    content = strict_json(page_content(scale, rows, reach))
    with write_atomically(audit_file(scale, "json")) as part:
        part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    with write_atomically(audit_file(scale, "html")) as part:
        part.write_text(render(content), encoding="utf-8")


def judge(scale: str, name: str, reach: str) -> Iterator[Row]:
    """One row per claim of a paper: its printed numbers, then its statements."""
    paper = load_paper(name)
    made = exhibits_made(scale, name, reach)
    evidence = {}
    for exhibit in paper.tables:
        path = exhibit_file(scale, name, exhibit, "provenance.json")
        found = Evidence.read(path) if exhibit in made else Evidence({})
        evidence[exhibit] = found, path.as_posix() if exhibit in made else ""
        yield from number_rows(scale, paper, exhibit, *evidence[exhibit])
    checked = checks_file(scale, name)
    judged = _read_json(checked)["claims"] if checks(name) else {}
    for claim, statement in paper.claims.items():
        if claim in judged:
            verdict = Verdict(judged[claim]["verdict"])
            judgement = Judgement(verdict, judged[claim]["reason"])
            yield checked_row(scale, paper, claim, judgement, checked.as_posix())
        else:
            source = evidence[str(statement.check.exhibit)]
            yield statement_row(scale, paper, claim, *source)


def page_content(scale: str, rows: list[Row], reach: str) -> dict[str, Any]:
    """Everything the page shows: claims, exhibits with their layout, and the runs behind them."""
    exhibits, figures = [], []
    for name in paper_names():
        for key in exhibits_made(scale, name, reach):
            exhibit = load_paper(name).exhibits[key]
            evidence = _read_json(exhibit_file(scale, name, key, "provenance.json"))
            shown = {"paper": name, "name": key, "caption": evidence["caption"]}
            if not isinstance(exhibit, Grid):
                picture = exhibit_file(scale, name, key, "png").read_bytes()
                figures.append({**shown, "png": base64.b64encode(picture).decode()})
                continue
            cells = [{**c, "run": _run(c["records"][0]["record"])} for c in evidence["cells"]]
            grid = {"rows": exhibit.row_names, "columns": exhibit.column_names}
            exhibits.append({**shown, **grid, "cells": cells})
    limited = load_reach(scale, reach)
    says = load_scale(scale).says
    return {
        "scale": scale,
        "says": says if limited is None else f"{says}; {limited.says}",
        "verdicts": dict(Counter(row.verdict for row in rows)),
        "protocols": {name: load_paper(name).protocols for name in paper_names()},
        "claims": [asdict(row) for row in rows],
        "exhibits": exhibits,
        "figures": figures,
    }


def _run(record: str) -> dict[str, Any]:
    """The part of a run's record that the page shows."""
    run = _read_json(Path(record))
    shown = ("code", "git", "dataset", "function", "seconds", "warnings", "packages", "machine")
    return {key: run.get(key) for key in shown}


def _read_json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def render(content: dict[str, Any]) -> str:
    """The page with its data inside; ``</`` is escaped so that no text can end the script."""
    template = files("reactivate.auditing").joinpath("page.html").read_text(encoding="utf-8")
    data = json.dumps(content, ensure_ascii=False).replace("</", "<\\/")
    return template.replace("/*DATA*/null", data)


if __name__ == "__main__":
    main()
