"""The closed list of verdicts: what the audit can say of a claim, in files and to people."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

HERE = "workflow/reactivate/judging/verdicts.py"


class Kind(StrEnum):
    """Kinds of claims: a statement, a printed number, or a comparison of measured quantities."""

    STATEMENT = "statement"
    NUMBER = "number"
    COMPARISON = "comparison"


class Ruling(StrEnum):
    """Name of a verdict without its detail, in the order in which verdicts are tried."""

    NOT_RUN = "not_run"
    NOT_COMPARABLE = "not_comparable"
    MISPRINT = "misprint"
    SELF_CONTRADICTORY = "self_contradictory"
    REFUTED = "refuted"
    CONFIRMED = "confirmed"
    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    DEPENDS = "depends"


_EVERY = frozenset(Kind)
_EXACT = frozenset({Kind.STATEMENT, Kind.NUMBER})
_MEASURED = frozenset({Kind.NUMBER, Kind.COMPARISON})
KINDS: dict[Ruling, frozenset[Kind]] = {  # which kinds of claim may get which verdict
    Ruling.NOT_RUN: _EVERY,
    Ruling.NOT_COMPARABLE: _EVERY,
    Ruling.MISPRINT: _EXACT,
    Ruling.SELF_CONTRADICTORY: frozenset({Kind.STATEMENT}),
    Ruling.REFUTED: _EXACT,
    Ruling.CONFIRMED: _EXACT,
    Ruling.REPRODUCED: frozenset({Kind.NUMBER}),
    Ruling.DIFFERS: frozenset({Kind.NUMBER}),
    Ruling.HOLDS: frozenset({Kind.COMPARISON}),
    Ruling.FAILS: frozenset({Kind.COMPARISON}),
    Ruling.UNDECIDED: _MEASURED,
    Ruling.DEPENDS: _MEASURED,
}
_PRECEDENCE = list(Ruling)[: list(Ruling).index(Ruling.REPRODUCED)]
SAMPLED = re.compile(r"sampled\((\d+)\)")
DETAILS: dict[Ruling, dict[str, str]] = {  # the detail in files -> in a sentence for people
    Ruling.NOT_RUN: {
        "compute": "was not run, because it needs more computing than we had",
        "data_unavailable": "was not run, because its data cannot be had",
        "underspecified": "was not run, because the document does not say enough to run it",
        "quoted": "was not run, because the document quotes it from another work",
    },
    Ruling.NOT_COMPARABLE: {
        "scale": "cannot be compared, because we ran it smaller than it is printed",
        "untrained": "cannot be compared, because a network that it needs has not learned",
        "unreachable": "cannot be compared, because our setting cannot produce the quantity",
        "network": "cannot be compared, because we have another network",
        "data": "cannot be compared, because we used other data in place of the printed ones",
        "hardware": "cannot be compared, because it depends on the machine",
    },
    Ruling.CONFIRMED: {
        "proof": "is true: it was proved",
        "exhaustive": "is true: every case was checked",
        "sampled": "has no counter-example in {draws} cases that were drawn",
    },
}
SENTENCES: dict[Ruling, str] = {
    Ruling.MISPRINT: "is a slip of the pen, and the document itself shows the right form",
    Ruling.SELF_CONTRADICTORY: "contradicts another passage of the same document",
    Ruling.REFUTED: "is not true under the assumptions that the document states",
    Ruling.REPRODUCED: "was reproduced: our runs agree with the printed number",
    Ruling.DIFFERS: "was not reproduced: our runs differ from the printed number",
    Ruling.HOLDS: "holds in our runs",
    Ruling.FAILS: "does not hold in our runs",
    Ruling.UNDECIDED: "could not be decided",
    Ruling.DEPENDS: "depends on how the document is read",
}
FAVOURABLE = frozenset({Ruling.CONFIRMED, Ruling.REPRODUCED, Ruling.HOLDS})
CONTRARY = frozenset({Ruling.REFUTED, Ruling.DIFFERS, Ruling.FAILS})
UNJUDGED = (Ruling.NOT_RUN, Ruling.NOT_COMPARABLE)


@dataclass(frozen=True)
class Verdict:
    """A verdict of the closed list, with its reason or with how it was confirmed.

    Example:
        >>> str(Verdict.parse("not_run(compute)"))
        'not_run(compute)'
        >>> Verdict.parse("confirmed(sampled(200))").sentence
        'has no counter-example in 200 cases that were drawn'
    """

    ruling: Ruling
    detail: str = ""

    def __post_init__(self) -> None:
        known = DETAILS.get(self.ruling, {"": ""})
        if self._word not in known:
            raise ValueError(
                f"the verdict {self.ruling} cannot have the detail {self.detail!r}; accepted: "
                f"{', '.join(map(repr, known))}, with the number of draws in brackets for "
                f"'sampled'. The list is in {HERE}"
            )

    @classmethod
    def parse(cls, text: str) -> "Verdict":
        """Verdict that a file states, such as ``holds`` or ``not_comparable(scale)``.

        Raises:
            ValueError: The text names no verdict of the closed list.
        """
        found = re.fullmatch(r"(\w+)(?:\((.+)\))?", text)
        if found is None or found[1] not in list(Ruling):
            raise ValueError(
                f"{text!r} is no verdict; accepted: {', '.join(Ruling)}, some with a detail as "
                f"in 'not_run(compute)'. The list is in {HERE}"
            )
        return cls(Ruling(found[1]), found[2] or "")

    def __str__(self) -> str:
        return f"{self.ruling}({self.detail})" if self.detail else self.ruling.value

    @property
    def sentence(self) -> str:
        """Words of the verdict for people; the claim is the subject of the sentence."""
        if self.ruling in SENTENCES:
            return SENTENCES[self.ruling]
        drawn = SAMPLED.fullmatch(self.detail)
        return DETAILS[self.ruling][self._word].format(draws=drawn and drawn[1])

    @property
    def family(self) -> str:
        """The verdict as it is counted: without the number of draws.

        Example:
            >>> Verdict.parse("confirmed(sampled(200))").family
            'confirmed(sampled)'
        """
        return f"{self.ruling}({self._word})" if self.detail else self.ruling.value

    @property
    def is_favourable(self) -> bool:
        """Whether the verdict speaks for the document."""
        return self.ruling in FAVOURABLE

    @property
    def is_contrary(self) -> bool:
        """Whether the verdict speaks against the document."""
        return self.ruling in CONTRARY

    def may_judge(self, kind: Kind) -> bool:
        """Whether a claim of this kind can get the verdict."""
        return kind in KINDS[self.ruling]

    @property
    def _word(self) -> str:
        drawn = SAMPLED.fullmatch(self.detail)
        if drawn:
            return "sampled" if int(drawn[1]) > 0 else self.detail
        return f"{self.detail} without draws" if self.detail == "sampled" else self.detail


HOLDS, FAILS = Verdict(Ruling.HOLDS), Verdict(Ruling.FAILS)
REPRODUCED, DIFFERS = Verdict(Ruling.REPRODUCED), Verdict(Ruling.DIFFERS)
UNDECIDED, DEPENDS = Verdict(Ruling.UNDECIDED), Verdict(Ruling.DEPENDS)
MISPRINT, REFUTED = Verdict(Ruling.MISPRINT), Verdict(Ruling.REFUTED)
SCALE = Verdict(Ruling.NOT_COMPARABLE, "scale")
DATA = Verdict(Ruling.NOT_COMPARABLE, "data")
UNTRAINED = Verdict(Ruling.NOT_COMPARABLE, "untrained")
UNREACHABLE = Verdict(Ruling.NOT_COMPARABLE, "unreachable")


def first_applicable(verdicts: Iterable[Verdict], kind: Kind) -> Verdict:
    """The verdict of a claim to which several apply: the first of the closed list, from the top.

    The list has no order among what measurements say (reproduced, differs, holds, fails,
    undecided, depends): readings that disagree in these are combined before.

    Raises:
        ValueError: No verdict applies, one is not for this kind of claim, or two measured ones
            were not combined.
    """
    given = list(dict.fromkeys(verdicts))
    foreign = [str(verdict) for verdict in given if not verdict.may_judge(kind)]
    if foreign or not given:
        fitting = [ruling.value for ruling in Ruling if kind in KINDS[ruling]]
        raise ValueError(
            f"a {kind} cannot get {', '.join(foreign) or 'no verdict at all'}; accepted: "
            f"{', '.join(fitting)}. The list is in {HERE}"
        )
    exact = [verdict for verdict in given if verdict.ruling in _PRECEDENCE]
    if exact:
        return min(exact, key=lambda verdict: _PRECEDENCE.index(verdict.ruling))
    if len(given) > 1:
        raise ValueError(
            f"{', '.join(map(str, given))} disagree; accepted: one verdict of the measurements. "
            "Combine readings with reactivate.judging.readings.combine first"
        )
    return given[0]
