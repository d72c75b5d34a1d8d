"""Answers to headlines in a few words: how far the claims behind one are decided, and which way.

An answer adds nothing to the verdicts: it says how many claims behind a headline are decided,
which way, and at which scale. docs/verdicts.md has the rule.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reactivate.auditing.headlines import Found
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import FAVOURABLE, UNJUDGED, Ruling, Verdict

AGAINST = frozenset({Ruling.REFUTED, Ruling.DIFFERS, Ruling.FAILS, Ruling.SELF_CONTRADICTORY})
PROVED = ("proof", "exhaustive")  # details of confirmed; what was only sampled may yet fail
RUN = frozenset({Ruling.HOLDS, Ruling.REPRODUCED, Ruling.FAILS, Ruling.DIFFERS, Ruling.DEPENDS})


class Kind(StrEnum):
    """Answers to a headline, from the most favourable to none at all."""

    TRUE = "true"
    HOLDS = "holds"
    PARTLY = "partly"
    DEPENDS = "depends"
    UNDECIDED = "undecided"
    IN_PART = "in_part"
    NO = "no"
    UNTESTED = "untested"


WORDS = {
    Kind.TRUE: "True in every claim behind it",
    Kind.HOLDS: "Holds in every claim behind it, as far as we tried",
    Kind.PARTLY: "Partly checked, so far in its favour",
    Kind.DEPENDS: "Depends on how it is read",
    Kind.UNDECIDED: "Undecided",
    Kind.IN_PART: "In part not true as stated",
    Kind.NO: "Not true as stated",
    Kind.UNTESTED: "No answer yet: not run, or not comparable",
}
TONES = {  # signs and colours of the page
    Kind.TRUE: "good",
    Kind.HOLDS: "good",
    Kind.PARTLY: "open",
    Kind.DEPENDS: "open",
    Kind.UNDECIDED: "open",
    Kind.IN_PART: "mixed",
    Kind.NO: "bad",
    Kind.UNTESTED: "none",
}
MEANS = {  # of one answer, and of several, with the headlines as the subject
    Kind.TRUE: ("is true", "are true"),
    Kind.HOLDS: ("holds as far as we tried", "hold as far as we tried"),
    Kind.PARTLY: (
        "is partly checked, so far in its favour",
        "are partly checked, so far in their favour",
    ),
    Kind.DEPENDS: ("depends on how it is read", "depend on how they are read"),
    Kind.UNDECIDED: ("is undecided", "are undecided"),
    Kind.IN_PART: ("is in part not true as stated", "are in part not true as stated"),
    Kind.NO: ("is not true as stated", "are not true as stated"),
    Kind.UNTESTED: ("has no answer yet", "have no answer yet"),
}


@dataclass(frozen=True)
class Answer:
    """The answer to one headline.

    Attributes:
        kind: Which of the answers it is.
        favourable: Claims behind the headline that speak for it.
        against: Those that speak against it.
        claims: All claims behind it.
        scales: Scales of the runs that decided any of them; exact work has none.
    """

    kind: Kind
    favourable: int
    against: int
    claims: int
    scales: tuple[str, ...]

    @property
    def words(self) -> str:
        """The answer for people, with the scale where the runs were smaller than printed.

        Example:
            >>> Answer(Kind.HOLDS, 2, 0, 2, ("laptop",)).words
            'Holds in every claim behind it, as far as we tried, at the smaller scale laptop'
        """
        smaller = [scale for scale in self.scales if scale != PRINTED_SCALE]
        where = f", at the smaller scale {' and '.join(smaller)}" if smaller else ""
        return f"{WORDS[self.kind]}{where}"

    @property
    def counted(self) -> str:
        """How many claims behind the headline speak for it, and how many against it.

        Example:
            >>> Answer(Kind.IN_PART, 3, 1, 4, ()).counted
            'of 4 claims behind it 3 for it, 1 against it'
        """
        if not self.claims:
            return "no claim behind it could be checked"
        sides = {"for it": self.favourable, "against it": self.against}
        told = ", ".join(f"{n} {side}" for side, n in sides.items() if n) or "none decided"
        return f"of {self.claims} claim{'s' if self.claims > 1 else ''} behind it {told}"


def answer_of(found: Iterable[Found]) -> Answer:
    """The answer that the findings behind a headline give together."""
    told = list(found)
    claims = [(Verdict.parse(each.verdict), each.scale) for each in told if each.verdict]
    kinds = [verdict.ruling for verdict, _ in claims]
    scales = dict.fromkeys(scale for verdict, scale in claims if verdict.ruling in RUN)
    is_whole = all(_is_settled(each.numbers) for each in told)
    kind = _kind([verdict for verdict, _ in claims], is_whole)
    return Answer(
        kind,
        favourable=sum(ruling in FAVOURABLE for ruling in kinds),
        against=sum(ruling in AGAINST for ruling in kinds),
        claims=len(claims),
        scales=tuple(scales),
    )


def _is_settled(numbers: dict[str, int]) -> bool:
    """Whether every printed number of a table agrees; so it is where none belongs to a claim."""
    return all(Ruling(name) in FAVOURABLE | {Ruling.MISPRINT} for name in numbers)


def _kind(verdicts: list[Verdict], is_whole: bool) -> Kind:
    kinds = [v.ruling for v in verdicts if v.ruling != Ruling.MISPRINT]  # a slip decides nothing
    favourable = [ruling in FAVOURABLE for ruling in kinds]
    against = [ruling in AGAINST for ruling in kinds]
    if kinds and all(against):
        return Kind.NO
    if any(against):
        return Kind.IN_PART
    if Ruling.DEPENDS in kinds:
        return Kind.DEPENDS
    if kinds and all(favourable) and is_whole:
        proved = all(v.detail in PROVED for v in verdicts if v.ruling != Ruling.MISPRINT)
        return Kind.TRUE if proved else Kind.HOLDS
    if any(favourable):
        return Kind.PARTLY
    return Kind.UNDECIDED if any(r not in UNJUDGED for r in kinds) else Kind.UNTESTED


def sentence(answers: Iterable[Answer]) -> str:
    """One sentence on the headlines of a document, the answers counted.

    Example:
        >>> sentence([Answer(Kind.TRUE, 1, 0, 1, ()), Answer(Kind.UNTESTED, 0, 0, 0, ())])
        'Of 2 headline claims 1 is true; 1 has no answer yet.'
    """
    tally = Counter(answer.kind for answer in answers)
    total = tally.total()
    if not total:
        return "It makes no headline claim."
    parts = [f"{tally[kind]} {MEANS[kind][tally[kind] > 1]}" for kind in Kind if tally[kind]]
    if total == 1:
        (kind,) = tally
        return f"Its one headline claim {MEANS[kind][0]}."
    return f"Of {total} headline claims {'; '.join(parts)}."
