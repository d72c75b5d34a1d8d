"""Every verdict at its own scale: what runs smaller than the printed ones can show."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reactivate.judging.judgement import Judgement
from reactivate.judging.readings import PRINTED_SETTINGS, excused
from reactivate.judging.verdicts import DATA, SCALE, Ruling, Verdict

PAPER = "paper"  # the scale of the document itself
MEASURED = (
    Ruling.REPRODUCED,
    Ruling.DIFFERS,
    Ruling.HOLDS,
    Ruling.FAILS,
    Ruling.UNDECIDED,
    Ruling.DEPENDS,
)


@dataclass(frozen=True)
class Override:
    """A setting that a scale changes for one arm of a comparison.

    Args:
        value: What is used instead of the printed value.
        search: Name of the search that found it; empty if it was set by hand.
    """

    value: str | float
    search: str = ""


Overrides = Mapping[str, Mapping[str, Override]]  # arm -> setting -> what the scale makes of it


def unfair_settings(overrides: Overrides) -> list[str]:
    """Settings that differ between arms and were not found by one search for every arm.

    Example:
        >>> unfair_settings({"gmp": {"lr": Override(0.1)}, "sp": {}})
        ['lr']
    """
    settings = sorted({setting for arm in overrides.values() for setting in arm})
    return [setting for setting in settings if _is_unfair(setting, overrides)]


def contrary_verdict(scale: str, *, stands_in: bool = False) -> Verdict | None:
    """The verdict of contrary results at a scale; None at ``paper``, where they are what they are.

    Below it the scale may be their cause, or the data that stand in for the printed ones.

    Example:
        >>> str(contrary_verdict("laptop"))
        'not_comparable(scale)'
    """
    if scale == PAPER:
        return None
    return DATA if stands_in else SCALE


def at_scale(
    judgement: Judgement,
    scale: str,
    *,
    is_magnitude: bool = False,
    overrides: Overrides | None = None,
    told: str = "",
    stands_in: bool = False,
) -> Judgement:
    """The judgement of a claim as runs of one scale allow it, its evidence unchanged.

    Below ``paper`` a contrary result, or one that is contrary under some reading, may come from
    the scale: it is not comparable, with effect and interval shown. So is a contrary case of a
    list, which is still counted as one below 0. What holds names its scale.
    Readings were combined with the :func:`contrary_verdict` of the same scale.
    On data that stands in for the printed ones it may come from these.
    Magnitudes are not judged there at all, nor is the size of an effect. Where a scale's
    settings differ between the arms, nothing is comparable unless one search found them all.
    Exact results (proofs, arithmetic, quotes) do not depend on a scale.

    Args:
        judgement: The verdict over all readings.
        scale: Scale of the runs.
        is_magnitude: Whether the claim is on a magnitude, a learning rate, a number of epochs or
            the speed of convergence, or on a printed number.
        overrides: Settings that the scale changes, for each arm.
        stands_in: Whether other data took the place of the printed ones.
        told: What the scale changes, in words; if there are none, each arm's settings are shown.
    """
    contrary_as = contrary_verdict(scale, stands_in=stands_in)
    parts = tuple((name, excused(part, contrary_as)) for name, part in judgement.parts)
    judgement = replace(judgement, parts=parts)
    is_excused = scale != PAPER and judgement.would_change == PRINTED_SETTINGS  # by a reading
    if judgement.verdict.ruling not in MEASURED and not is_excused:
        return judgement
    given = overrides or {}
    found = replace(judgement, scale=scale, overrides=told or _text(given))
    unfair = unfair_settings(given)
    if unfair:
        return _incomparable(found, f"the arms differ in {', '.join(unfair)}, set for this scale")
    if scale == PAPER:
        return found
    found = replace(found, size=None)
    ruling = judgement.verdict.ruling
    if is_magnitude or ruling in (Ruling.REPRODUCED, Ruling.DIFFERS):
        why = "magnitudes are not judged below the printed scale"
        return _incomparable(found, why, stands_in)
    if judgement.verdict.is_contrary or ruling is Ruling.DEPENDS:
        why = f"{judgement.verdict} may come from the {'data' if stands_in else 'scale'}"
        return _incomparable(found, why, stands_in)
    return replace(found, reason=f"at scale {scale}: {judgement.reason}")


def _incomparable(judgement: Judgement, why: str, stands_in: bool = False) -> Judgement:
    return replace(
        judgement,
        verdict=DATA if stands_in else SCALE,
        reason=f"at scale {judgement.scale}: {why}; {judgement.reason}",
        seeds_to_decide=None,
        would_change=PRINTED_SETTINGS,
    )


def _is_unfair(setting: str, overrides: Overrides) -> bool:
    found = [arm.get(setting) for arm in overrides.values()]
    if len({None if override is None else override.value for override in found}) == 1:
        return False
    searches = {"" if override is None else override.search for override in found}
    return len(searches) > 1 or "" in searches


def _text(overrides: Overrides) -> str:
    return "; ".join(
        f"{arm}: " + ", ".join(f"{setting} = {found.value}" for setting, found in given.items())
        for arm, given in overrides.items()
        if given
    )
