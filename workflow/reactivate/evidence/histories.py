"""Learning curves: histories of trainings, thinned to the few points that are published."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reactivate.foundation.files import write_atomically

HISTORY = "history.csv"  # of every epoch that a training kept; too large for git
CURVE = "curve.csv"  # of some of these epochs, beside the record that vouches for the history
POINTS = 30  # of a seed
ROWS = 90  # of a file: of many seeds fewer points each
DIGITS = 5
SEED, EPOCH = "seed", "epoch"
TOLD = {  # what a curve shows, the first that its training measured
    "test_top1": "test accuracy, %",
    "test_map": "test average precision, %",
    "test_miou": "test intersection over union, %",
    "watched": "what early stopping watches",
    "train_loss": "training loss",
    "loss": "training loss",
}


@dataclass(frozen=True)
class Curve:
    """What some trainings measured while they went on.

    Attributes:
        told: What was measured, in words.
        lines: Of every seed the epochs and what was measured there; of a folder with one
            training the seed is None.
    """

    told: str
    lines: dict[str | None, list[tuple[int, float]]]


def thinned(text: str) -> str:
    """A history with at most 30 epochs of every seed, the first and the last among them.

    The epochs that are kept lie evenly among those that are there; of more than three seeds they
    are fewer, 90 in all. Numbers have five digits.

    Example:
        >>> thinned("epoch,loss\\n1,0.123456789\\n2,nan\\n")
        'epoch,loss\\n1,0.12346\\n2,nan\\n'
    """
    reader = csv.DictReader(io.StringIO(text))
    names = list(reader.fieldnames or ())
    seeds: dict[str | None, list[dict[str, str]]] = {}
    for row in reader:
        seeds.setdefault(row.get(SEED), []).append(row)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    points = max(2, min(POINTS, ROWS // max(1, len(seeds))))
    for rows in seeds.values():
        for place in _even(len(rows), points):
            writer.writerow([_brief(rows[place][name]) for name in names])
    return out.getvalue()


def _even(count: int, points: int) -> Iterator[int]:
    """At most some of so many places, evenly; halves are rounded up."""
    if count <= points:
        yield from range(count)
        return
    gaps = points - 1
    yield from ((2 * point * (count - 1) + gaps) // (2 * gaps) for point in range(points))


def _brief(value: str) -> str:
    """A number with five digits; whole ones, and what is no number, as they are."""
    try:
        return value if value.lstrip("-").isdigit() else f"{float(value):.{DIGITS}g}"
    except ValueError:
        return value


def write_curve(folder: Path, to: Path) -> None:
    """Writes the curve of a folder's history, or copies the curve; neither may be there.

    Args:
        folder: Where a training was left.
        to: The folder that gets the curve.
    """
    text = thinned_history(folder)
    if text is not None:
        to.mkdir(parents=True, exist_ok=True)
        with write_atomically(to / CURVE) as part:
            part.write_text(text, encoding="utf-8")


def read_curve(folder: Path) -> Curve | None:
    """The curve of a folder, from its history or as it was published; None without either.

    Raises:
        ValueError: An epoch or a value is no number.
    """
    text = thinned_history(folder)
    if text is None:
        return None
    rows = list(csv.DictReader(io.StringIO(text)))
    column = next((name for name in TOLD if rows and rows[0].get(name)), None)
    if column is None or EPOCH not in rows[0]:
        return None
    lines: dict[str | None, list[tuple[int, float]]] = {}
    for row in rows:
        try:
            point = int(row[EPOCH]), float(row[column])
        except ValueError:
            raise ValueError(
                f"the curve in {folder} has {row}; accepted: numbers. Make it again"
            ) from None
        lines.setdefault(row.get(SEED), []).append(point)
    return Curve(TOLD[column], lines)


def thinned_history(folder: Path) -> str | None:
    """The thinned history; that of the training itself before what was published of it."""
    if (folder / HISTORY).exists():
        return thinned((folder / HISTORY).read_text(encoding="utf-8"))
    curve = folder / CURVE
    return curve.read_text(encoding="utf-8") if curve.exists() else None
