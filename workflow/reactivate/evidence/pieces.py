"""Finished pieces of a long analysis, kept so that one that was killed does not begin again."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from reactivate.foundation.files import write_atomically

PIECES = Path("checkpoints/pieces.jsonl")  # beside what an analysis leaves, not declared
Numbers = dict[str, float]  # a piece
Keep = Callable[[str, Callable[[], Numbers]], Numbers]


def computed(_: str, compute: Callable[[], Numbers]) -> Numbers:
    """A piece where none are kept."""
    return compute()


class Pieces:
    """Pieces by name, in a file of one line each; without a file nothing is kept.

    The first line is the identity of the analysis: pieces of another one are thrown away, and so
    is a last line that was not finished. Numbers are written so that they read back the same.

    Args:
        path: The file.
        identity: What decides the pieces: settings, code and what was read.
    """

    def __init__(self, path: Path | None = None, identity: str = "") -> None:
        self.path = path
        self.kept: dict[str, Numbers] = {}
        if path is None:
            return
        first = hashlib.sha256(identity.encode()).hexdigest()
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        lines = lines[1:-1] if lines and lines[0] == first else []  # the last one has no end
        for line in lines:
            self.kept |= json.loads(line)
        with write_atomically(path) as part:
            part.write_text("".join(f"{line}\n" for line in [first, *lines]), encoding="utf-8")

    def get(self, name: str, compute: Callable[[], Numbers]) -> Numbers:
        """The piece of a name: as it was kept, or computed and kept from now on."""
        if name not in self.kept:
            self.kept[name] = compute()
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({name: self.kept[name]}) + "\n")
        return self.kept[name]
