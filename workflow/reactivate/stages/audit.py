"""Judge every claim of all papers at a scale: audit.csv, audit.json and one page."""

import argparse
import json
from collections import Counter
from dataclasses import asdict
from importlib.resources import files
from typing import Any

import pandas as pd

from reactivate.auditing.evidence import Evidence
from reactivate.auditing.rows import Row, number_rows, statement_row
from reactivate.errors import reports_errors
from reactivate.files import write_atomically
from reactivate.papers import load_paper, load_scale, paper_names
from reactivate.runs import audit_file, exhibit_file


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", required=True)
    audit(parser.parse_args().scale)


def audit(scale: str) -> None:
    """Writes the audit of a scale."""
    rows: list[Row] = []
    for name in paper_names():
        paper = load_paper(name)
        evidence = {}
        for exhibit in paper.exhibits:
            path = exhibit_file(scale, name, exhibit, "provenance.json")
            evidence[exhibit] = Evidence.read(path), path.as_posix()
            rows += number_rows(scale, paper, exhibit, *evidence[exhibit])
        for claim, statement in paper.claims.items():
            rows.append(statement_row(scale, paper, claim, *evidence[statement.check.exhibit]))
    with write_atomically(audit_file(scale, "csv")) as part:
        pd.DataFrame([asdict(row) for row in rows]).to_csv(part, index=False)
    content = page_content(scale, rows)
    with write_atomically(audit_file(scale, "json")) as part:
        part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    with write_atomically(audit_file(scale, "html")) as part:
        part.write_text(render(content), encoding="utf-8")


def page_content(scale: str, rows: list[Row]) -> dict[str, Any]:
    """Everything the page shows: claims, exhibits with their layout, and the runs behind them."""
    exhibits = []
    for name in paper_names():
        paper = load_paper(name)
        for key, exhibit in paper.exhibits.items():
            path = exhibit_file(scale, name, key, "provenance.json")
            evidence = json.loads(path.read_text(encoding="utf-8"))
            exhibits.append(
                {
                    "paper": name,
                    "name": key,
                    "caption": evidence["caption"],
                    "rows": exhibit.row_names,
                    "columns": exhibit.column_names,
                    "cells": [{**cell, "run": _run(cell["record"])} for cell in evidence["cells"]],
                }
            )
    return {
        "scale": scale,
        "says": load_scale(scale).says,
        "verdicts": dict(Counter(row.verdict for row in rows)),
        "protocols": {name: load_paper(name).protocols for name in paper_names()},
        "claims": [asdict(row) for row in rows],
        "exhibits": exhibits,
    }


def _run(record: str) -> dict[str, Any]:
    """The part of a run's record that the page shows."""
    with open(record, encoding="utf-8") as file:  # noqa: PTH123
        run = json.load(file)
    shown = ("code", "git", "dataset", "seconds", "resumes", "warnings", "packages", "machine")
    return {key: run[key] for key in shown}


def render(content: dict[str, Any]) -> str:
    """The page with its data inside; ``</`` is escaped so that no text can end the script."""
    template = files("reactivate.auditing").joinpath("page.html").read_text(encoding="utf-8")
    data = json.dumps(content, ensure_ascii=False).replace("</", "<\\/")
    return template.replace("/*DATA*/null", data)


if __name__ == "__main__":
    main()
