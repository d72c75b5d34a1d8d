"""The pages that are published, with all their claims, as people open them."""

from pathlib import Path

import pytest

PUBLISHED = Path(__file__).parents[4] / "published"
PAGES = sorted(PUBLISHED.glob("*/audit.html"))
PHONE = {"width": 390, "height": 844}


def test_there_are_pages():
    assert len(PAGES) == 2


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_a_published_page_is_small_enough_to_open(path):
    assert path.stat().st_size < 3_000_000


def test_a_publication_is_small_enough_to_clone():
    files = [path for path in PUBLISHED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 40_000_000


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("fragment", ["", "#gmp/claims/gmp_best"])
def test_a_published_page_works_for_everyone(seen, violations, path, fragment):
    tab = seen.open(path.as_uri() + fragment, size=PHONE, dark=True)
    assert tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert violations(tab) == []
    assert seen.complaints == seen.requests == []
