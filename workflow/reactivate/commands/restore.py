"""Bring back results that were frozen, here or by somebody else, and prove that they are whole."""

from pathlib import Path

from reactivate.artifacts.contents import verify_prepared, verify_results
from reactivate.artifacts.metadata import final_outputs, put_back, read_archive
from reactivate.artifacts.proof import outstanding_jobs
from reactivate.artifacts.storage import Cache, dvc, pointer_path
from reactivate.commands.parsing import Parser
from reactivate.experiment.loading import load_scale, load_scales
from reactivate.experiment.paths import PREPARED, RESULTS


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate restore``."""
    parser.add_scales("all that were frozen")
    parser.examples("reactivate restore", "reactivate restore --scale laptop")
    parser.set_defaults(run=lambda a: restore(a.scale))


def restore(scales: list[str]) -> None:
    """Fetches frozen folders, checks every file, and gives Snakemake its memory of them.

    Files are fetched to DVC's cache, checked there, and only then copied to their places. Nothing
    is overwritten, nothing is run. A restore that was killed is completed by the next one.

    Args:
        scales: Which scales; empty: all that were frozen.
    """
    for scale in scales:
        load_scale(scale)
    scales = scales or [s for s in load_scales() if pointer_path(RESULTS / s).exists()]
    folders = [RESULTS / scale for scale in scales]
    missing = [folder for folder in folders if not pointer_path(folder).exists()]
    if missing or not folders:
        raise ValueError(
            f"{pointer_path(missing[0]) if missing else f'{RESULTS}/*.dvc'} does not exist, so "
            "nothing was frozen under that name; pull the commit that has it, or run snakemake. "
            "What is published needs no restore: reactivate show gmp/table3"
        )
    if pointer_path(PREPARED).exists():
        folders.append(PREPARED)
    _fetch(folders)
    if PREPARED in folders:
        print(f"verified {verify_prepared()} files in {PREPARED}")
    for scale in scales:
        memories = read_archive(scale)
        print(f"verified {verify_results(scale)} files in {RESULTS / scale}")
        put_back(memories)
        jobs = outstanding_jobs(final_outputs(memories))
        if jobs:
            raise ValueError(
                f"{RESULTS / scale} is restored and intact, but the code or configuration of this "
                "tree is not what made it. Check out the commit that froze it (git log -- "
                f"{pointer_path(RESULTS / scale)}), or run snakemake, which would run:\n{jobs}"
            )
        print(f"{RESULTS / scale}: nothing to be done")


def _fetch(folders: list[Path]) -> None:
    """Fetches folders, checks their files in the cache and copies those that are not there."""
    cache = Cache()
    lists = {folder: cache.files(folder) for folder in folders}
    problem = ""
    try:
        dvc("fetch", *(str(pointer_path(folder)) for folder in folders))
    except ValueError as error:
        problem = f" ({error})"
    for folder, files in lists.items():
        cache.check(folder, files, problem)
    for folder, files in lists.items():
        print(f"{folder}: {len(files)} files, {cache.place(folder, files)} of them copied")
