"""The audit for programs: claims, exhibits with their numbers, and the runs behind them."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from reactivate.auditing.answers import TONES, Answer, answer_of
from reactivate.auditing.chain import Ledger
from reactivate.auditing.headlines import findings_of, summary
from reactivate.auditing.rows import Row
from reactivate.auditing.sharing import Runs
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.loading import load_paper
from reactivate.foundation.files import strict_json
from reactivate.judging.verdicts import Verdict


def content(experiment: Experiment, rows: list[Row], ledger: Ledger) -> dict[str, Any]:
    """The content of ``audit.json``: claims, and cells and records of every exhibit made.

    A claim has the columns of ``audit.csv`` that are not empty for it; the records of a cell are
    places in ``runs``.
    """
    runs, papers = Runs(ledger), ledger.papers
    exhibits, figures = [], []
    for name in papers:
        for made in experiment.exhibits(name):
            exhibit = made.form
            evidence = ledger.provenance(made.file("provenance.json"))
            shown = {"paper": name, "name": made.name, "caption": evidence.caption}
            places = {
                read.file: runs.place(ledger.link(read.file, read.sha256))
                for read in evidence.behind
            }
            if isinstance(exhibit, Grid):
                grid = {"rows": exhibit.row_names, "columns": exhibit.column_names}
                cells = [
                    cell.model_dump() | {"records": [places[kept.record] for kept in cell.records]}
                    for cell in evidence.cells
                ]
                exhibits.append({**shown, **grid, "cells": cells})
            else:
                figures.append(shown)
    return {
        "scale": experiment.scale,
        "reach": experiment.reach,
        "says": says(experiment),
        "verdicts": dict(Counter(Verdict.parse(row.verdict).family for row in rows)),
        "protocols": {
            name: {key: form.says for key, form in experiment.paper(name).protocols.items()}
            for name in papers
        },
        "headlines": told_headlines(ledger, {ledger.scale: ledger.rows}),
        "findings": told_findings(ledger),
        "claims": [{key: text for key, text in vars(row).items() if text} for row in rows],
        "exhibits": exhibits,
        "figures": figures,
        **runs.listed(),
    }


def told_headlines(
    ledger: Ledger, scales: Mapping[str, Mapping[str, Row]]
) -> dict[str, list[dict[str, Any]]]:
    """The headlines of every paper with what was found of them, at all audited scales."""
    papers = {name: load_paper(name) for name in ledger.papers}
    return {
        name: [
            {
                "says": headline.says,
                "passages": [[p.where, p.words] for p in headline.passages],
                "answer": _told_answer(answer_of(found)),
                "summary": summary(found),
                "found": [vars(each) for each in found],
            }
            for headline in paper.headlines.values()
            for found in [findings_of(paper, headline, scales)]
        ]
        for name, paper in papers.items()
    }


def _told_answer(answer: Answer) -> dict[str, str]:
    return {
        "kind": answer.kind,
        "words": answer.words,
        "tone": TONES[answer.kind],
        "counted": answer.counted,
    }


def told_findings(ledger: Ledger) -> dict[str, list[dict[str, Any]]]:
    """What was found about programs, other works, readings and our choices: no verdicts."""
    told: dict[str, list[dict[str, Any]]] = {}
    for name in ledger.papers:
        paper = load_paper(name)
        judged = ledger.judgements(name)
        looked = {} if judged is None else judged.findings
        told[name] = [
            {
                "name": key,
                "about": finding.about,
                "locator": finding.locator,
                "says": finding.says,
                "passages": [[p.where, p.words] for p in finding.quotation.passages]
                if finding.quotation
                else [],
                "numbers": looked[key].says if key in looked else "",
            }
            for key, finding in paper.findings.items()
        ]
    return told


def says(experiment: Experiment) -> str:
    """A sentence on what a scale changes, and on what this machine can run of it."""
    text, limited = experiment.form.says, experiment.form.reaches.get(experiment.reach)
    if experiment.reach == EXISTING:
        limited = "what was not made counts as not run"
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
