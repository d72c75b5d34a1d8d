"""A paper stands alone: its mistakes stop nobody else, and its files make one whole."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.experiment import loading
from reactivate.experiment.experiment import Experiment, pictured, readable_papers
from reactivate.foundation.configuration import read_yaml

CHAPTER5 = "papers/thesis/chapter5.yaml"
TABLE3 = "results/smoke/gmp/table3.csv"
BROKEN = {
    "text that is not YAML": ("    batch_size: 128\n", "    batch_size: [128\n", "line "),
    "a wrong value": (
        "    epochs: 120\n",
        "    epochs: some\n",
        "recipes.vgg16_120.epochs is 'some'",
    ),
}


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_mistake_in_one_paper_stops_no_other(edit, mistake):
    old, new, _ = BROKEN[mistake]
    edit(CHAPTER5, old, new)
    assert Experiment.load("smoke").exhibit("gmp", "table3").records
    others = [paper for paper in Experiment.load("smoke").papers if paper != "thesis"]
    assert len(others) == len(Experiment.load("smoke").papers) - 1
    assert [paper.paper for paper in readable_papers()] == others
    assert re.fullmatch(pictured(), "figure4")


@pytest.mark.parametrize("mistake", BROKEN)
def test_whoever_asks_for_that_paper_is_told_file_key_and_value(edit, mistake):
    old, new, message = BROKEN[mistake]
    edit(CHAPTER5, old, new)
    with pytest.raises(ValueError, match=r"config/papers/thesis/chapter5\.yaml: ") as error:
        Experiment.load("smoke").exhibit("thesis", "table5_1")
    assert message in str(error.value)


def test_a_mistake_in_the_datasets_of_one_paper_stops_no_other(edit):
    edit("papers/gmp/datasets.yaml", "boston:\n", "boston: [\n")
    assert Experiment.load("smoke").exhibit("thesis", "table5_1").records
    with pytest.raises(ValueError, match=r"config/papers/gmp/datasets\.yaml: "):
        Experiment.load("smoke").exhibit("gmp", "table3")


@pytest.mark.slow
def test_the_workflow_makes_other_papers_beside_a_broken_one(tmp_path, copy_project):
    copy_project(tmp_path)
    path = tmp_path / "config" / CHAPTER5
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("    epochs: 120\n", "    epochs: [\n"), encoding="utf-8")

    def planned(target):
        return subprocess.run(
            [sys.executable, "-m", "snakemake", "-n", target, "--cores", "1"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "workflow")},
        )

    other = planned(TABLE3)
    assert other.returncode == 0, other.stderr
    assert f"output: {TABLE3}" in other.stdout + other.stderr
    own = planned("results/smoke/thesis/table5_1.csv")
    assert own.returncode != 0
    assert "config/papers/thesis/chapter5.yaml: " in own.stdout + own.stderr


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_a_recipe_without_limits_at_a_small_scale_is_an_error_that_says_where(project, scale):
    path = project / "config/papers/psc/scales.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"    cifar: .*\n", "    {}\n", text), encoding="utf-8")
    message = (
        rf"config/papers/psc/scales\.yaml: {scale}\.recipes says nothing of cifar; write what"
    )
    with pytest.raises(ValueError, match=message):
        _ = Experiment.load(scale).exhibit("psc", "accuracy").inputs
    assert Experiment.load("paper").exhibit("psc", "accuracy").inputs


SECTIONS = (
    *("models", "recipes", "observations", "measurements", "exhibits", "claims", "headlines"),
    "protocols",
)


def spread():
    """A name of every section of every paper, and the file it stands in."""
    root = Path(__file__).parents[2] / "config/papers"
    for path in sorted(root.glob("*/*.yaml")):
        if path.name not in loading.OWN_FORMS:
            content = read_yaml(path)
            for section in SECTIONS:
                if content.get(section):
                    yield path.parent.name, path.name, section, next(iter(content[section]))


@pytest.mark.parametrize(("paper", "file", "section", "name"), list(spread()))
def test_a_name_in_two_files_of_a_paper_is_named_with_both(project, paper, file, section, name):
    folder = Path("config/papers") / paper
    (folder / "twice.yaml").write_text(f"{section}:\n  {name}: {{}}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="keep one of them") as error:
        loading.load_paper(paper)
    for said in (f"{folder / 'twice.yaml'}: {section}.{name}", f"{folder / file} too"):
        assert said in str(error.value)


def test_what_is_no_mapping_stands_in_one_file_only(project):
    Path("config/papers/psc/twice.yaml").write_text("title: Another\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"twice\.yaml: title is written in .*paper\.yaml too"):
        loading.load_paper("psc")


def test_a_recipe_may_be_like_one_of_another_file(project):
    own = "recipes:\n  short: {like: cifar, epochs: 3}\n"
    Path("config/papers/psc/short.yaml").write_text(own, encoding="utf-8")
    recipes = loading.load_paper("psc").recipes
    assert recipes["short"] == recipes["cifar"].model_copy(update={"epochs": 3})


def test_a_folder_without_a_main_file_is_no_paper(project):
    Path("config/papers/draft").mkdir()
    Path("config/papers/draft/notes.yaml").write_text("[\n", encoding="utf-8")
    assert "draft" not in loading.paper_names()
