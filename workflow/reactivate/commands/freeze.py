"""Version results and prepared data with DVC, so that others can restore them."""

import sys
from pathlib import Path

from reactivate.artifacts.contents import verify_prepared, verify_results
from reactivate.artifacts.metadata import final_outputs, read_archive, write_archive
from reactivate.artifacts.proof import outstanding_jobs
from reactivate.artifacts.storage import (
    Cache,
    dvc,
    pointer_path,
    remote_folder,
    remove_half_written,
)
from reactivate.commands.parsing import Parser
from reactivate.commands.repository import commit_changed, git, uncommitted
from reactivate.experiment.loading import load_scale, load_scales
from reactivate.experiment.paths import PREPARED, RESULTS

SOURCES = ("Snakefile", "rules", "workflow", "config")


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate freeze``."""
    parser.add_scales("all with results")
    parser.add_argument("--no-commit", action="store_true", help="do not commit the pointers")
    parser.examples("reactivate freeze", "reactivate freeze --scale laptop --no-commit")
    parser.set_defaults(run=lambda a: freeze(a.scale, commit=not a.no_commit))


def freeze(scales: list[str], commit: bool = True) -> None:
    """Verifies every record, adds the folders to DVC, pushes them and commits their pointers.

    Each step can be repeated: a freeze that was killed is completed by the next one.

    Args:
        scales: Which scales; empty: all that have results.
        commit: Whether to commit the pointers; without, what to commit is printed.
    """
    for scale in scales:
        load_scale(scale)
    scales = scales or [scale for scale in load_scales() if (RESULTS / scale).is_dir()]
    if not scales:
        raise ValueError(f"{RESULTS} holds no results to freeze; make some, e.g. snakemake smoke")
    for scale in scales:
        _check(scale)
    folders = [RESULTS / scale for scale in scales]
    if PREPARED.is_dir():
        print(f"verified {verify_prepared()} files in {PREPARED}")
        folders.append(PREPARED)
    cache = Cache()
    before = {folder: _known_files(folder, cache) for folder in folders}
    dvc("add", "--quiet", *map(str, folders))
    for folder in folders:
        _report(folder, before[folder], cache.files(folder))
    pointers = [pointer_path(folder) for folder in folders]
    remotes = dvc("remote", "list").split()  # name and address of each
    if remotes:
        store = remote_folder()
        if store is not None:
            remove_half_written(store)
        dvc("push", *map(str, pointers))
        print(f"pushed to {remotes[1]}")
    else:
        print("no remote is set, so only this clone has the results; set one with: dvc remote add")
    _commit(pointers, commit)


def _check(scale: str) -> None:
    """Verifies a scale and writes Snakemake's memory of it into its folder."""
    if not (RESULTS / scale).is_dir():
        raise ValueError(f"{RESULTS / scale} does not exist; make it with: snakemake {scale}")
    write_archive(scale)
    print(f"verified {verify_results(scale)} files in {RESULTS / scale}")
    jobs = outstanding_jobs(final_outputs(read_archive(scale)))
    if jobs:
        raise ValueError(
            f"{RESULTS / scale} was not made by the code and configuration of this tree, so a "
            f"clone would compute it again; run snakemake first, which would run:\n{jobs}"
        )


def _report(folder: Path, before: dict[str, str], after: dict[str, str]) -> None:
    """Prints what changed in a folder since it was last added."""
    new, gone = after.keys() - before.keys(), before.keys() - after.keys()
    changed = [name for name in after.keys() & before.keys() if after[name] != before[name]]
    print(
        f"{folder}: {len(after)} files; {len(new)} new, {len(changed)} changed, {len(gone)} gone"
    )


def _known_files(folder: Path, cache: Cache) -> dict[str, str]:
    """The files of a folder when it was last added; none if nobody knows any more."""
    try:
        return cache.files(folder) if pointer_path(folder).exists() else {}
    except ValueError:
        return {}


def _commit(pointers: list[Path], commit: bool) -> None:
    dirty = git("status", "--porcelain", "--untracked-files=normal", "--", *SOURCES)
    if dirty:
        print(
            f"warning: a clone will not have these uncommitted changes:\n{dirty}", file=sys.stderr
        )
    changed = commit_changed(pointers, "freeze: {}") if commit else uncommitted(pointers)
    names = [str(pointer) for pointer in changed]
    if not names:
        print("the pointers in git are up to date")
    elif commit:
        print(f"committed {', '.join(names)}")
    else:
        print(f"to share it, commit the pointers: git add {' '.join(names)} && git commit")
