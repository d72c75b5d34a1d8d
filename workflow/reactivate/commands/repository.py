"""Git, as commands ask it for the state of the working folder and have it commit files."""

import subprocess
from pathlib import Path


def git(*arguments: str) -> str:
    """What git prints.

    Raises:
        ValueError: Git fails; the message has its words.
    """
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"git {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout.rstrip()


def commit_changed(paths: list[Path], message: str) -> list[Path]:
    """Commits those of some files that differ from the committed ones, and nothing else.

    Args:
        paths: The files.
        message: The message; ``{}`` in it stands for their names.

    Returns:
        The files that were committed.
    """
    changed = uncommitted(paths)
    if changed:
        names = [str(path) for path in changed]
        git("add", "--", *names)
        git("commit", "--quiet", "-m", message.format(", ".join(names)), "--", *names)
    return changed


def uncommitted(paths: list[Path]) -> list[Path]:
    """Those of some files that differ from the committed ones."""
    return [path for path in paths if git("status", "--porcelain", "--", str(path))]


def is_lost(commit: str) -> bool:
    """Whether the working folder is a clone, and no commit of it has this name."""
    asked = ["git", "rev-parse", "--git-dir"], ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    clone, there = (subprocess.run(a, capture_output=True, check=False).returncode for a in asked)
    return clone == 0 and there != 0
