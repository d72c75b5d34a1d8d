"""Folders and settings of all runs are those that results were made and published with.

Cells count with the seeds of ``scales.yaml``, whatever ``reactivate decide`` has raised. A change
on purpose: ``PYTHONPATH=tests python tests/config/test_paths.py`` writes the digests anew.
"""

import hashlib
import json
import shutil
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.loading import load_scales, paper_names
from small_projects import drop_raised_seeds

ROOT = Path(__file__).parents[2]
DIGESTS = ROOT / "tests/documents"  # by paper, paths.json
CASES = [
    (path.parent.name, scale, digest)
    for path in sorted(DIGESTS.glob("*/paths.json"))
    for scale, digest in json.loads(path.read_text(encoding="utf-8")).items()
]


def lines(scale, paper):
    """Every record of a paper at a scale, and what decides its numbers."""
    experiment = Experiment.load(scale)
    for run in experiment.exhibits(paper):
        yield from (f"{run.name} {path.as_posix()}" for path in run.records)
        yield f"{run.name} {json.dumps(run.settings, sort_keys=True)}"
        for place in run.places:
            cell = run.cell(place)
            measured = place.measurement and cell.measurement(place.measurement).model_dump_json()
            settings = cell.settings.model_dump_json()
            folders = " ".join(folder.as_posix() for folder in run.folders(place))
            yield f"{run.name} {place} {cell.seeds} {folders} {settings} {measured}"


def digest(scale, paper):
    """Of all of them, in whatever order they are written."""
    return hashlib.sha256("\n".join(sorted(lines(scale, paper))).encode()).hexdigest()


@pytest.fixture
def unraised(project):
    """The project's configuration, without the seeds that were raised."""
    drop_raised_seeds(project / "config")
    forget()
    return project


@pytest.mark.parametrize(("paper", "scale", "known"), CASES)
def test_folders_and_settings_made_of_the_configuration_are_those_of_the_results(
    unraised, paper, scale, known
):
    assert digest(scale, paper) == known


def test_raised_seeds_would_be_other_folders_and_are_not_counted(unraised):
    before = digest("laptop", "thesis")
    raised = yaml.safe_dump({"laptop": {"cifar10/vgg16-relu-sp-chapter3": 8}})
    (unraised / "config/papers/thesis/seeds.yaml").write_text(raised, encoding="utf-8")
    forget()
    assert digest("laptop", "thesis") != before
    drop_raised_seeds(unraised / "config")
    forget()
    assert digest("laptop", "thesis") == before


if __name__ == "__main__":
    with TemporaryDirectory() as folder, chdir(folder):
        shutil.copytree(ROOT / "config", "config")
        drop_raised_seeds(Path("config"))
        for name in paper_names():
            found = {scale: digest(scale, name) for scale in load_scales()}
            path = DIGESTS / name / "paths.json"
            path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
