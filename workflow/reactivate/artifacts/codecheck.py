"""A CODECHECK manifest: which file reproduces which exhibit.

Reference:
    CODECHECK configuration file, version 1.0, https://codecheck.org.uk/spec/config/1.0/
"""

from pathlib import Path
from typing import Any

import yaml

from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED
from reactivate.foundation.files import write_atomically

SPECIFICATION = "https://codecheck.org.uk/spec/config/1.0/"
MANIFEST = "codecheck.yml"


def manifest(scale: str, tree: Path) -> dict[str, Any]:
    """The manifest of a publication: its files, with the exhibits that they reproduce.

    Args:
        scale: The scale that was published.
        tree: The folder that holds ``published/``; names of files start there.
    """
    return {
        "version": SPECIFICATION,
        "paper": {
            "title": "; ".join(load_paper(name).title for name in paper_names()),
            "reference": "; ".join(load_paper(name).source.cited for name in paper_names()),
        },
        "manifest": [entry for name in paper_names() for entry in _files(scale, tree, name)],
        "summary": (
            f"Scale {scale}: {load_scale(scale).says}. audit.csv sets every printed number beside "
            "the computed one, with a verdict."
        ),
    }


def _files(scale: str, tree: Path, paper: str) -> list[dict[str, str]]:
    """The files of each exhibit of a paper that was published, with what they show."""
    listed = []
    for name, exhibit in load_paper(paper).exhibits.items():
        for ending in ("csv", "png", "svg"):
            path = tree / PUBLISHED / scale / paper / f"{name}.{ending}"
            if path.exists():
                comment = f"{paper}, {exhibit.locator}: {exhibit.title}"
                listed.append({"file": path.relative_to(tree).as_posix(), "comment": comment})
    return listed


def write_manifest(scale: str, tree: Path) -> Path:
    """Writes the manifest where CODECHECK expects it: at the root."""
    path = tree / MANIFEST
    content = yaml.safe_dump(manifest(scale, tree), sort_keys=False, allow_unicode=True, width=99)
    with write_atomically(path) as part:
        part.write_text(content, encoding="utf-8")
    return path
