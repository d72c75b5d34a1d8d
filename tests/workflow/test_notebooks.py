"""Notebooks run from published evidence alone, and ask Snakemake for their own paper only."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.judging.verdicts import Ruling

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
KEYS = re.compile(rf"\b(?:{'|'.join(ruling for ruling in Ruling if '_' in ruling)})\b")


def run(folder, *command):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment
        | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_every_document_has_a_notebook():
    assert sorted(paper_names()) == BOOKS


@pytest.mark.parametrize("name", BOOKS)
def test_a_notebook_tells_its_story_from_published_evidence_alone(tmp_path, name):
    for part in ("config", "notebooks", "published"):  # neither results nor data
        (tmp_path / part).symlink_to(ROOT / part)
    done = run(tmp_path, "papermill", f"notebooks/{name}.ipynb", "out.ipynb", "-k", "python3")
    assert done.returncode == 0, done.stdout
    assert not (tmp_path / "results").exists()
    page = _page(tmp_path)
    paper = load_paper(name)
    assert all(headline.says in page for headline in paper.headlines.values())
    assert "published/laptop/audit.csv" in page
    assert page.count("data:image/webp;base64,") >= 2
    assert page.count('alt="') == page.count("<img ")
    assert "<pre>" not in page  # what scrolls takes the keyboard
    assert KEYS.findall(re.sub("<code>.*?</code>", "", page)) == []
    assert "What would change our mind" in page


def _page(folder):
    """The page of an executed notebook; nothing in it is fetched from anywhere."""
    template = ["--template", "page", "--TemplateExporter.extra_template_basedirs=notebooks"]
    done = run(folder, "nbconvert", "--to", "html", *template, "out.ipynb")
    assert done.returncode == 0, done.stdout
    page = (folder / "out.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    assert "<script" not in page
    return unescape(page)


@pytest.mark.parametrize("name", BOOKS)
def test_a_notebook_asks_for_jobs_of_its_own_paper_only(tmp_path, name):
    for part in ("Snakefile", "config", "notebooks", "published", "rules", "workflow"):
        (tmp_path / part).symlink_to(ROOT / part)
    target = f"results/laptop/{name}/notebook.html"
    done = run(tmp_path, "snakemake", "--dry-run", "--cores", "1", target)
    assert done.returncode == 0, done.stdout
    outputs = re.findall(r"^    output: (.*)$", done.stdout, re.MULTILINE)
    papers = {path.split("/")[2] for line in outputs for path in re.findall(r"results/\S+", line)}
    assert papers == {name}
