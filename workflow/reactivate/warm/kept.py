"""The configuration that the warm process has read, for as long as nobody changes a file of it."""

from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

EXPERIMENT = "reactivate.experiment.experiment"  # which every stage loads
CONFIGURATION = "config"

Written = dict[Path, tuple[int, int]]  # when each file was written, and its size


def written() -> Written:
    """The files of the configuration of this folder, as they are now."""
    files = (Path.cwd() / CONFIGURATION).rglob("*.yaml")
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


@dataclass(frozen=True)
class Kept:
    """What was read, by the files that said it.

    Args:
        files: As they were before they were read.
    """

    files: Written

    @classmethod
    def read(cls) -> "Kept":
        """Reads all papers; a mistake in one is told to the stage that asks for it."""
        files = written()
        with suppress(ValueError, OSError):
            import_module(EXPERIMENT).load_everything()
        return cls(files)

    def holds(self) -> bool:
        """Whether a stage in the present folder would read the same."""
        return written() == self.files
