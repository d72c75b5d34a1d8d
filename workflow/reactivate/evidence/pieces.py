"""Finished pieces of a long job, kept so that one that was killed does not begin again."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from reactivate.foundation.files import write_atomically
from reactivate.foundation.workplace import checkpoints

PIECES = "pieces.jsonl"
Piece = TypeVar("Piece", bound=dict[str, Any])  # numbers and words by name
Numbers = dict[str, float]  # a piece of an analysis
Keep = Callable[[str, Callable[[], Numbers]], Numbers]


def computed(_: str, compute: Callable[[], Numbers]) -> Numbers:
    """A piece where none are kept."""
    return compute()


class Pieces:
    """Pieces by name, in a file of one line each; without a file nothing is kept.

    The first line is the identity of the job: pieces of another one are thrown away, and so is a
    last line that was not finished. Numbers are written so that they read back the same.

    Args:
        path: The file.
        identity: What decides the pieces: settings, code and what was read.

    Attributes:
        kept: The pieces that are there, by name.
    """

    def __init__(self, path: Path | None = None, identity: str = "") -> None:
        self.path = path
        self.kept: dict[str, Any] = {}
        if path is None:
            return
        first = hashlib.sha256(identity.encode()).hexdigest()
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        lines = lines[1:-1] if lines and lines[0] == first else []  # the last one has no end
        for line in lines:
            self.kept |= json.loads(line)
        with write_atomically(path) as part:
            part.write_text("".join(f"{line}\n" for line in [first, *lines]), encoding="utf-8")

    @classmethod
    def of(cls, out: Path, identity: str) -> "Pieces":
        """The pieces of a job that leaves its files in a folder, where checkpoints are kept."""
        return cls(checkpoints(out) / PIECES, identity)

    def get(self, name: str, compute: Callable[[], Piece]) -> Piece:
        """The piece of a name: as it was kept, or computed and kept from now on."""
        if name not in self.kept:
            self.kept[name] = compute()
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({name: self.kept[name]}) + "\n")
        piece: Piece = self.kept[name]
        return piece


def forget_pieces(out: Path) -> None:
    """Removes what an unfinished job kept, once it has left all of its files in a folder."""
    shutil.rmtree(checkpoints(out), ignore_errors=True)
