"""Seeds that are raised in the project are none of the small projects that tests make of it."""

import shutil
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.loading import load_seeds, paper_names
from small_projects import keep_two_cells, keep_two_tables, paper_in_one_file

ROOT = Path(__file__).parents[2]
ACTIVATIONS = "workflow/reactivate/activations"
RAISED = {
    "smoke": {"cifar10/vgg16-relu-sp-chapter3": 8},
    "laptop": {"cifar10/vgg16-relu-sp-chapter3": 8},
}
LIMITS = {
    "recipes": {"chapter3": {"epochs": 2, "seeds": 2}},
    "exhibits": {"figure3_3": {"rows": ["vgg16"], "columns": ["tanh", "relu"]}},
}


@pytest.fixture
def raised(tmp_path, monkeypatch):
    """The project's configuration with seeds that `reactivate decide` might raise."""
    folder = tmp_path / "raised"
    shutil.copytree(ROOT / "config", folder / "config")
    shutil.copytree(ROOT / ACTIVATIONS, folder / ACTIVATIONS)
    for paper in ("gmp", "thesis"):
        path = folder / "config/papers" / paper / "seeds.yaml"
        path.write_text(yaml.safe_dump(RAISED), encoding="utf-8")
    monkeypatch.chdir(folder)
    forget()
    yield folder
    forget()


def raised_papers():
    """Papers of this folder of which cells have more seeds than their recipes."""
    forget()
    return [name for name in paper_names() if load_seeds(name)]


def test_two_tables_of_the_project_have_the_seeds_of_their_recipes(raised):
    keep_two_tables(raised / "config")
    assert raised_papers() == []
    assert Experiment.load("smoke").exhibit("thesis", "table5_1").records


def test_two_cells_of_the_project_have_the_seeds_of_their_recipe(raised):
    keep_two_cells(raised)
    assert raised_papers() == []


def test_a_paper_at_another_scale_has_the_seeds_of_its_recipes(raised, unrun, configure):
    configure({"says": "less"}, {"thesis": LIMITS}, paper_in_one_file(raised / "config", "thesis"))
    assert raised_papers() == []
    assert len(Experiment.load("smoke").exhibit("thesis", "figure3_3").records) == 4


def test_a_project_that_lacks_a_scale_of_its_raised_seeds_is_wrong(raised):
    own = raised / "config/papers/thesis/seeds.yaml"
    own.write_text(yaml.safe_dump({"laptop": RAISED["laptop"]}), encoding="utf-8")
    path = raised / "config/scales.yaml"
    scales = yaml.safe_load(path.read_text(encoding="utf-8"))
    del scales["laptop"]
    path.write_text(yaml.safe_dump(scales), encoding="utf-8")
    for other in raised.glob("config/papers/*/scales.yaml"):
        content = yaml.safe_load(other.read_text(encoding="utf-8"))
        content.pop("laptop", None)
        other.write_text(yaml.safe_dump(content), encoding="utf-8")
    forget()
    with pytest.raises(ValueError, match=r"thesis/seeds\.yaml: unknown scale 'laptop'"):
        load_seeds("thesis")
