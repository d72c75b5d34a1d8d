"""The files of a published scale: which are left out of it, and the list of their sums."""

from pathlib import Path

from reactivate.evidence.records import Record
from reactivate.experiment.outputs import MEASURED
from reactivate.experiment.paths import VALUES
from reactivate.foundation.files import sha256, write_atomically

SUMS = "SHA256SUMS"  # in the folder of a scale; `sha256sum -c SHA256SUMS` reads it too
SIGNATURE = f"{SUMS}.sig"  # of the list, by an SSH key
# weights, what each test image was taken for, curves, and what each pruning left of each layer:
LEFT_OUT = (
    "model.safetensors",
    "predictions.safetensors",
    "history.csv",
    "detections.json",
    "activations.csv",
    "weights.csv",
    "network.csv",
    "entropies.csv",
    "masks.csv",
)  # too large, or not needed to check a number


def is_left_out(name: str, record: Record) -> bool:
    """Whether a file that a record vouches for is not published with it."""
    # the values of an analysis are the csv of its figure; a recomputed table has no settings
    drawn = record.stage == "analyse" and record.settings is not None
    told_elsewhere = drawn and name == VALUES
    predicted = record.stage == "attack" and name == MEASURED["images"]  # metrics say it in short
    return name in LEFT_OUT or told_elsewhere or predicted


def write_sums(folder: Path) -> None:
    """Lists every file of a folder with its checksum, as ``sha256sum`` would."""
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name not in (SUMS, SIGNATURE)
    )
    lines = [f"{sha256(path)}  {path.relative_to(folder).as_posix()}" for path in files]
    with write_atomically(folder / SUMS) as part:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_sums(folder: Path) -> dict[Path, str]:
    """File -> checksum, from the list in a folder.

    Raises:
        ValueError: A line is not a checksum and a name inside the folder.
    """
    sums = {}
    path = folder / SUMS
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        checksum, _, name = line.partition("  ")
        if len(checksum) != 64 or not name or ".." in Path(name).parts or name.startswith("/"):
            raise ValueError(
                f"line {number} is {line!r}; accepted: '<sha256>  <file>'. "
                f"Bring it back with: git checkout -- {path}"
            )
        sums[folder / name] = checksum
    return sums
