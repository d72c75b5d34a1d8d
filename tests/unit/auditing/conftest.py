"""A made-up table of runs; and a headless Chromium, driven over two pipes of its protocol."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from datetime import date
from pathlib import Path

import pytest
from reactivate.auditing.comparisons import judge_statement
from reactivate.auditing.learning import Learning
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.evidence.tables import Entry
from reactivate.experiment.paper import Paper
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import PaperScale
from reactivate.experiment.statements import Statement
from reactivate.judging.exact import not_run

ROOT = Path(__file__).parents[3]
RECIPE = {
    "stage": "train",
    "optimizer": {"name": "sgd", "momentum": 0.9, "weight_decay": 0.0},
    "lr": {"default": 0.1},
    "schedule": {"kind": "constant"},
    "batch_size": 100,
    "epochs": 10,
    "normalise": "mean",
    "seeds": 5,
}
UNITS = {"top1": ("higher", "%"), "error": ("lower", "%"), "loss_min": ("lower", "nats")}


@pytest.fixture
def table(monkeypatch):
    """``table(values, ...)``: a made-up table whose places, ``(row, column)``, have these runs.

    A place may name its protocol third; a column may stand for ``{"metric": ...}``; nothing is
    printed but what ``printed`` says by place, else 50.
    """
    monkeypatch.chdir(ROOT)  # for config/datasets.yaml and config/metrics.yaml

    def made(values, **changed):
        exhibit = made_up(list(values), **changed)
        cells = {}
        for place, runs in values.items():
            row, column, protocol = (*place, "document")[:3]
            data = exhibit.form.coordinates(row, column)["dataset"]
            data = exhibit.stand_ins.get(data, data)
            entry = Entry(row, column, protocol, runs, dataset=data)
            cells[entry.row, entry.column, protocol] = ShownCell.of(entry, "1", [])
        return Learning(exhibit, Evidence(cells))

    return made


@pytest.fixture
def judged():
    """``judged(table, check, choices, **effect)``: of a comparison; by default crelu is best."""

    def judgement(table, check=None, choices=None, **effect):
        statement = {
            "locator": "Section 1",
            "kind": "comparison",
            "says": "CReLU is best.",
            "quote": "CReLU is best",
            "lines": [1, 1],
            "check": {"exhibit": "table1", **(check or {"best": "crelu"})},
            "effect": {"number": "accuracy", "replicate": "seed", **effect},
            "choices": choices or {},
            "would_change": "More seeds.",
        }
        left_out = not_run("compute", "left out here")
        return judge_statement(Statement.model_validate(statement), table, left_out)

    return judgement


def made_up(
    places,
    *,
    rows=None,
    columns=None,
    metric="top1",
    dataset="cifar10",
    printed=None,
    spread="unstated",
    choices=None,
    protocols=None,
    measurements=None,
    recipe=None,
    scale="paper",
    limits=None,
    stand_ins=None,
    conventions=None,
    fixed=None,
):
    """A trained exhibit of a made-up paper at a scale."""
    rows = rows or list(dict.fromkeys(place[0] for place in places))
    columns = columns or {name: {} for name in dict.fromkeys(place[1] for place in places)}
    columns = columns if isinstance(columns, dict) else {name: {} for name in columns}
    protocols = protocols or {"document": "As it says."}
    better, unit = UNITS.get(metric, ("lower", "1"))
    usual = {"model": "small", "parameterization": "sp", "dataset": dataset, **(fixed or {})}
    varied = {key for said in columns.values() for key in said}
    form = {
        "kind": "trained",
        "title": "Made up.",
        "locator": "Table 1",
        "metric": {"name": metric, "better": better, "unit": unit},
        "rows": {"activation": rows},
        "columns": {"what": columns},
        "fixed": {key: value for key, value in usual.items() if key not in varied},
        "protocols": list(protocols),
        "spread": spread,
        "choices": choices or {},
        "conventions": conventions or {},
        "printed": {r: [(printed or {}).get((r, c), "50") for c in columns] for r in rows},
    }
    paper = Paper.model_validate(
        {
            "paper": "toy",
            "title": "A toy.",
            "source": {"cited": "Nobody", "read": date(2027, 1, 1)},
            "models": {"small": {"kind": "image", "network": "vgg16"}},
            "recipes": {name: {**RECIPE, **(recipe or {})} for name in protocols},
            "measurements": measurements or {},
            "exhibits": {"table1": form},
            "protocols": protocols,
        }
    )
    smaller = PaperScale.model_validate(limits or {})
    return RunExhibit(scale, paper, smaller, stand_ins or {}, None, "table1")


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
