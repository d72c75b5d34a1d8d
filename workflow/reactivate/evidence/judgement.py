"""Verdicts of the audit on claims, and judgements, which are verdicts with a reason."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """A verdict of the audit on a claim; there are no others."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    ORDER_HOLDS = "order_holds"
    ORDER_FAILS = "order_fails"
    NOT_COMPARABLE = "not_comparable"
    RECOMPUTED_OK = "recomputed_ok"
    INCONSISTENT = "inconsistent"
    NOT_RUN_DATA = "not_run(data_unavailable)"
    NOT_RUN_COMPUTE = "not_run(compute)"
    NOT_RUN_UNDERSPECIFIED = "not_run(underspecified)"


@dataclass(frozen=True)
class Judgement:
    """A verdict and the reason for it, in one line."""

    verdict: Verdict
    reason: str
