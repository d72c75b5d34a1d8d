"""A small project's page, and a real Chromium that Playwright drives."""

import csv
import os
import re
import shutil
from contextlib import chdir
from datetime import date
from pathlib import Path

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright
from reactivate.auditing.chain import Ledger
from reactivate.auditing.page import page
from reactivate.experiment.experiment import forget
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.foundation.configuration import read_yaml

ROOT = Path(__file__).parents[4]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60_000  # milliseconds; a busy machine starts a browser slowly
DESKTOP = {"width": 1200, "height": 900}
expect.set_options(timeout=PATIENCE / 4)


@pytest.fixture(scope="module")
def chromium():
    """The browser of this machine; CI makes a missing one an error instead of a skip."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        missing = f"no Chromium on this machine (looked for {', '.join(NAMES)})"
        if os.environ.get("CI"):
            pytest.fail(f"the page must be tested in CI: {missing}")
        pytest.skip(missing)
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=sandbox, timeout=PATIENCE
        )
        yield browser
        browser.close()


class Seen:
    """Pages that a test opened; what they log, fail at, and ask the network for is kept."""

    def __init__(self, browser):
        self._browser = browser
        self.pages, self.complaints, self.requests = [], [], []

    def open(self, address, *, size=DESKTOP, dark=False):
        """Goes to an address in a window of that size."""
        scheme = "dark" if dark else "light"
        context = self._browser.new_context(viewport=size, color_scheme=scheme)
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", self._asked)
        tab.goto(address)
        self.pages.append(tab)
        return tab

    def _asked(self, request):
        """Everything that is asked for but pages themselves and what is inside of them."""
        if not request.is_navigation_request() and not request.url.startswith("data:"):
            self.requests.append(request.url)

    def close(self):
        for tab in self.pages:
            tab.context.close()


@pytest.fixture
def seen(chromium):
    """``seen.open(address)``; all pages are closed afterwards."""
    pages = Seen(chromium)
    yield pages
    pages.close()


TOY = {
    "paper": "toy",
    "title": "A toy",
    "source": {"cited": "Nobody, A toy", "read": date(2027, 1, 1)},
    "exhibits": {
        "table1": {
            "kind": "quoted",
            "title": "Of others.",
            "locator": "Table 1",
            "metric": "top1",
            "quotes": "Somebody's numbers",
            "rows": {"network": ["small"]},
            "columns": {"what": ["top1"]},
            "printed": {"small": ["92.6"]},
        }
    },
    "claims": {
        "twice": {
            "locator": "Section 1",
            "kind": "statement",
            "says": "One and two.",
            "quote": "it is one",
            "lines": [3, 4],
            "text": "damaged",
            "contradicts": {"quote": "it is two", "lines": [9, 9]},
            "would_change": "A reading of both.",
        }
    },
    "findings": {
        "loop": {
            "about": "program",
            "locator": "train.py",
            "says": "The program stops early.",
            "quote": "we stop",
            "lines": [7, 7],
        }
    },
}


@pytest.fixture(scope="session")
def project(_run_once, tmp_path_factory):
    """The small project with a figure, a second paper, and a published audit of another scale."""
    from reactivate.stages import analyse, audit, check, join, plot

    folder = tmp_path_factory.mktemp("page") / "project"
    shutil.copytree(_run_once, folder)
    own = folder / "config/papers/gmp/paper.yaml"
    gmp = read_yaml(own)
    whole = read_yaml(ROOT / "config/papers/gmp/paper.yaml")
    gmp["exhibits"]["figure5"] = whole["exhibits"]["figure5"]
    for name, content in (("gmp", gmp), ("toy", TOY)):
        path = folder / f"config/papers/{name}/paper.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    (folder / "config/papers/toy/scales.yaml").write_text("smoke: {}\n", encoding="utf-8")
    with chdir(folder):
        forget()
        analyse.analyse("smoke", "gmp", "figure5")
        plot.plot("smoke", "gmp", "figure5")
        check.check("smoke", "gmp")
        for paper in ("gmp", "toy"):
            audit.audit("smoke", paper)
        join.join("smoke")
        other = audit_file("paper", "csv", PUBLISHED)
        other.parent.mkdir(parents=True)
        text = audit_file("smoke", "csv").read_text(encoding="utf-8")
        other.write_text(text.replace("not_comparable(scale)", "reproduced"), encoding="utf-8")
        shutil.copy(audit_file("smoke", "agreement.csv"), other.with_name("audit.agreement.csv"))
        (folder / "page.html").write_text(page(Ledger("smoke")), encoding="utf-8")
    forget()
    return folder


@pytest.fixture
def rows(project):
    """``rows(scale)``: its audit, by claim."""

    def audited(scale):
        path = project / ("results" if scale == "smoke" else "published") / scale / "audit.csv"
        with path.open(newline="", encoding="utf-8") as file:
            return {row["claim"]: row for row in csv.DictReader(file)}

    return audited


@pytest.fixture
def address(project):
    """The page as a file."""
    return (project / "page.html").as_uri()


@pytest.fixture
def chained(project, monkeypatch):
    """``chained(claim)``: what a claim rests on."""
    monkeypatch.chdir(project)
    forget()
    yield lambda claim: Ledger("smoke").chain(claim)
    forget()


@pytest.fixture
def opened(seen, address, request):
    """``opened(hash, **window)``: the page; afterwards, that it neither complained nor asked.

    With PICTURES set, what was seen last is kept in that folder.
    """
    yield lambda fragment="", **window: seen.open(address + fragment, **window)
    if "PICTURES" in os.environ:
        name = re.sub(r"\W+", "_", request.node.name)
        seen.pages[-1].screenshot(path=Path(os.environ["PICTURES"], f"{name}.png"))
    assert seen.complaints == []
    assert seen.requests == []


@pytest.fixture
def violations():
    """``violations(tab)``: what axe finds, with the first element of each."""

    def look(tab):
        found = Axe().run(tab).response["violations"]
        return [(each["id"], each["nodes"][0]["html"]) for each in found]

    return look
