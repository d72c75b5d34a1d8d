"""Headlines: what a document promises, what we found, at which scale, and how sure that is."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from reactivate.auditing.rows import Row
from reactivate.experiment.paper import Paper
from reactivate.experiment.quotes import Headline
from reactivate.judging.judgement import replicates_text
from reactivate.judging.looks import FEWEST
from reactivate.judging.verdicts import UNJUDGED, Ruling, Verdict

OF_NUMBERS = {
    Ruling.REPRODUCED: "reproduced",
    Ruling.CONFIRMED: "recomputed and right",
    Ruling.DIFFERS: "not reproduced",
    Ruling.REFUTED: "recomputed and wrong",
    Ruling.MISPRINT: "misprinted",
    Ruling.DEPENDS: "right under some readings only",
    Ruling.UNDECIDED: "undecided",
    Ruling.NOT_COMPARABLE: "not comparable",
    Ruling.NOT_RUN: "not run",
}


OF_CLAIMS: dict[str, tuple[str, str]] = {  # what claims do, of one and of several
    "confirmed": ("is true", "are true"),
    "confirmed(sampled)": ("has no counter-example", "have no counter-example"),
    "holds": ("holds", "hold"),
    "refuted": ("is not true as stated", "are not true as stated"),
    "self_contradictory": ("contradicts another passage", "contradict other passages"),
    "fails": ("does not hold", "do not hold"),
    "misprint": ("is a slip of the pen", "are slips of the pen"),
    "depends": ("depends on the reading", "depend on the reading"),
    "undecided": ("is undecided", "are undecided"),
    "not_comparable": ("cannot be compared", "cannot be compared"),
    "not_run": ("was not run", "were not run"),
    "reproduced": ("is reproduced", "are reproduced"),
    "differs": ("is not reproduced", "are not reproduced"),
}
EXACT = (
    Ruling.MISPRINT,
    Ruling.SELF_CONTRADICTORY,
    Ruling.REFUTED,
    Ruling.CONFIRMED,
    Ruling.NOT_RUN,
)


@dataclass(frozen=True)
class Found:
    """What was found of one part of a headline."""

    about: str  # a claim in our words, or the numbers of an exhibit
    claim: str  # its address; empty for an exhibit
    scale: str
    verdict: str  # empty for an exhibit
    says: str  # a sentence, with the claim as its subject
    sure: str  # how sure that is
    numbers: dict[str, int] = field(default_factory=dict)  # of an exhibit, by verdict


def findings_of(
    paper: Paper, headline: Headline, scales: Mapping[str, Mapping[str, Row]]
) -> list[Found]:
    """What was found of a headline: each claim at the scale that tells most, then the numbers.

    Args:
        paper: The document.
        headline: The promise.
        scales: The rows of every audited scale, by claim; the printed scale first.
    """
    found = [
        _of_claim(best)
        for name in headline.claims
        if (best := _telling(f"{paper.paper}/claims/{name}", scales)) is not None
    ]
    for name in headline.exhibits:
        if name in paper.tables:
            found += _of_numbers(paper, name, scales)
    return found


def summary(found: list[Found]) -> str:
    """What was found of the claims behind a headline, and of the numbers of its tables."""
    claims = [each for each in found if each.verdict]
    tally = Counter((_kind(each), _where(each)) for each in claims)
    parts = [
        f"{count} {words[count > 1]}{where}"
        for kind, words in OF_CLAIMS.items()
        for (known, where), count in tally.items()
        if known == kind
    ]
    said = [f"Of {len(claims)} claims behind it {', '.join(parts)}."] if len(claims) > 1 else []
    if len(claims) == 1:
        told = claims[0].says.removeprefix("It").rstrip(".")
        said = [f"The one claim behind it, {name_of(claims[0])},{told}{_where(claims[0])}."]
    numbers = [f"{each.about}: {each.says}" for each in found if not each.verdict]
    return " ".join([*said, *numbers]) or "Nothing was run for it."


def name_of(found: Found) -> str:
    """The name of a claim, for people."""
    return found.claim.rpartition("/")[2].replace("_", " ")


def _kind(found: Found) -> str:
    """The verdict without its reason; what was only sampled is kept apart from what is true."""
    family = Verdict.parse(found.verdict).family
    return family if family in OF_CLAIMS else family.partition("(")[0]


def _ruling(found: Found) -> Ruling:
    return Verdict.parse(found.verdict).ruling


def _where(found: Found) -> str:
    """The scale of the runs; what is exact has none."""
    return "" if _ruling(found) in EXACT else f" (scale {found.scale})"


def _telling(claim: str, scales: Mapping[str, Mapping[str, Row]]) -> Row | None:
    """The row of the first scale at which a claim was judged, or else of the first that has it."""
    rows = [rows[claim] for rows in scales.values() if claim in rows]
    judged = [row for row in rows if row.ruling not in UNJUDGED]
    compared = [row for row in rows if not row.verdict.startswith(Ruling.NOT_RUN)]
    return next(iter([*judged, *compared, *rows]), None)


def _of_claim(row: Row) -> Found:
    verdict = Verdict.parse(row.verdict)
    return Found(
        row.printed, row.claim, row.scale, row.verdict, f"It {verdict.sentence}.", sure(row)
    )


def sure(row: Row) -> str:
    """How sure a verdict is: interval and replicates, cases, or what it would take."""
    parts = []
    if row.effect and row.low:
        level = f"{float(row.level):.1%}".replace(".0%", "%")
        parts.append(f"effect {row.effect}, {level} interval {row.low} to {row.high}")
    if row.counts:
        parts.append(row.counts)
    if row.n:
        parts.append(f"{row.n} replicate{'' if row.n == '1' else 's'}")
    elif row.cases:
        parts.append(f"{row.cases} case{'' if row.cases == '1' else 's'}")
    if row.seeds_to_decide:
        parts.append(f"it takes {decide_text(row)} to decide it")
    return "; ".join(parts)


def decide_text(row: Row) -> str:
    """How many replicates, and hours, would decide an open claim, in words; empty if it is not.

    With fewer than three, nothing is known of their spread: so many are the least.
    """
    if not row.seeds_to_decide:
        return ""
    least = "at least " if int(row.n or 0) < FEWEST else ""
    hours = f", about {float(row.core_hours):.2g} core-hours" if row.core_hours else ""
    return f"{least}{replicates_text(int(row.seeds_to_decide))}{hours}"


def _of_numbers(
    paper: Paper, exhibit: str, scales: Mapping[str, Mapping[str, Row]]
) -> Iterator[Found]:
    """How many printed numbers of a table got which verdict, at the scale that judged most."""
    prefix = f"{paper.paper}/{exhibit}/"
    tallies = {
        scale: Counter(row.ruling for claim, row in rows.items() if claim.startswith(prefix))
        for scale, rows in scales.items()
    }
    judged = {
        scale: sum(n for ruling, n in tally.items() if ruling not in UNJUDGED)
        for scale, tally in tallies.items()
    }
    scale = max(judged, key=lambda name: judged[name], default=None)
    if scale is None or not tallies[scale]:
        return
    tally = tallies[scale]
    said = ", ".join(f"{tally[r]} {text}" for r, text in OF_NUMBERS.items() if tally[r])
    locator, total = paper.tables[exhibit].locator, tally.total()
    told = f"of {total} printed numbers {said}"
    if tally[Ruling.NOT_RUN] == total:
        told = f"none of {total} printed numbers was run"
    counted = {ruling.value: tally[ruling] for ruling in Ruling if tally[ruling]}
    yield Found(locator, "", scale, "", f"{told}.", "", counted)
