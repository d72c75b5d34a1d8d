"""The files of a published scale: what is left out of it, and the list of their sums.

Every record names the modules that its stage had loaded, each with a hash; hundreds of records
name the same. Publications keep each such list once, in ``modules.json``, and what stands in its
place is the list's digest. :mod:`reactivate.evidence.versions` reads them as they were made.
"""

import hashlib
import json
import re
from pathlib import Path

from reactivate.evidence.records import Record
from reactivate.evidence.versions import MODULE_LISTS, whole_content
from reactivate.experiment.outputs import MEASURED
from reactivate.experiment.paths import VALUES
from reactivate.foundation.files import sha256, write_atomically

SUMS = "SHA256SUMS"  # in the folder of a scale; `sha256sum -c SHA256SUMS` reads it too
SIGNATURE = f"{SUMS}.sig"  # of the list, by an SSH key
PAIR = re.compile(r'"([\w.]+)": "([0-9a-f]{16})"')
_LINE = rb'\1  "[\w.]+": "[0-9a-f]{16}"'  # as `write_json` leaves it
MODULES = re.compile(rb'^( *)"modules": \{\n(%s(?:,\n%s)*)\n\1\}' % (_LINE, _LINE), re.MULTILINE)
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
    # metrics say it in short
    measured = record.stage in ("attack", "reconstruct") and name == MEASURED["images"]
    return name in LEFT_OUT or told_elsewhere or measured


def thin(folder: Path) -> None:
    """Writes every list of modules in the files of a scale once; each can be read as it was."""
    text = written_lists(folder)
    for path, thinned in _thinned(folder).items():
        with write_atomically(path) as part:
            part.write_bytes(thinned)
    (folder / MODULE_LISTS).unlink(missing_ok=True)
    if text:
        with write_atomically(folder / MODULE_LISTS) as part:
            part.write_text(text, encoding="utf-8")


def _thinned(folder: Path) -> dict[Path, bytes]:
    """The files of a scale that name modules, with digests in the place of the lists."""
    thinned = {}
    for path in _records(folder):
        whole = whole_content(path)
        short = MODULES.sub(lambda found: found[1] + b'"modules": "%s"' % _digest(found), whole)
        if short != whole:
            thinned[path] = short
    return thinned


def written_lists(folder: Path) -> str:
    """The content of ``modules.json`` for the files of a scale; empty if none names modules."""
    lists = {
        _digest(found).decode(): PAIR.findall(found[2].decode())
        for path in _records(folder)
        for found in MODULES.finditer(whole_content(path))
    }
    places = {pair: n for n, pair in enumerate(sorted({p for ps in lists.values() for p in ps}))}
    modules = ",\n".join(json.dumps(" ".join(pair)) for pair in places)
    numbers = {digest: [places[pair] for pair in lists[digest]] for digest in sorted(lists)}
    each = ",\n".join(f'"{digest}": {json.dumps(found)}' for digest, found in numbers.items())
    return f'{{\n"modules": [\n{modules}\n],\n"lists": {{\n{each}\n}}\n}}\n' if lists else ""


def _records(folder: Path) -> list[Path]:
    """The files that may name modules: all JSON below a scale but its audit."""
    return sorted(path for path in folder.rglob("*.json") if path.parent != folder)


def _digest(found: re.Match[bytes]) -> bytes:
    pairs = " ".join(map(" ".join, PAIR.findall(found[2].decode())))
    return hashlib.sha256(pairs.encode()).hexdigest()[:16].encode()


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
