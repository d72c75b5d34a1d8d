"""Arguments of a stage, which name what it shall make."""

import argparse
from pathlib import Path
from typing import Any

from reactivate.foundation.workplace import work_in

REACH = {"reach": "all"}  # for stages that heed what the machine can run


def named_arguments(description: str | None, *names: str, **defaults: str) -> list[str]:
    """Values of ``--name value`` on the command line, in the order of the names.

    Args:
        description: Description of the stage, for its help.
        names: Names that must be given.
        defaults: Names that may be given, and their values if they are not.
    """
    parser = StageParser(description)
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", default=default)
    parsed = parser.parse()
    return [parsed[name] for name in (*names, *defaults)]


class StageParser(argparse.ArgumentParser):
    """Reads a stage's command line, and has it work where ``--root`` says."""

    def __init__(self, description: str | None) -> None:
        super().__init__(description=description)
        self.add_argument(
            "--root",
            type=Path,
            help="folder with the copies of results/ and data/ that a storage plugin keeps",
        )

    def parse(self) -> dict[str, Any]:
        """The arguments by name; ``out`` is as it is seen from the root."""
        given = vars(self.parse_args())
        root: Path | None = given.pop("root")
        if root is not None:
            if "out" in given:
                given["out"] = Path(given["out"]).relative_to(root)
            work_in(root)
        return given
