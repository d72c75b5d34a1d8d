"""One trained configuration by its coordinates, which are also its folder's name."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

NAME = "[a-z0-9_]+"  # no "-" or "/": they separate coordinates
_NAME = re.compile(NAME)


def checked_name(name: str, where: object) -> str:
    """The name itself, if it can be part of a result path."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot be part of a result path: use only a-z, 0-9 and _ (in {where})"
        )
    return name


def _can_be_a_path(name: Any) -> Any:
    return checked_name(name, "the configuration") if isinstance(name, str) else name


# names in the configuration: of what has a path of its own, of several at once, of row/column
Name = Annotated[str, BeforeValidator(_can_be_a_path), Field(pattern=f"^{NAME}$", max_length=100)]
Pattern = Annotated[str, Field(pattern="^[a-z0-9_*]+$", max_length=100)]
CellName = Annotated[str, Field(pattern=f"^{NAME}(/{NAME})?$", max_length=200)]


@dataclass(frozen=True, order=True)
class Cell:
    """One trained configuration; its seeds are rows of ``metrics.csv``."""

    dataset: str
    model: str
    activation: str
    parameterization: str
    recipe: str

    def __post_init__(self) -> None:
        for coordinate in self.coordinates:
            checked_name(coordinate, self)

    @property
    def coordinates(self) -> tuple[str, str, str, str, str]:
        """All coordinates, in the order in which they stand in paths."""
        return self.dataset, self.model, self.activation, self.parameterization, self.recipe

    @property
    def stem(self) -> str:
        """The name of the cell's folder: all coordinates but the dataset.

        Example:
            >>> Cell("boston", "mlp100", "relu", "gmp", "document").stem
            'mlp100-relu-gmp-document'
        """
        return "-".join(self.coordinates[1:])

    @classmethod
    def parse(cls, dataset: str, stem: str) -> "Cell":
        """The cell of a dataset and a folder's name; inverse of :attr:`stem`."""
        parts = stem.split("-")
        if len(parts) != 4:
            raise ValueError(
                f"{stem!r} is not a cell; expected model-activation-parameterization-recipe"
            )
        return cls(dataset, *parts)
