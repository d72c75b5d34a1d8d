"""Readings: one verdict from all that a document's words, and its silence, leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import (
    DEPENDS,
    DIFFERS,
    FAILS,
    UNDECIDED,
    UNJUDGED,
    Ruling,
    Verdict,
)

NOT_COMPUTED = Verdict(Ruling.NOT_RUN, "compute")
OF_RUNS = (FAILS, DIFFERS)  # contrary verdicts of runs; what is refuted has no scale
PRINTED_SETTINGS = "runs with the printed settings at the printed scale"  # would change it


@dataclass(frozen=True)
class Reading:
    """One way to read the document, or one value of a choice that it leaves open.

    Args:
        name: What is read or chosen, for people.
        judgement: The verdict if it is so.
        on_test_split: Whether something is selected on the test split, as an author's program
            may do. It can excuse a contrary result, but never make a favourable one.
        afterwards: Whether the reading was added when results were known. It may only soften.
    """

    name: str
    judgement: Judgement
    on_test_split: bool = False
    afterwards: bool = False

    @property
    def verdict(self) -> Verdict:
        """Verdict on the claim under this reading."""
        return self.judgement.verdict


def combine(readings: Sequence[Reading], contrary_as: Verdict | None = None) -> Judgement:
    """Verdict over all readings and choices, with the verdict under each.

    Favourable and contrary readings: ``depends``. All contrary: contrary. Favourable and none
    contrary: favourable. Otherwise ``undecided``; if nothing was judged, why it was not.
    Readings that were added afterwards can only turn a contrary verdict into a softer one.

    Args:
        readings: The verdict under each.
        contrary_as: The verdict that a contrary reading gets where its scale or data may be the
            cause (:func:`reactivate.judging.scale.contrary_verdict`). It is told so and counts
            among those that cannot be compared; beside a favourable one it still ``depends``.

    Raises:
        ValueError: No reading was listed before results were known.
    """
    listed = [reading for reading in readings if not reading.afterwards]
    if not listed:
        raise ValueError(
            f"{len(readings)} readings, and none was listed before results were known; accepted: "
            "one or more. List what the claim is judged by"
        )
    verdict = _over(readings)
    shown_as = [replace(r, judgement=excused(r.judgement, contrary_as)) for r in readings]
    if not (verdict.is_contrary or verdict == DEPENDS):
        readings, verdict = shown_as, _over(shown_as)
    by_weight = sorted(readings, key=lambda r: (r.afterwards, r.on_test_split))
    shown = next((r.judgement for r in by_weight if r.verdict == verdict), by_weight[0].judgement)
    if len(readings) == 1 and shown.verdict == verdict:
        return shown
    said = "; ".join(f"{reading.name}: {reading.verdict}{_mark(reading)}" for reading in shown_as)
    open_seeds = [r.judgement.seeds_to_decide for r in listed]
    needed = [n for n in open_seeds if n is not None]
    return replace(
        shown,
        verdict=verdict,
        reason=f"{said} ({shown.reason})" if shown.verdict == verdict else said,
        seeds_to_decide=min(needed, default=None) if verdict == UNDECIDED else None,
        would_change="a word of the document on which reading is meant"
        if verdict == DEPENDS
        else shown.would_change,
        parts=tuple((reading.name, reading.judgement) for reading in shown_as),
    )


def soften_by(
    judgement: Judgement, missing: Sequence[str], contrary_as: Verdict | None = None
) -> Judgement:
    """The judgement, if nothing was computed under some readings: contrary is then undecided.

    Args:
        judgement: Verdict under what was computed.
        missing: Readings, or alternatives of choices, under which nothing was computed.
        contrary_as: The verdict of contrary results where scale or data may be their cause; they
            accuse nobody, so that nothing is softened.
    """
    is_excused = contrary_as is not None and judgement.verdict in OF_RUNS
    if not judgement.verdict.is_contrary or not missing or is_excused:
        return judgement
    unread = Judgement(NOT_COMPUTED, "nothing was computed under this reading")
    return combine([Reading("as chosen", judgement), *(Reading(m, unread) for m in missing)])


def excused(judgement: Judgement, contrary_as: Verdict | None) -> Judgement:
    """The judgement; a contrary one of runs as one that cannot be compared, with its evidence."""
    if contrary_as is None or judgement.verdict not in OF_RUNS:
        return judgement
    return replace(
        judgement,
        verdict=contrary_as,
        reason=f"contrary below the printed scale; {judgement.reason}",
        seeds_to_decide=None,
        would_change=PRINTED_SETTINGS,
    )


def _over(readings: Sequence[Reading]) -> Verdict:
    listed = [reading for reading in readings if not reading.afterwards]
    return _soften(_of_listed(listed), [r.verdict for r in readings if r.afterwards])


def _of_listed(listed: list[Reading]) -> Verdict:
    verdicts = [reading.verdict for reading in listed]
    favourable = [v for v in verdicts if v.is_favourable]
    contrary = [v for v in verdicts if v.is_contrary]
    on_fair_terms = [r.verdict for r in listed if r.verdict.is_favourable and not r.on_test_split]
    if DEPENDS in verdicts or (favourable and contrary):
        return DEPENDS
    if len(contrary) == len(verdicts):
        return contrary[0]
    if on_fair_terms:
        return on_fair_terms[0]
    if all(verdict.ruling in UNJUDGED for verdict in verdicts):
        return min(verdicts, key=lambda verdict: UNJUDGED.index(verdict.ruling))
    return UNDECIDED


def _soften(verdict: Verdict, later: list[Verdict]) -> Verdict:
    """A contrary verdict after readings that were added later; no other verdict changes."""
    if not verdict.is_contrary or all(v.is_contrary for v in later):
        return verdict
    return DEPENDS if any(v.is_favourable or v == DEPENDS for v in later) else UNDECIDED


def _mark(reading: Reading) -> str:
    marks = [
        text
        for text, applies in (
            ("selects on the test split", reading.on_test_split),
            ("added afterwards", reading.afterwards),
        )
        if applies
    ]
    return f" [{', '.join(marks)}]" if marks else ""
