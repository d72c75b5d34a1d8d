"""Check that a folder holds what its records vouch for, and nothing that could run."""

from collections.abc import Iterator
from pathlib import Path

from safetensors import SafetensorError, safe_open

from reactivate.evidence.provenance import PROVENANCE, read_provenance
from reactivate.evidence.records import verify_record
from reactivate.experiment.paths import PREPARED, RECORD, RESULTS
from reactivate.foundation.files import sha256, verify_checksum

# what stages and commands leave below results/ and data/prepared/; nothing else is shared
WRITTEN = (
    ".csv",
    ".json",
    ".md",
    ".tex",
    ".png",
    ".svg",
    ".pdf",
    ".html",
    ".ipynb",
    ".log",
    ".sha256",
    ".safetensors",
)
UNFINISHED = "checkpoints"


def artifact_files(folder: Path) -> Iterator[Path]:
    """Files of a folder that are shared: no checkpoints, no parts of files."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise ValueError(
                f"{path} is a link; only plain files can be shared: replace it by a file"
            )
        unfinished = UNFINISHED in path.relative_to(folder).parts or path.name.endswith(".part")
        if path.is_file() and not unfinished:
            yield path


def check_harmless(path: Path, content: Path | None = None) -> None:
    """Refuses a file of a kind that nothing here writes, and weights that are none.

    Args:
        path: What it is called.
        content: Where its content is, if it is not there yet.

    Raises:
        ValueError: A name that is not accepted, or weights that are not safetensors.
    """
    if path.suffix not in WRITTEN:
        raise ValueError(
            f"{path} is of a kind that may run code when it is loaded, or that nothing here "
            f"writes ({path.suffix or 'no ending'}); accepted: {', '.join(WRITTEN)}. Delete it; "
            "weights are written with safetensors.torch.save_file"
        )
    if path.suffix != ".safetensors":
        return
    try:
        with safe_open(content or path, framework="np"):
            pass
    except (SafetensorError, OSError) as error:
        raise ValueError(
            f"{path} is not a safetensors file ({error}); it was not opened. Delete it and run "
            "snakemake, or restore from a remote you trust"
        ) from None


def verify_results(scale: str) -> int:
    """Checks every file that a record or a table's provenance of a scale vouches for.

    Returns:
        The number of files in the folder.
    """
    folder = RESULTS / scale
    files = list(artifact_files(folder))
    for path in files:
        check_harmless(path)
    for path in files:
        if path.name == RECORD:
            verify_record(path)
        elif path.name.endswith(PROVENANCE):
            _verify_exhibit(path)
    return len(files)


def _verify_exhibit(provenance: Path) -> None:
    exhibit = provenance.name.removesuffix(PROVENANCE)
    for ending, expected in read_provenance(provenance).files.items():
        path = provenance.with_name(f"{exhibit}.{ending}")
        actual = sha256(path) if path.exists() else "missing"
        if actual != expected:
            raise ValueError(
                f"{path}: sha256 is {actual}, but {provenance.name} recorded {expected}; it was "
                f"edited or lost. Make it again with: snakemake --force {path}"
            )


def verify_prepared() -> int:
    """Checks every prepared dataset against its checksum; the number of files in the folder."""
    files = list(artifact_files(PREPARED))
    for path in files:
        check_harmless(path)
        if path.suffix == ".safetensors":
            verify_checksum(path)
    return len(files)
