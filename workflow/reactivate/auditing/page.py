"""The audit for people: one page with everything inside, made from files alone."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from reactivate.auditing.answers import TONES, WORDS, Kind, answer_of, sentence
from reactivate.auditing.beside import audited, other_scales, tell_agreement
from reactivate.auditing.chain import Chain, Ledger, Number
from reactivate.auditing.content import says, told_findings, told_headlines
from reactivate.auditing.counts import ORDER
from reactivate.auditing.curves import told_curves
from reactivate.auditing.forest import plots
from reactivate.auditing.headlines import findings_of
from reactivate.auditing.policy import policy
from reactivate.auditing.rows import Row
from reactivate.auditing.sharing import Runs
from reactivate.auditing.shown import shown
from reactivate.auditing.sources import address, bibtex
from reactivate.evidence.pictures import as_text
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.experiment import EVERYTHING, EXISTING, Experiment
from reactivate.experiment.labels import labels
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import exhibit_file
from reactivate.experiment.statements import Statement
from reactivate.foundation.files import strict_json
from reactivate.judging.verdicts import Verdict

QUALITY = 36  # of pictures: labels can be read; their files are published beside
STYLE = ("page.css", "plots.css")
CODE = (  # in this order one program
    "data.js",
    "address.js",
    "plots.js",
    "curves.js",
    "documents.js",
    "exhibits.js",
    "claim.js",
    "start.js",
)
EVIDENCE = (  # fields of a row that the page shows where they are not empty
    "kind",
    "effect",
    "low",
    "high",
    "level",
    "n",
    "cases",
    "unlearned",
    "size",
    "counts",
    "parts",
    "choices",
    "overrides",
    "seeds_to_decide",
    "core_hours",
    "would_change",
    "own_table",
    "note",
    "reply",
)


def page(ledger: Ledger) -> str:
    """The page of an audit, as one file that needs no other.

    It shows the verdicts of other scales too, if their audits are beside it or published.

    Args:
        ledger: The audit whose runs can be looked into.
    """
    data = json.dumps(page_data(ledger), ensure_ascii=False, separators=(",", ":"))
    style, code = (f"\n{''.join(map(_template, names))}\n" for names in (STYLE, CODE))
    text = _template("page.html").replace("/*POLICY*/", policy(style, code))
    text = text.replace("\n/*STYLE*/\n", style).replace("\n/*CODE*/\n", code)
    # so that no text can end the script it is in
    return text.replace("/*DATA*/", data.replace("<", "\\u003c"))


def _template(name: str) -> str:
    return files("reactivate.auditing").joinpath("browser", name).read_text(encoding="utf-8")


def page_data(ledger: Ledger) -> dict[str, Any]:
    """All that the page shows, each thing once; ``browser/`` puts it together."""
    runs = Runs(ledger)
    measures: list[list[str]] = []
    audits = audited(ledger)
    rows = {scale: audit.rows for scale, audit in audits.items()}
    given = {row.verdict for told in rows.values() for row in told.values()}
    verdicts = sorted(given, key=lambda text: (ORDER.index(Verdict.parse(text).ruling), text))
    claims = [_claim(ledger.chain(claim), runs, measures, verdicts) for claim in ledger.rows]
    papers = [_paper(name, ledger, runs) for name in ledger.papers]
    headlines, findings = told_headlines(ledger, rows), told_findings(ledger)
    for paper in papers:
        paper |= {"headlines": headlines[paper["name"]], "findings": findings[paper["name"]]}
        paper |= _answered(load_paper(paper["name"]), rows)
    tell_agreement(papers, audits)
    reach = "" if ledger.reach in (EVERYTHING, EXISTING) else f" --config reach={ledger.reach}"
    data: dict[str, Any] = strict_json(
        {
            "scale": ledger.scale,
            "says": says(Experiment.load(ledger.scale, ledger.reach)),
            "rerun": f"snakemake --force{reach} --",
            "verdicts": verdicts,
            "order": list(audits),
            "answers": [[kind, WORDS[kind], TONES[kind]] for kind in Kind],
            "sentences": {text: Verdict.parse(text).sentence for text in verdicts},
            "measures": measures,
            "claims": claims,
            "scales": other_scales(ledger, audits, verdicts),
            "papers": papers,
            "labels": _labels(papers, measures, runs),
            "curves": told_curves(ledger, runs.runs),
            **runs.listed(),
        }
    )
    return data


def _labels(papers: list[dict[str, Any]], measures: list[list[str]], runs: Runs) -> dict[str, str]:
    """What people call the names on the page, where that is more than to leave out underscores.

    Names are those of rows, columns, protocols and metrics, and the parts of folders of runs.
    """
    exhibits = [exhibit for paper in papers for exhibit in paper["exhibits"]]
    folders = [folder for run in runs.runs for folder in run["path"].split("/")]
    names = {
        *(
            name
            for exhibit in exhibits
            for axis in ("rows", "columns")
            for name in exhibit.get(axis, ())
        ),
        *(name for paper in papers for name in paper["protocols"]),
        *(metric for metric, *_ in measures),
        *(part for folder in folders for part in folder.split("-")),
    }
    called = labels(sorted(names))
    return {name: text for name, text in called.items() if text != name.replace("_", " ")}


def _claim(chain: Chain, runs: Runs, measures: list[list[str]], verdicts: list[str]) -> list[Any]:
    """The fields of a claim, in the order in which ``browser/data.js`` names them."""
    row = chain.row
    measure = [row.metric, row.unit, row.better]
    if measure not in measures:
        measures.append(measure)
    paper, exhibit, *place = row.claim.split("/")
    stated = exhibit == "claims"
    statement = load_paper(paper).claims.get(place[0]) if stated else None
    return [
        row.claim,
        row.printed,
        verdicts.index(row.verdict),
        row.protocol,
        row.reason,
        row.beside,
        row.locator if stated else "",  # of a number: its table, row and column
        measures.index(measure),
        [_number(row, number, runs) for number in chain.numbers],
        [runs.place(record) for record in chain.records] if stated else [],
        _about(statement),
        _passages(statement),
        (statement.text or "") if statement else "",
        {name: getattr(row, name) for name in EVIDENCE if getattr(row, name)},
    ]


def _about(statement: Statement | None) -> str:
    """The exhibit that a claim in words is judged from, if there is one."""
    check = None if statement is None else statement.check
    return "" if check is None else check.exhibit or ""


def _passages(statement: Statement | None) -> list[list[str]]:
    """The words of a claim with their lines; then those that set them right, or deny them."""
    if statement is None:
        return []
    others = (("elsewhere", statement.misprint), ("against it", statement.contradicts))
    said = [[p.where, p.words] for p in statement.passages]
    for word, other in others:
        if other is not None:
            said += [[f"{word}, {p.where}", p.words] for p in other.passages]
    return said


def _number(row: Row, number: Number, runs: Runs) -> list[Any]:
    error = number.standard_error
    return [
        number.protocol,
        shown(row.printed, float(number.mean), error, number.n, number.protocol),
        [float(f"{float(value):.6g}") for value in number.values],
        number.how,
        [runs.place(record) for record in number.records],
    ]


def _paper(name: str, ledger: Ledger, runs: Runs) -> dict[str, Any]:
    paper = load_paper(name)
    return {
        "name": name,
        "title": paper.title,
        "cited": paper.source.cited,
        "address": address(paper),
        "bibtex": bibtex(paper),
        "read": paper.source.read.isoformat(),
        "protocols": {key: form.says for key, form in paper.protocols.items()},
        "exhibits": [_exhibit(name, key, ledger, runs) for key in paper.exhibits],
    }


def _answered(paper: Paper, rows: Mapping[str, Mapping[str, Row]]) -> dict[str, Any]:
    """A sentence on the headlines of a paper, and the intervals behind each of them."""
    headlines = list(paper.headlines.values())
    answers = [answer_of(findings_of(paper, headline, rows)) for headline in headlines]
    drawn = [plots(paper, headline, rows) for headline in headlines]
    return {"sentence": sentence(answers), "plots": drawn}


def _exhibit(name: str, key: str, ledger: Ledger, runs: Runs) -> dict[str, Any]:
    """The layout of a table, or the picture of a figure; both are told if they were not made."""
    exhibit = load_paper(name).exhibits[key]
    told: dict[str, Any] = {"name": key, "locator": exhibit.locator, "title": exhibit.title}
    if isinstance(exhibit, Grid):
        told |= {"rows": exhibit.row_names, "columns": exhibit.column_names}
    provenance = exhibit_file(ledger.scale, name, key, "provenance.json", ledger.root)
    if not provenance.exists():
        return told
    evidence = ledger.provenance(provenance)
    told["caption"] = evidence.caption
    picture = provenance.with_name(f"{key}.png")
    drawn = evidence.record
    if drawn is not None and picture.exists():
        told["picture"], told["size"] = as_text(picture.read_bytes(), QUALITY)
        told |= {"function": drawn.function, "code": drawn.code, "seconds": drawn.times.seconds}
        told["runs"] = [runs.place(ledger.link(run.file, run.sha256)) for run in drawn.read]
    return told
