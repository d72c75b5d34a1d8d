"""What others expect of a repository is there, and says the same as the project does."""

import tomllib
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.foundation.files import sha256

ROOT = Path(__file__).parents[2]
APACHE = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"  # of LICENSE-2.0.txt
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def read(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_licence_is_the_one_that_is_named_to_the_letter():
    assert sha256(ROOT / "LICENSE") == APACHE
    assert PROJECT["license"] == read("CITATION.cff")["license"] == "Apache-2.0"


def test_the_citation_names_every_document(monkeypatch):
    monkeypatch.chdir(ROOT)
    cited = read("CITATION.cff")
    assert {"cff-version", "title", "message", "authors", "version"} <= cited.keys()
    titles = [entry["title"].lower() for entry in cited["references"]]
    assert len(titles) == len(paper_names())
    for name in paper_names():
        source = load_paper(name).source.cited.lower()
        entry = next(e for e in cited["references"] if e["title"].lower() in source)
        assert all(author["family-names"].lower() in source for author in entry["authors"])


def test_continuous_integration_runs_one_script_everywhere():
    (job,) = read(".github/workflows/ci.yml")["jobs"].values()
    assert job["steps"][-1] == {"run": ".ci/run"}


def test_hooks_need_no_download_and_do_what_make_lint_does():
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}
    entries = {" ".join(hook["entry"].split()[:2]) for hook in repository["hooks"]}
    lint = MAKEFILE.partition("lint: env\n")[2].partition("\n\n")[0].splitlines()
    assert {" ".join(line.split()[:2]) for line in lint} <= entries


@pytest.mark.parametrize("name", ["nodejs", "make", "pip"])
def test_the_environment_of_conda_has_the_programs_around_python(name):
    assert name in read("environment.yml")["dependencies"]


def test_the_catalog_of_workflows_knows_how_it_is_run():
    usage = read(".snakemake-workflow-catalog.yml")["usage"]
    assert usage["report"] is True
    assert (ROOT / "config/README.md").exists()
    assert usage["software-stack-deployment"]["apptainer"] == (
        (ROOT / "rules/container.smk").exists()
    )
