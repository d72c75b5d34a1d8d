"""Write a publication as an archive that other services read."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from reactivate.commands.parsing import Parser
from reactivate.experiment.loading import load_scale
from reactivate.experiment.paths import PUBLISHED
from reactivate.foundation.files import write_atomically

EXPORTS = Path("exports")


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate export``."""
    parser.add_scale()
    parser.examples("reactivate export --scale laptop   # exports/laptop.crate.zip")
    parser.set_defaults(run=lambda a: export(a.scale))


def export(scale: str) -> Path:
    """Writes ``exports/{scale}.crate.zip``: a Workflow Run RO-Crate with a CODECHECK manifest.

    It holds what is committed, so that everything in it has a commit.
    """
    from reactivate.artifacts.codecheck import write_manifest
    from reactivate.artifacts.crate import crate

    load_scale(scale)
    folder = PUBLISHED / scale
    committed = _git("log", "-1", "--format=%cI", "--", str(folder)).decode().strip()
    if not committed:
        raise ValueError(
            f"{folder} is in no commit, and only what is committed is exported; accepted: a "
            f"published scale. Make it with: reactivate publish --scale {scale}, then git commit"
        )
    with TemporaryDirectory() as temporary:
        tree, filled = Path(temporary, "tree"), Path(temporary, "crate")
        with tarfile.open(fileobj=BytesIO(_git("archive", "HEAD"))) as files:
            files.extractall(tree, filter="data")
        write_manifest(scale, tree)
        made = crate(scale, tree, committed)
        target = EXPORTS / f"{scale}.crate.zip"
        made.write(filled)  # a file may be named by itself and with its folder: not twice in a zip
        with write_atomically(target) as part, ZipFile(part, "w", ZIP_DEFLATED) as archive:
            for path in sorted(filled.rglob("*")):
                archive.write(path, path.relative_to(filled))
    print(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB)")
    return target


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"git {' '.join(arguments)} failed: {done.stderr.decode().strip()}")
    return done.stdout
