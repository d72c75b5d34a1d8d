"""Colours, line styles and marks of the figures of every document, and what has which.

Seven of the colours are those of Okabe and Ito (2008); indigo stands for their yellow, which is
too pale for lines. People who confuse red and green can tell them apart, as a test simulates.
Lines that share a colour, or lie on each other, differ in their dashes and marks too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, TypedDict

from reactivate.experiment.labels import label

BLACK, GREY, PALE = "#333333", "#777777", "#a0a0a0"
BLUE, SKY, GREEN = "#0072b2", "#56b4e9", "#009e73"
ORANGE, RED, PURPLE, INDIGO = "#e69f00", "#d55e00", "#cc79a7", "#5d3a9b"
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK, INDIGO)
Dashes = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]
DASHES: tuple[Dashes, ...] = (
    *("-", "--", "-.", ":"),
    *((0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (3, 1, 1, 1))),
)
MARKERS = "os^Dv<>Ph*"


class Line(TypedDict):
    """How matplotlib is told to draw a line."""

    color: str
    linewidth: float
    linestyle: Dashes


@dataclass(frozen=True)
class Look:
    """Label, colour, width, dashes and mark of a line, the same wherever a picture shows it."""

    label: str
    colour: str
    width: float = 1.4
    dashes: Dashes = "-"
    marker: str = "o"

    @property
    def line(self) -> Line:
        """What a line is drawn with."""
        return {"color": self.colour, "linewidth": self.width, "linestyle": self.dashes}


def assigned(names: Iterable[str], widths: Mapping[str, float] | None = None) -> dict[str, Look]:
    """A look for each name: colours in turn, and other dashes and marks with every one.

    Example:
        >>> [look.label for look in assigned(["relu", "gelu"]).values()]
        ['ReLU', 'GELU']
        >>> len({(look.colour, look.dashes) for look in assigned(map(str, range(50))).values()})
        50
    """
    return {
        name: Look(
            label(name),
            PALETTE[place % len(PALETTE)],
            (widths or {}).get(name, 1.4),
            DASHES[place % len(DASHES)],
            MARKERS[place % len(MARKERS)],
        )
        for place, name in zip(count(), dict.fromkeys(names), strict=False)
    }


LOOKS = {
    "sigmoid": Look("Sigmoid", BLUE, dashes="-", marker="o"),
    "tanh": Look("Tanh", ORANGE, dashes="--", marker="s"),
    "relu": Look("ReLU", BLACK, dashes="-", marker="^"),
    "gelu": Look("GELU", GREEN, dashes="--", marker="D"),
    "leaky_relu": Look("Leaky ReLU", PALE, dashes="--", marker="v"),
    "silu": Look("SiLU", GREEN, dashes=":", marker="<"),
    "swish": Look("Swish", INDIGO, dashes="-", marker=">"),
    "elu": Look("ELU", SKY, dashes="-", marker="P"),
    "softplus": Look("Softplus", SKY, dashes="--", marker="h"),
    "pserf": Look("Pserf", BLUE, dashes="--", marker="o"),
    "mish": Look("Mish", BLUE, dashes=":", marker="s"),
    "acon_c": Look("ACON-C", PURPLE, dashes="-", marker="^"),
    "meta_acon": Look("Meta-ACON", PURPLE, dashes="--", marker="D"),
    "smu1": Look("SMU-1", ORANGE, dashes="-", marker="v"),
    "smu": Look("SMU", ORANGE, dashes=":", marker="<"),
    "iieu_b": Look("IIEU-B", RED, 2.4, "--", "*"),
    "iieu_dc": Look("IIEU-DC", RED, 2.4, "-", "*"),
}


def look_of(name: str, looks: Mapping[str, Look] = LOOKS) -> Look:
    """The look of a name; grey, under its label, for one that has none.

    Example:
        >>> look_of("relu").label, look_of("my_own").label
        ('ReLU', 'my own')
    """
    return looks.get(name, Look(label(name), GREY))
