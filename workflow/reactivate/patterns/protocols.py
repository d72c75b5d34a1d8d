"""The two readings of the thesis: as it is printed, and as its author's program computes."""

from typing import Literal, get_args

ProtocolName = Literal["document", "authors_code"]

DOCUMENT: ProtocolName = "document"
AUTHORS_CODE: ProtocolName = "authors_code"
PROTOCOLS: tuple[ProtocolName, ...] = get_args(ProtocolName)


def check_protocol(protocol: str) -> None:
    """Raises unless the name is that of a protocol.

    Example:
        >>> check_protocol("paper")
        Traceback (most recent call last):
        ValueError: protocol is 'paper'; accepted: document, authors_code. Change it in the call,
        or in config/papers
    """
    if protocol not in PROTOCOLS:
        raise ValueError(
            f"protocol is {protocol!r}; accepted: {', '.join(PROTOCOLS)}. Change it in the call, "
            "or in config/papers"
        )
