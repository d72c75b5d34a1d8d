"""Independent random streams, named by what they are for."""

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever only builds the DAG must not import torch
    import torch


def generator(*key: object) -> "torch.Generator":
    """Random stream for one purpose.

    Splits are keyed by dataset and seed only, so every row of a table sees the same split and
    rows can be compared pairwise.

    Example:
        >>> a = generator("boston", 0, "split").initial_seed()
        >>> b = generator("boston", 0, "noise").initial_seed()
        >>> a == b
        False
    """
    import torch

    digest = hashlib.sha256("/".join(map(str, key)).encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:6], "big"))


def seed_torch(*key: object) -> None:
    """Starts torch's own random stream, from which weights and dropout draw, for a purpose.

    It is the stream that :func:`generator` has for the same key.
    """
    import torch

    torch.manual_seed(generator(*key).initial_seed())
