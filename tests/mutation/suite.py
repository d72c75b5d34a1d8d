"""The tests of a package: which files they are, and which test reaches which line."""

import ast
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from mutants import ROOT, Mutant, file, modules

ELSEWHERE = {  # of what commands show, and what a stage judges
    "reactivate.auditing": (
        "commands/test_verify.py",
        "commands/test_decide.py",
        "stages/test_check.py",
    ),
}
COMPILED = "test_portable.py"  # compiles and exports every network: minutes, whatever is changed
SLOW = 0.2  # seconds; tests that take longer come after all others
REWRITTEN = "ignore:Module already imported"  # hypothesis, as torch, is imported before
OPTIONS = ["-W", REWRITTEN, "-p", "no:cacheprovider", "-m", "not slow", "--tb=no", "-n", "0"]


def test_files(package: str) -> list[str]:
    """Unit tests of a package, oracles that import it, and its own examples."""
    parts = package.split(".")[1:]
    own = ROOT.joinpath("tests", "unit", *parts)
    unit = sorted(own.rglob("test_*.py")) or [own.with_name(f"test_{own.name}.py")]
    oracles = [
        path
        for path in sorted(ROOT.glob("tests/oracle/test_*.py"))
        if path.name != COMPILED and uses(path, package)
    ]
    elsewhere = [ROOT / "tests" / "unit" / name for name in ELSEWHERE.get(package, ())]
    found = [*unit, *elsewhere, *oracles, *(file(module) for module in modules(package))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def uses(path: Path, package: str) -> bool:
    """Whether a file imports something of a package."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    plain = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    named += [alias.name for node in plain for alias in node.names]
    return any(f"{name}.".startswith(f"{package}.") for name in named)


class Reach:
    """A plugin that notes which lines of some files every test reaches, and what it costs.

    What a fixture of many tests reaches counts for all of them, though it is set up only once.
    """

    def __init__(self, files: list[Path]) -> None:
        self.names = {str(path) for path in files}
        self.lines: set[tuple[str, int]] = set()
        self.shared: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.tests: dict[str, dict[str, object]] = {}

    def _trace(self, frame: FrameType, event: str, value: object) -> object:
        if frame.f_code.co_filename not in self.names:
            return None
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._trace

    @contextmanager
    def _noted(self) -> Iterator[set[tuple[str, int]]]:
        outer, self.lines = self.lines, set()
        try:
            yield self.lines
        finally:
            self.lines = outer

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        with self._noted() as lines:
            try:
                return (yield)
            finally:
                self.shared[fixturedef.argname] |= lines

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        started = time.process_time()
        with self._noted() as lines:
            sys.settrace(self._trace)
            try:
                return (yield)
            finally:
                sys.settrace(None)
                names = getattr(item, "fixturenames", ())
                self.tests[item.nodeid] = {
                    "seconds": time.process_time() - started,
                    "lines": lines,
                    "fixtures": list(names),
                }

    def write(self, path: Path) -> None:
        """Leaves what was noted: the tests with their costs, and for each line their numbers."""
        reached: dict[str, list[int]] = defaultdict(list)
        for number, test in enumerate(self.tests.values()):
            for name in test["fixtures"]:
                test["lines"] |= self.shared.get(name, set())
            for name, line in sorted(test["lines"]):
                reached[f"{name}:{line}"].append(number)
        costs = {name: test["seconds"] for name, test in self.tests.items()}
        path.write_text(json.dumps({"seconds": costs, "reached": reached}), encoding="utf-8")


def _file(test: str) -> str:
    return test.partition("::")[0]


class Map:
    """Which tests a mutant is tried on, in the order in which they are likely to end soon."""

    def __init__(self, path: Path) -> None:
        noted = json.loads(path.read_text(encoding="utf-8"))
        self.seconds: dict[str, float] = noted["seconds"]
        self.tests = list(self.seconds)
        self.reached: dict[str, list[int]] = noted["reached"]

    def _reaching(self, keys: Iterable[str]) -> set[int]:
        return {number for key in keys for number in self.reached.get(key, ())}

    def _reading(self, name: str) -> set[int]:
        """Tests that reach no line of the package, and examples of a file."""
        used = self._reaching(self.reached)
        tests = enumerate(self.tests)
        return {k for k, test in tests if k not in used or str(ROOT / _file(test)) == name}

    def chosen(self, mutant: Mutant, anew: bool) -> list[str]:
        """Tests that reach what is changed.

        Args:
            mutant: The change.
            anew: Whether the module is imported anew, with all that an import computes. Then
                these are all tests that use the module, as if no test reaches the change, and
                those that only read what an import computed.
        """
        name = str(file(mutant.module))
        numbers = self._reaching(f"{name}:{line}" for line in mutant.reached)
        if anew or not numbers:
            numbers = self._reaching(key for key in self.reached if key.startswith(f"{name}:"))
        if anew:
            numbers |= self._reading(name)
        if not numbers:
            numbers = set(range(len(self.tests)))
        found = [self.tests[number] for number in numbers]
        total: dict[str, float] = defaultdict(float)
        for test in found:
            total[_file(test)] += self.seconds[test]

        def soon(test: str) -> tuple[bool, float, str, float]:
            slow = self.seconds[test] > SLOW
            return slow, total[_file(test)], _file(test), self.seconds[test]

        return sorted(found, key=soon)

    def limit(self, tests: list[str]) -> float:
        """Seconds of computing after which a mutant is given up: it does not end."""
        return 20 + 3 * sum(self.seconds[test] for test in tests)
