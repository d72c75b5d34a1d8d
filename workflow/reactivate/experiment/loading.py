"""Reads and checks the configuration: the papers, and what each scale changes of them."""

from functools import cache
from pathlib import Path
from typing import Any

from reactivate.activations import ACTIVATIONS
from reactivate.experiment.cell import Cell
from reactivate.experiment.checking import check_paper, check_stand_ins
from reactivate.experiment.exhibits import Exhibit
from reactivate.experiment.grids import write_out_grids
from reactivate.experiment.limit_checking import check_limits
from reactivate.experiment.paper import Paper
from reactivate.experiment.scales import PRINTED_SCALE, PaperScale, Scale
from reactivate.experiment.seeds import SEEDS, RaisedSeeds, check_raised
from reactivate.experiment.variants import named, write_out
from reactivate.foundation.configuration import read_yaml, validate
from reactivate.foundation.registry import unknown_name
from reactivate.foundation.workplace import of_project
from reactivate.layers import PARAMETERIZATIONS
from reactivate.models import MODELS

CONFIG = Path("config")
PAPERS = CONFIG / "papers"
SCALES = "scales.yaml"
MAIN = "paper.yaml"  # title and source; a folder without it is no paper
# Files in the folder of a paper that are no part of its form.
OWN_FORMS = (SCALES, SEEDS, "datasets.yaml", "weights.yaml", "metrics.yaml", "labels.yaml")


def forget() -> None:
    """Reads every file anew from now on; for whoever edits the configuration of a process."""
    for cached in (paper_names, load_paper, load_scales, load_paper_scales, load_seeds):
        cached.cache_clear()


@cache
def paper_names() -> tuple[str, ...]:
    """Keys of the documents that have a configuration."""
    return tuple(sorted(path.parent.name for path in of_project(PAPERS).glob(f"*/{MAIN}")))


@cache
def load_paper(name: str) -> Paper:
    """One document's configuration, checked; no other paper is read."""
    if name not in paper_names():
        raise unknown_name("paper", name, list(paper_names()), str(PAPERS))
    paper = written_paper(PAPERS / name, *joined_files(PAPERS / name))
    if paper.paper != name:
        raise ValueError(
            f"{PAPERS / name / MAIN}: paper is {paper.paper!r}, the folder is {name!r}"
        )
    return paper


def written_paper(folder: Path, data: dict[str, Any], homes: dict[tuple[str, ...], Path]) -> Paper:
    """A document's configuration as its files say, checked.

    Args:
        folder: Of the files.
        data: What they say together; families among it are written out in place.
        homes: The file of every section and name.

    Raises:
        ValueError: One line per mistake.
    """
    for kind in [kind for kind in ("recipes", "measurements", "exhibits") if kind in data]:
        write_out(data, kind, homes)
    write_out_grids(data.get("exhibits", {}), homes, folder)
    if isinstance(data.get("observations"), dict):
        data["observations"] = named(data["observations"], data.get("recipes", {}))
    paper = validate(Paper, data, folder, homes=homes)
    for registry, added in (
        (ACTIVATIONS, paper.activations),
        (MODELS, paper.networks),
        (PARAMETERIZATIONS, paper.parameterizations),
    ):
        registry.add(added, str(folder))
    check_paper(paper, folder, homes)
    return paper


def joined_files(folder: Path) -> tuple[dict[str, Any], dict[tuple[str, ...], Path]]:
    """The files of a paper read as one, and the file of every section and name.

    Sections such as ``recipes`` and ``exhibits`` may be spread over files; a name may not stand in
    two of them.
    """
    data: dict[str, Any] = {}
    homes: dict[tuple[str, ...], Path] = {}
    names = sorted(path.name for path in of_project(folder).glob("*.yaml"))
    files = [folder / MAIN, *(folder / name for name in names if name != MAIN)]
    for path in [path for path in files if path.name not in OWN_FORMS]:
        for section, content in read_yaml(path).items():
            if section not in Paper.model_fields:
                known, where = list(Paper.model_fields), "reactivate/experiment/paper.py"
                raise ValueError(f"{path}: {unknown_name('key', str(section), known, where)}")
            if not isinstance(content, dict):
                _put(data, homes, (section,), content, path)
                continue
            homes.setdefault((section,), path)
            if not isinstance(data.setdefault(section, {}), dict):
                _put(data, homes, (section,), content, path)  # says where the other is
            for name, value in content.items():
                _put(data[section], homes, (section, str(name)), value, path)
    return data, homes


def _put(
    data: dict[str, Any],
    homes: dict[tuple[str, ...], Path],
    keys: tuple[str, ...],
    value: Any,
    path: Path,
) -> None:
    if keys in homes:
        raise ValueError(
            f"{path}: {'.'.join(keys)} is written in {homes[keys]} too; keep one of them"
        )
    homes[keys] = path
    data[keys[-1]] = value


@cache
def load_scales() -> dict[str, Scale]:
    """All scales, checked; what they change of a paper stands with the paper."""
    path = CONFIG / SCALES
    scales = {name: validate(Scale, data, path, name) for name, data in read_yaml(path).items()}
    for name, scale in scales.items():
        check_stand_ins(scale.stand_ins, f"{path}: {name}.stand_ins")
        if name == PRINTED_SCALE and scale.stand_ins:
            raise ValueError(
                f"{path}: {name}.stand_ins: the scale {name!r} is the printed protocol and may "
                "replace nothing; remove it or use another scale"
            )
    return scales


def load_scale(name: str) -> Scale:
    """One scale by name."""
    if name not in load_scales():
        raise unknown_name("scale", name, list(load_scales()), str(CONFIG / SCALES))
    return load_scales()[name]


@cache
def load_paper_scales(paper: str) -> dict[str, PaperScale]:
    """The changes that every scale makes to a paper, checked: the names they mention exist."""
    path, known = PAPERS / paper / SCALES, load_scales()
    source = load_paper(paper)
    content = read_yaml(path) if of_project(path).exists() else {}
    for name in content:
        if name not in known:
            raise ValueError(
                f"{path}: {unknown_name('scale', name, list(known), str(CONFIG / SCALES))}"
            )
    scales = {}
    for name, scale in known.items():
        limits = validate(PaperScale, content.get(name) or {}, path, name)
        patterns = {
            kind: named(getattr(limits, kind), getattr(source, kind))
            for kind in ("recipes", "measurements", "observations")
        }
        scales[name] = limits.model_copy(update=patterns)
        check_limits(name, scales[name], list(scale.reaches), source, path)
    return scales


@cache
def load_seeds(paper: str) -> dict[str, dict[Cell, int]]:
    """The numbers of seeds that cells of a paper have above those of their recipes, by scale."""
    path, known = PAPERS / paper / SEEDS, load_scales()
    content = read_yaml(path) if of_project(path).exists() else {}
    by_scale = {}
    for name, data in content.items():
        if name not in known:
            error = unknown_name("scale", str(name), list(known), str(CONFIG / SCALES))
            raise ValueError(f"{path}: {error}")
        by_scale[name] = validate(RaisedSeeds, {} if data is None else data, path, name).by_cell
        limits, stand_ins = load_paper_scales(paper)[name], known[name].stand_ins
        check_raised(name, by_scale[name], limits, stand_ins, load_paper(paper), path)
    return by_scale


def load_exhibit(paper: str, exhibit: str) -> Exhibit:
    """One exhibit of a paper by name."""
    exhibits = load_paper(paper).exhibits
    if exhibit not in exhibits:
        raise unknown_name("exhibit", exhibit, list(exhibits), str(PAPERS / paper))
    return exhibits[exhibit]
