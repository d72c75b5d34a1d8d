"""Ratios of two implementations timed in one process, and the line each measurement prints."""

import json
from collections.abc import Callable
from time import perf_counter, process_time

Action = Callable[[], object]
Clock = Callable[[], float]
WALL = perf_counter  # for what other processes do for this one


def seconds(action: Action, clock: Clock = process_time) -> float:
    """Time of one call: that of the processor for this process, or that of another clock."""
    start = clock()
    action()
    return clock() - start


def least(
    *actions: Action, repeats: int = 15, warmup: int = 2, clock: Clock = process_time
) -> list[float]:
    """The least time of each of some actions.

    They take turns, so a busy moment of the machine meets all; the least of many repeats is the
    time without such moments. Time is that of the processor: waiting for it does not count, and
    what remains of a busy machine are its caches. Short actions find more quiet moments.
    """
    for _ in range(warmup):
        for action in actions:
            action()
    rounds = [[seconds(action, clock) for action in actions] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def ratio(
    slow: Action, fast: Action, repeats: int = 15, warmup: int = 2, clock: Clock = process_time
) -> float:
    """Least time of ``slow`` over least time of ``fast``; see :func:`least`."""
    first, second = least(slow, fast, repeats=repeats, warmup=warmup, clock=clock)
    return first / second


def report(
    name: str,
    ratio: float,
    bar: float,
    better: str = "lower",
    *,
    peer: str,
    limit: float | None = None,
    **extra: object,
) -> bool:
    """Prints one JSON line and returns whether the bar is met.

    Args:
        name: What was measured.
        ratio: The measured ratio.
        bar: The ratio that must be kept.
        better: ``"lower"`` if the ratio must be at most the bar, ``"higher"`` if at least.
        peer: What ours is compared with.
        limit: Share of what the hardware can do at most that ours reaches, where it is known.
        extra: Further fields of the line.
    """
    if better not in ("lower", "higher"):
        raise ValueError(f"better is {better!r}; accepted: lower, higher. Change the call")
    ok = ratio <= bar if better == "lower" else ratio >= bar
    line = {"name": name, "ratio": round(ratio, 4), "bar": round(bar, 4), "better": better}
    reached = None if limit is None else round(limit, 3)
    print(json.dumps({**line, "ok": ok, "peer": peer, "limit": reached, **extra}), flush=True)
    return ok
