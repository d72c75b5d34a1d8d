"""The audits of other scales beside one: their verdicts, numbers and orders, claim by claim."""

import os
from pathlib import Path
from typing import Any

from reactivate.auditing.chain import Ledger
from reactivate.auditing.rows import Row
from reactivate.auditing.shown import shown
from reactivate.experiment.loading import load_scales
from reactivate.experiment.paths import PUBLISHED
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.foundation.workplace import of_project
from reactivate.judging.verdicts import Ruling, Verdict

INTERVAL = ("effect", "low", "high", "level", "n")  # fields of a row that tell one


def audited(ledger: Ledger) -> dict[str, Ledger]:
    """The audits of all scales that are beside this one or published, the printed scale first.

    One with verdicts that this audit does not know, of older rules, is left out.
    """
    found = {ledger.scale: ledger}
    for scale in load_scales():
        if scale != ledger.scale:
            others = (
                Ledger(scale, root, ledger.paper) for root in (ledger.root, of_project(PUBLISHED))
            )
            other = next((each for each in others if each.file("csv").exists()), None)
            if other is not None and _is_current(other):
                found[scale] = other
    return dict(sorted(found.items(), key=lambda item: item[0] != PRINTED_SCALE))


def _is_current(ledger: Ledger) -> bool:
    """Whether an audit has no verdict that is unknown."""
    try:
        for text in {row.verdict for row in ledger.rows.values()}:
            Verdict.parse(text)
    except ValueError:
        return False
    return True


def tell_agreement(papers: list[dict[str, Any]], audits: dict[str, Ledger]) -> None:
    """Adds to each table how far its order is the printed one, at every audited scale."""
    tables = {
        scale: {(line["paper"], line["exhibit"]): line for line in audit.agreed}
        for scale, audit in audits.items()
    }
    for paper in papers:
        for exhibit in paper["exhibits"]:
            place = paper["name"], exhibit["name"]
            told = [
                f"{s} {_agreement(lines[place])}" for s, lines in tables.items() if place in lines
            ]
            if told:
                exhibit["agreement"] = "; ".join(told)


def _agreement(line: dict[str, str]) -> str:
    tau, low, high = (f"{float(line[name]):+.2f}" for name in ("tau", "low", "high"))
    return f"{tau} [{low}, {high}], {line['pairs']} pairs"


def other_scales(
    ledger: Ledger, audits: dict[str, Ledger], verdicts: list[str]
) -> list[dict[str, Any]]:
    """Verdicts and numbers of the other scales whose audits are there, claim by claim."""
    found = []
    for name, audit in audits.items():
        if audit is ledger:
            continue
        rows, page = audit.rows, audit.file("html")
        folder = os.path.relpath(page.parent, ledger.file("html").parent)
        told = [_told(rows[claim], verdicts) if claim in rows else 0 for claim in ledger.rows]
        form = load_scales()[name]
        address = f"{Path(folder).as_posix()}/{page.name}"
        found.append({"name": name, "says": form.says, "page": address, "told": told})
    return found


def _told(row: Row, verdicts: list[str]) -> list[Any]:
    """The place of a verdict, our number, and its interval with the reason; none if not run."""
    place = verdicts.index(row.verdict)
    if row.ruling == Ruling.NOT_RUN:
        return [place]
    ours = ""
    if row.ours:
        error = float(row.spread) if row.spread else None
        ours = shown(row.printed, float(row.ours), error, int(row.n or 1), row.protocol)
    interval = {name: getattr(row, name) for name in INTERVAL if getattr(row, name)}
    return [place, ours, interval]
