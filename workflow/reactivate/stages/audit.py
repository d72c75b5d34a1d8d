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

from reactivate.arguments import named_arguments
from reactivate.auditing.evidence import Evidence
from reactivate.auditing.rows import Row, checked_row, number_rows, statement_row
from reactivate.claims import Judgement, Verdict
from reactivate.errors import reports_errors
from reactivate.exhibits import Figure
from reactivate.files import write_atomically
from reactivate.papers import checks, load_paper, load_scale, paper_names
from reactivate.runs import audit_file, checks_file, exhibit_file


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S``."""
    audit(*named_arguments(__doc__, "scale"))


def audit(scale: str) -> None:
    """Writes the audit of a scale."""
    rows = [row for name in paper_names() for row in judge(scale, name)]
    with write_atomically(audit_file(scale, "csv")) as part:
        pd.DataFrame([asdict(row) for row in rows]).to_csv(part, index=False)
    content = page_content(scale, rows)
    with write_atomically(audit_file(scale, "json")) as part:
        part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    with write_atomically(audit_file(scale, "html")) as part:
        part.write_text(render(content), encoding="utf-8")


def judge(scale: str, name: str) -> Iterator[Row]:
    """One row per claim of a paper: its printed numbers, then its statements."""
    paper = load_paper(name)
    evidence = {}
    for exhibit in paper.tables:
        path = exhibit_file(scale, name, exhibit, "provenance.json")
        evidence[exhibit] = Evidence.read(path), path.as_posix()
        yield from number_rows(scale, paper, exhibit, *evidence[exhibit])
    checked = checks_file(scale, name)
    judged = _read_json(checked)["claims"] if checks(name) else {}
    for claim, statement in paper.claims.items():
        if claim in judged:
            found = Judgement(Verdict(judged[claim]["verdict"]), judged[claim]["reason"])
            yield checked_row(scale, paper, claim, found, checked.as_posix())
        else:
            source = evidence[str(statement.check.exhibit)]
            yield statement_row(scale, paper, claim, *source)


def page_content(scale: str, rows: list[Row]) -> dict[str, Any]:
    """Everything the page shows: claims, exhibits with their layout, and the runs behind them."""
    exhibits, figures = [], []
    for name in paper_names():
        for key, exhibit in load_paper(name).exhibits.items():
            evidence = _read_json(exhibit_file(scale, name, key, "provenance.json"))
            shown = {"paper": name, "name": key, "caption": evidence["caption"]}
            if isinstance(exhibit, Figure):
                picture = exhibit_file(scale, name, key, "png").read_bytes()
                figures.append({**shown, "png": base64.b64encode(picture).decode()})
                continue
            cells = [{**cell, "run": _run(cell["record"])} for cell in evidence["cells"]]
            grid = {"rows": exhibit.row_names, "columns": exhibit.column_names}
            exhibits.append({**shown, **grid, "cells": cells})
    return {
        "scale": scale,
        "says": load_scale(scale).says,
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
