"""Ratios of two implementations timed in one process, and the line each measurement prints."""

import json
from collections.abc import Callable
from time import perf_counter

Action = Callable[[], object]
Clock = Callable[[], float]


def seconds(action: Action, clock: Clock = perf_counter) -> float:
    """Time of one call: wall time, or that of another clock."""
    start = clock()
    action()
    return clock() - start


def ratio(
    slow: Action, fast: Action, repeats: int = 15, warmup: int = 2, clock: Clock = perf_counter
) -> float:
    """Least time of ``slow`` over least time of ``fast``.

    The two take turns, so a busy moment of the machine meets both; the least of many repeats is
    the time without such moments.
    """
    for _ in range(warmup):
        slow()
        fast()
    pairs = [(seconds(slow, clock), seconds(fast, clock)) for _ in range(repeats)]
    return min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)


def report(
    name: str, ratio: float, bar: float, better: str = "lower", **extra: float | str
) -> bool:
    """Prints one JSON line and returns whether the bar is met.

    Args:
        name: What was measured.
        ratio: The measured ratio.
        bar: The ratio that must be kept.
        better: ``"lower"`` if the ratio must be at most the bar, ``"higher"`` if at least.
        extra: Further fields of the line.
    """
    if better not in ("lower", "higher"):
        raise ValueError(f"better is {better!r}; accepted: lower, higher. Change the call")
    ok = ratio <= bar if better == "lower" else ratio >= bar
    line = {"name": name, "ratio": round(ratio, 4), "bar": round(bar, 4), "better": better}
    print(json.dumps({**line, "ok": ok, **extra}), flush=True)
    return ok
