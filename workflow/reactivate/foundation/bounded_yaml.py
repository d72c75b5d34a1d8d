"""Limits for YAML that somebody else may have written: nothing in it makes a process crash."""

import yaml

try:  # thirteen times as fast
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML without libyaml
    from yaml import SafeLoader  # type: ignore[assignment]

__all__ = ["SafeLoader", "check_bounds"]

MOST_BYTES = 2_000_000
MOST_DEPTH = 40  # of collections inside each other; the parser keeps each on its stack
MOST_NODES = 1_000_000  # with every alias written out


def check_bounds(text: str) -> None:
    """Raises if a text is too long, too deep, or too large when its aliases are written out.

    It reads the events of the parser one by one, so that nothing is built that could be too large.

    Raises:
        ValueError: One of the limits is passed; its value is named.
        yaml.YAMLError: The text is no YAML.
    """
    if len(text) > MOST_BYTES:
        raise ValueError(f"it has {len(text)} characters; accepted: up to {MOST_BYTES}")
    sizes: dict[str, int] = {}  # of what an anchor stands for, written out
    anchors: list[str | None] = []  # of collections that are open
    nodes = [0]  # written out, in each of them
    for event in yaml.parse(text, Loader=SafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = anchors.pop(), nodes.pop()
            nodes[-1] += size
            if anchor is not None:
                sizes[anchor] = size
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise ValueError(f"{_line(event)}: *{event.anchor} names nothing above it")
            nodes[-1] += sizes[event.anchor]
        elif isinstance(event, yaml.CollectionStartEvent):
            anchors.append(event.anchor)
            nodes.append(1)
            if len(anchors) > MOST_DEPTH:
                raise ValueError(
                    f"{_line(event)} is inside more than {MOST_DEPTH} lists and mappings; "
                    f"accepted: up to {MOST_DEPTH}"
                )
        elif isinstance(event, yaml.ScalarEvent):
            nodes[-1] += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        if nodes[-1] > MOST_NODES:
            raise ValueError(
                f"it has more than {MOST_NODES} values when its aliases are written out; "
                f"accepted: up to {MOST_NODES}"
            )


def _line(event: yaml.Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "a line"
