"""A small project's page, and a headless Chromium, driven over two pipes of its protocol."""

import base64
import csv
import fcntl
import json
import os
import re
import shutil
import subprocess
import time
from contextlib import chdir
from datetime import date
from pathlib import Path

import pytest
import yaml
from reactivate.auditing.chain import Ledger
from reactivate.auditing.page import page
from reactivate.experiment.experiment import forget
from reactivate.experiment.paths import PUBLISHED, audit_file

ROOT = Path(__file__).parents[4]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"),
    *("--disable-extensions", "--disable-background-networking", "--disable-sync"),
    *("--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"),
)
COMMANDS, ANSWERS = 3, 4  # the file descriptors that Chromium reads and writes
PATIENCE = 60  # seconds; a busy machine starts a browser slowly


class Tab:
    """One page of the browser; what it logs and asks the network for is kept."""

    def __init__(self, commands, answers):
        self._commands, self._answers = commands, answers
        self._rest, self._sent, self._session = b"", 0, None
        self.events = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method, **params):
        """Calls a method of the protocol and waits for its answer."""
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._sent:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _next(self):
        while b"\0" not in self._rest:
            piece = os.read(self._answers, 1 << 20)
            assert piece, "the browser has ended"
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, address, width=1200, height=900, dark=False):
        """Goes to an address in a window of that size, and waits until it is loaded."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send("Page.navigate", url="about:blank")
        self.until("location.href === 'about:blank'")
        self.events.clear()
        self.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, expression):
        """The value of a JavaScript expression."""
        options = {"returnByValue": True, "awaitPromise": True}
        found = self.send("Runtime.evaluate", expression=expression, **options)
        assert "exceptionDetails" not in found, f"{expression}: {found['exceptionDetails']}"
        return found["result"].get("value")

    def until(self, expression):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def click(self, selector):
        """Presses the mouse in the middle of an element."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{found}.scrollIntoView({{block: 'center', inline: 'center'}})")
        place = self.run(
            f"(r => ({{x: r.x + r.width / 2, y: r.y + r.height / 2}}))"
            f"({found}.getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            options = {"button": "left", "clickCount": 1}
            self.send("Input.dispatchMouseEvent", type=kind, **place, **options)

    def press(self, key, code):
        """Presses a key."""
        for kind in ("rawKeyDown", "keyUp"):
            names = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            self.send("Input.dispatchKeyEvent", type=kind, **names)

    def picture(self, path):
        """Saves what is seen; for people who look at it."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def complaints(self):
        """Errors and warnings that the page logged."""
        told = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [event["params"] for event in self.events if event["method"] in told]

    def requests(self):
        """Everything that was asked for but the page itself and what is inside of it."""
        asked = [e["params"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        urls = [a["request"]["url"] for a in asked if a["request"]["url"] != a["documentURL"]]
        return [url for url in urls if not url.startswith("data:")]


def pipe():
    """A pipe whose ends have none of the numbers that Chromium needs."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return moved


@pytest.fixture(scope="session")
def tab(tmp_path_factory):
    """A tab of a new browser."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(NAMES)})")
    read_commands, commands = pipe()
    answers, write_answers = pipe()
    connected = f'exec "$@" {COMMANDS}<&{read_commands} {ANSWERS}>&{write_answers}'
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    profile = f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"
    with subprocess.Popen(
        ["bash", "-c", connected, "bash", program, *FLAGS, *root, profile, "about:blank"],
        pass_fds=(read_commands, write_answers),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        os.close(read_commands)
        os.close(write_answers)
        try:
            yield Tab(commands, answers)
        finally:
            os.close(commands)  # Chromium ends when nobody can command it
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            os.close(answers)


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
    gmp = yaml.safe_load(own.read_text(encoding="utf-8"))
    whole = yaml.safe_load((ROOT / "config/papers/gmp/paper.yaml").read_text(encoding="utf-8"))
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
def address(tab, project):
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
def opened(tab, address, request):
    """``opened(hash, **window)``: the page; afterwards, that it neither complained nor asked.

    With PICTURES set, what was seen last is kept in that folder.
    """

    def go(fragment="", **window):
        tab.open(address + fragment, **window)
        return tab

    yield go
    if "PICTURES" in os.environ:
        name = re.sub(r"\W+", "_", request.node.name)
        tab.picture(Path(os.environ["PICTURES"], f"{name}.png"))
    assert tab.complaints() == []
    assert tab.requests() == []
