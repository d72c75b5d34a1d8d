"""The site of the documentation builds without a warning, and nothing in it is fetched."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import reactivate

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORDS = ("Cell", "Place", "Protocol", "Reading", "Reach", "Scale", "Verdict")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site."""
    out = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--fail-on-warning", "--keep-going"]
    assert f"sphinx-build {' '.join(options)} docs docs/_build/html" in MAKEFILE
    command = [sys.executable, "-m", "sphinx", *options, "-d", out / "trees", DOCS, out / "html"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


def test_every_guide_is_a_page_of_the_index():
    listed = re.findall(r"^[\w/*]+$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    guides = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert guides <= set(listed)


@pytest.mark.slow
def test_every_module_of_the_library_is_in_the_reference(site):
    package = Path(reactivate.__file__).parent
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (site / "api").glob("*.html")}
    assert len(pages) == 14
    for name, page in pages.items():
        for path in (package / name).rglob("*.py"):
            module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
            assert f'id="module-{module.removesuffix(".__init__")}"' in page


@pytest.mark.slow
def test_terms_are_explained_and_can_be_linked(site):
    page = (site / "glossary.html").read_text(encoding="utf-8")
    for word in WORDS:
        assert f'<section id="{word.lower()}">' in page


@pytest.mark.slow
def test_pages_load_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 35
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//", text)
        assert not re.findall(r"<link[^>]+rel=\"stylesheet\"[^>]+href=\"(?:https?:)?//", text)


@pytest.mark.slow
def test_links_between_pages_lead_somewhere(site):
    for page in site.rglob("*.html"):
        for link in re.findall(
            r"<a [^>]*href=\"([^\"#:]+)(?:#[^\"]*)?\"", page.read_text("utf-8")
        ):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
