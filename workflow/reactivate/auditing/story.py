"""What a notebook tells of a document: promises, what was found, what would change our mind."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from html import escape

from reactivate.auditing.answers import answer_of, sentence
from reactivate.auditing.chain import Ledger
from reactivate.auditing.headlines import Found, decide_text, findings_of, summary, sure
from reactivate.auditing.rows import Row
from reactivate.documents.shared.notebook import Shelf, Shown, as_table, readable
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.quotes import Headline
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.foundation.files import read_json
from reactivate.judging.verdicts import UNJUDGED, Ruling, Verdict

OPEN = (*UNJUDGED, Ruling.UNDECIDED, Ruling.DEPENDS)
KEYS = re.compile(rf"\b(?:{'|'.join(r for r in Ruling if '_' in r)})(?:\(\w+\))?")
EMPHASIS = re.compile(r"\*{1,2}([^*]+)\*{1,2}")
TEX = {  # marks of extracted formulas, and the plain signs that they stand for
    r"\\(?:mathbf|boldsymbol|mathcal|text|mathrm) *\{([^{}]*)\}": r"\1",
    r"\\frac\{([^{}]*)\}\{([^{}]*)\}": r"\1/\2",
    r"\\(min|max|[{}]|\|)": r"\1",
    r"\\(?:Big|left|right|,|;|!)": "",
    r"\\geq?\b": "≥",
    r"\\leq?\b": "≤",
    r"\\langle\b *": "⟨",
    r" *\\rangle\b": "⟩",
    r"\\theta\b": "θ",
    r"\\(?:var)?epsilon\b": "ε",
    r"\\rho\b": "ρ",
    r"\\(?:Longrightarrow|implies)\b": "⇒",
    r"\\(?:Leftarrow|impliedby)\b": "⇐",
    r"\$": "",
}


class Story:
    """The audits of one document, told from its promises on.

    Each claim is told at the printed scale, if it was judged there, or else at the notebook's.

    Args:
        paper: The document.
        scale: The scale of the notebook.
        evidence: ``results``, with ``published`` where there are none; or ``published`` alone.
    """

    def __init__(self, paper: str, scale: str, evidence: str = "results") -> None:
        self.paper = paper
        self.shelf = Shelf(paper, scale, evidence)

    @cached_property
    def form(self) -> Paper:
        """The document as it is configured."""
        return load_paper(self.paper)

    @cached_property
    def audits(self) -> dict[str, Ledger]:
        """The audit of every scale that can be read, the printed scale first.

        Raises:
            ValueError: There is none.
        """
        scales = dict.fromkeys([PRINTED_SCALE, self.shelf.scale])
        found = {scale: ledger for scale in scales if (ledger := self._ledger(scale)) is not None}
        if not found:
            made = audit_file(self.shelf.scale, "csv", paper=self.paper)
            raise ValueError(
                f"there is no audit of {self.paper} at scale {' or '.join(scales)} below "
                f"{' or '.join(map(str, self.shelf.roots))}; make one with: snakemake {made}"
            )
        return found

    def read(self) -> Shown:
        """Which files the story is told from."""
        told = [
            f"scale {scale}: <code>{escape(ledger.file('csv').as_posix())}</code>"
            f" ({'published' if ledger.root == PUBLISHED else 'made in this clone'})"
            for scale, ledger in self.audits.items()
        ]
        cited = f"<p>{escape(self.form.source.cited)}.</p>"
        return Shown(f"{cited}<p>Claims and verdicts are read from {'; '.join(told)}.</p>")

    def claimed(self) -> Shown:
        """What the document promises, in our words and in its own."""
        return Shown("\n".join(self._promises()))

    def found(self) -> Shown:
        """What was found of every promise; the claims behind it can be unfolded."""
        told = [
            (headline, findings_of(self.form, headline, self._rows))
            for headline in self.form.headlines.values()
        ]
        parts = [f"<p>{escape(sentence(answer_of(found) for _, found in told))}</p>"]
        for headline, found in told:
            says = f"<strong>{escape(headline.says)}</strong>"
            answer = f"<em>{escape(answer_of(found).words)}.</em> {in_words(summary(found))}"
            note = f"<br><small>{escape(headline.note)}</small>" if headline.note else ""
            parts.append(f"<p>{says}<br>{answer}{note}</p>")
            if rows := self._of(found):
                parts.append(_unfolded(f"The claims behind it ({len(rows)})", _claims(rows)))
        return Shown("\n".join(parts))

    def about(self, *exhibits: str) -> Shown:
        """Figures and tables, each with what the audit says of the statements about it."""
        parts = []
        for exhibit in exhibits:
            parts.append(self.shelf.show(exhibit).html)
            if rows := self._told(self._statements(exhibit)):
                parts.append(_unfolded(f"What is said about it ({len(rows)})", _claims(rows)))
        return Shown("\n".join(parts))

    def findings(self, *names: str) -> Shown:
        """What we found that is no claim of the document, and has no verdict."""
        known = {
            finding["name"]: finding
            for ledger in self.audits.values()
            for finding in read_json(ledger.file("json"))["findings"][self.paper]
        }
        lines = [(known[name]["says"], known[name]["numbers"]) for name in names]
        return Shown(as_table(("what we looked at", "what came out"), map(_plain, lines)))

    def would_change(self) -> Shown:
        """What would change our mind on the claims behind the promises; open ones first."""
        names = dict.fromkeys(name for h in self.form.headlines.values() for name in h.claims)
        rows = self._told(names)
        still = [row for row in rows if row.ruling in OPEN]
        decided = [row for row in rows if row not in still]
        still_head = ("claimed", "what we can say now", "what would decide it", "what that takes")
        parts = [as_table(still_head, map(_changes, still))] if still else []
        if decided:
            lines = (_changes(row)[:3] for row in decided)
            table = as_table(("claimed", "what we found", "what would change it"), lines)
            parts.append(_unfolded(f"Claims that are decided ({len(decided)})", table))
        return Shown("\n".join(parts))

    def counts(self) -> Shown:
        """How many claims of the document got which verdict, at every scale."""
        tallies = {
            scale: [row.ruling for row in self._own(rows).values()]
            for scale, rows in self._rows.items()
        }
        lines = [
            [ruling.replace("_", " "), *(str(t.count(ruling) or "") for t in tallies.values())]
            for ruling in Ruling
            if any(ruling in tally for tally in tallies.values())
        ]
        return Shown(as_table(["verdict", *(f"claims, scale {s}" for s in tallies)], lines))

    @cached_property
    def _rows(self) -> dict[str, dict[str, Row]]:
        return {scale: ledger.rows for scale, ledger in self.audits.items()}

    def _ledger(self, scale: str) -> Ledger | None:
        """The audit of a scale: of this document alone, or of all; of this clone, or published."""
        places = [(root, paper) for root in self.shelf.roots for paper in (self.paper, None)]
        ledgers = (Ledger(scale, root, paper) for root, paper in places)
        return next((ledger for ledger in ledgers if ledger.file("csv").exists()), None)

    def _own(self, rows: Mapping[str, Row]) -> dict[str, Row]:
        return {name: row for name, row in rows.items() if name.startswith(f"{self.paper}/")}

    def _promises(self) -> Iterator[str]:
        for headline in self.form.headlines.values():
            yield f"<p><strong>{escape(headline.says)}</strong></p>"
            for passage in headline.passages:
                words = EMPHASIS.sub(r"<em>\1</em>", escape(plain_math(passage.words)))
                where = f"<small>({escape(passage.where)})</small>"
                yield f"<blockquote>“{words}” {where}</blockquote>"

    def _statements(self, exhibit: str) -> list[str]:
        claims = self.form.claims.items()
        return [name for name, c in claims if c.check and c.check.exhibit == exhibit]

    def _told(self, names: Iterable[str]) -> list[Row]:
        """The rows of claims, each at the scale that tells most."""
        together = Headline.model_construct(claims=list(names), exhibits=[])
        return self._of(findings_of(self.form, together, self._rows))

    def _of(self, found: Iterable[Found]) -> list[Row]:
        return [self._rows[each.scale][each.claim] for each in found if each.claim]


def in_words(text: str) -> str:
    """A text of the audit for people: keys of verdicts as sentences, names as words, escaped.

    Example:
        >>> in_words("document: undecided; authors_code: not_comparable(untrained)")
        'document: undecided; authors code: cannot be compared, because a network that it needs
        has not learned'
    """
    return escape(_words(text))


def _words(text: str) -> str:
    return plain_math(readable(KEYS.sub(_sentence, text)))


def _sentence(found: re.Match[str]) -> str:
    try:
        return Verdict.parse(found[0]).sentence
    except ValueError:  # a ruling without its detail
        return found[0].replace("_", " ")


def plain_math(text: str) -> str:
    r"""A quotation without the marks of its formulas, which are not typeset here.

    Example:
        >>> plain_math(r"reduces to $2r = NM/(N+M)$ and $\mathcal{L}(f) \geq \frac{2}{15}$")
        'reduces to 2r = NM/(N+M) and L(f) ≥ 2/15'
    """
    for mark, sign in TEX.items():
        text = re.sub(mark, sign, text)
    return text


def _plain(cells: Iterable[str]) -> list[str]:
    return [_words(cell) for cell in cells]


def _verdict(row: Row) -> str:
    """The verdict in a sentence, with the scale of the runs it rests on."""
    return f"It {Verdict.parse(row.verdict).sentence}" + (
        f" (scale {row.scale})." if row.n else "."
    )


def _claims(rows: Iterable[Row]) -> str:
    head = ("claimed", "found", "how sure", "because")
    return as_table(
        head, (_plain((row.printed, _verdict(row), sure(row), row.reason)) for row in rows)
    )


def _changes(row: Row) -> list[str]:
    return _plain((row.printed, _verdict(row), row.would_change, decide_text(row)))


def _unfolded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>\n{content}\n</details>"
