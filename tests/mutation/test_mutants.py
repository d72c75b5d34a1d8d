"""Mutants are what they say, and the runner tells those that tests notice from the others."""

import ast
import importlib
import json
import sys
import time

import mutants
import pytest
import report
from mutants import Mutant
from operators import changes
from run import sample
from scipy import stats
from suite import Map, uses
from trial import ENDLESS, KILLED, SURVIVED, Instead, collect, exchange, forked, functions, trace

SOURCE = '''"""Says what it is."""
from math import ceil

LIMIT: int = 3
__all__ = ["LIMIT"]


def clip(values: "list[int]", low: int = 0) -> "list[int]":
    """Says more."""
    if low > LIMIT:
        raise ValueError(f"{low + 1} is too much")
    return [max(low, x) for x in values if x != 7][1:]


class Pair:
    def __repr__(self):
        return "pair"

    def total(self):
        return self.first + self.second
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Name of a small module of a package that lies elsewhere."""
    (tmp_path / "small").mkdir()
    (tmp_path / "small/__init__.py").write_text("")
    (tmp_path / "small/parts.py").write_text(SOURCE)
    monkeypatch.setattr(mutants, "SOURCES", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "small.parts"
    for name in ("small", "small.parts"):
        sys.modules.pop(name, None)
    mutants.source.cache_clear()
    mutants.file.cache_clear()


def after(text):
    """What stands in the place of a piece of code, by every operator."""
    node = ast.parse(text).body[0]
    node = node.value if isinstance(node, ast.Expr) else node
    return ["nothing" if new is None else ast.unparse(new) for _, new in changes(node)]


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a >= b", ["a > b", "a < b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a not in b", ["a in b"]),
        ("a is b", ["a is not b"]),
        ("a + b", ["a - b"]),
        ("a ** b", ["a * b"]),
        ("a @ b", []),
        ("a += b", ["a -= b", "nothing"]),
        ("a and b", ["a or b"]),
        ("not a", ["a"]),
        ("-a", ["a"]),
        ("True", ["False"]),
        ("1", ["2"]),
        ("5", ["6", "4"]),
        ("0.0", ["1.0"]),
        ("2.0", ["3.0"]),
        ("'word'", ["'XXword'"]),
        ("'two words'", []),
        ("None", []),
        ("a.b = c", ["nothing"]),
        ("a = c", []),
        ("del a", ["nothing"]),
        ("raise a", ["nothing"]),
        ("b if a else c", ["b if not a else c"]),
        ("b if a > 1 else c", []),
        ("torch.argmax", ["torch.argmin"]),
        ("min", ["max"]),
        ("min = a", []),
    ],
)
def test_an_operator_makes_these_changes(before, changed):
    assert after(before) == changed


@pytest.mark.parametrize(
    ("text", "kind", "changed"),
    [
        ("def f():\n return a", ast.Return, ["return None"]),
        ("def f():\n return None", ast.Return, []),
        ("for a in b:\n break", ast.Break, ["continue"]),
        ("a[1:2:3]", ast.Slice, [":2:3", "1::3", "1:2"]),
        ("while a:\n pass", ast.While, ["while not a:\n    pass"]),
    ],
)
def test_an_operator_changes_this_part(text, kind, changed):
    (node,) = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kind)]
    assert [ast.unparse(new) for _, new in changes(node)] == changed


def test_a_comprehension_loses_its_filter():
    node = ast.parse("[a for a in b if a if c]").body[0].value.generators[0]
    assert [len(new.ifs) for _, new in changes(node)] == [1, 1]


def test_what_changes_no_behaviour_is_left_alone(module):
    found = list(mutants.mutants(module))
    assert {mutant.where for mutant in found} == {"<module>", "clip", "Pair.total"}
    assert [m.before for m in found if m.where == "<module>"] == ["3", "3"]
    texts = [mutant.before for mutant in found if mutant.where == "clip"]
    assert texts.count("low > LIMIT") == 2
    assert "low + 1" not in texts  # what an error says
    assert len({mutant.name for mutant in found}) == len(found)
    assert {m.name for m in found if not m.function} == {
        "small.parts:<module>: 3 -> 4",
        "small.parts:<module>: 3 -> 2",
        "small.parts:clip: 0 -> 1",  # a default, evaluated once
    }


def test_a_mutant_differs_from_the_module_in_one_place(module):
    plain = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants.mutants(module):
        changed = ast.unparse(mutant.tree()).splitlines()
        assert len(changed) == len(plain)
        assert sum(a != b for a, b in zip(plain, changed, strict=True)) == 1
        first, begin, end = mutant.lines
        assert first <= begin <= end <= len(SOURCE.splitlines())


def made_up(count, package):
    return [
        Mutant(package, "f", "constant", str(n), str(n + 1), 0, (1, 1, 1), (), 0, True)
        for n in range(count)
    ]


def test_a_sample_is_stratified_and_a_larger_one_holds_it():
    population = {"a": made_up(100, "a"), "b": made_up(300, "b"), "c": made_up(7, "c")}
    drawn = sample(population, 40, seed=1)
    assert {name: len(found) for name, found in drawn.items()} == {"a": 10, "b": 30, "c": 1}
    assert sample(population, 40, seed=1) == drawn
    assert sample(population, 40, seed=2) != drawn
    larger = sample(population, 80, seed=1)
    assert all(set(drawn[name]) < set(larger[name]) for name in drawn)


def test_a_mutant_is_drawn_as_often_as_any_other():
    population = {"a": made_up(20, "a")}
    counts = dict.fromkeys(range(20), 0)
    for seed in range(400):
        for mutant in sample(population, 5, seed)["a"]:
            counts[int(mutant.before)] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 0.01


@pytest.mark.parametrize(("killed", "cases"), [(0, 10), (9, 10), (10, 10), (571, 600)])
def test_the_interval_of_a_share_is_where_the_exact_tails_are(killed, cases):
    low, high = report.share(killed, cases)
    assert (
        (low == 0)
        if killed == 0
        else stats.binom.sf(killed - 1, cases, low) == (pytest.approx(0.025))
    )
    assert (
        (high == 1)
        if killed == cases
        else stats.binom.cdf(killed, cases, high) == (pytest.approx(0.025))
    )


def test_the_first_and_the_last_outcome_of_a_mutant_are_counted():
    drawn = made_up(4, "a")
    outcomes = [(0, "killed"), (1, "survived"), (2, "anew"), (2, "endless"), (3, "survived")]
    entries = [{"mutant": drawn[n].name, "outcome": found} for n, found in outcomes]
    entries.append({"mutant": drawn[1].name, "outcome": "killed"})
    found = report.tally("a", 9, drawn, entries)
    assert (found.mutants, found.drawn, found.first) == (9, 4, 2)
    assert (found.killed, found.endless, found.survived) == (2, 1, 1)
    assert report.untried({"a": drawn}, entries) == []
    assert report.untried({"a": drawn}, entries[:3]) == [drawn[2].name, drawn[3].name]


@pytest.mark.parametrize(
    ("work", "outcome"),
    [
        (lambda: 0, SURVIVED),
        (lambda: 1, KILLED),
        (lambda: [][0], KILLED),
        (lambda: sys.exit(0), KILLED),
    ],
)
def test_what_becomes_of_a_process_is_told(work, outcome):
    assert forked(work, 5) == outcome


def test_a_process_that_computes_for_ever_is_ended():
    def work():
        while True:
            pass

    began = time.process_time()
    assert forked(work, 0.0) == ENDLESS
    assert time.process_time() - began < 5


def one(module, text):
    return next(mutant for mutant in mutants.mutants(module) if text in mutant.name)


def test_functions_that_others_hold_get_the_code_of_the_mutant(module):
    parts = importlib.import_module(module)
    held = parts.clip
    assert held([7, -1, 2, -3]) == [2, 0]
    mutant = one(module, "max -> min")
    assert exchange(mutant.tree(), str(mutants.file(module)), functions())
    assert held([7, -1, 2, -3]) == [0, -3]


def test_what_an_import_computes_is_not_exchanged(module):
    importlib.import_module(module)
    mutant = one(module, "<module>: 3 -> 4")
    assert not exchange(mutant.tree(), str(mutants.file(module)), functions())


def test_a_module_is_imported_as_the_mutant(module, monkeypatch):
    mutant = one(module, "<module>: 3 -> 4")
    monkeypatch.setattr(sys, "meta_path", [Instead(module, mutant.tree()), *sys.meta_path])
    parts = importlib.import_module(module)
    assert (parts.LIMIT, parts.__file__) == (4, str(mutants.file(module)))


TESTS = """
import pytest
from small.parts import clip

@pytest.fixture(scope="module")
def shared():
    return clip([0, 9])

def test_nothing():
    assert True

def test_first(shared):
    assert shared == [9]

def test_second(shared):
    assert shared

def test_refused():
    with pytest.raises(ValueError):
        clip([], 5)
"""


@pytest.mark.slow
def test_tests_that_reach_a_line_are_tried_and_no_others(module, tmp_path):
    file = tmp_path / "test_parts.py"
    file.write_text(TESTS)
    out = tmp_path / "map.json"
    assert forked(lambda: trace([str(file)], [mutants.file(module)], out)) == SURVIVED
    found = Map(out)
    names = [name.partition("::")[2] for name in json.loads(out.read_text())["seconds"]]
    assert names == ["test_nothing", "test_first", "test_second", "test_refused"]

    def tried(text):
        return {name.partition("::")[2] for name in found.chosen(one(module, text), anew=False)}

    assert tried("max -> min") == {"test_first", "test_second"}  # the fixture is set up once
    assert tried("> LIMIT -> low >=") == {"test_first", "test_second", "test_refused"}
    assert tried("raise ValueError") == {"test_refused"}
    users = {"test_first", "test_second", "test_refused"}
    assert tried("self.first + self.second ->") == users  # perhaps by way of what it computes
    assert tried("<module>: 3 -> 4") == users


def test_what_an_import_computes_is_tried_on_tests_that_may_read_it(module, tmp_path):
    own = str(mutants.file(module))
    tests = [f"{own}::example", "test_a.py::user", "test_a.py::reader", "test_a.py::other"]
    reached = {f"{own}:9": [1], "other.py:9": [0, 3]}
    noted = {"seconds": dict.fromkeys(tests, 0.1), "reached": reached}
    (tmp_path / "map.json").write_text(json.dumps(noted))
    found, mutant = Map(tmp_path / "map.json"), one(module, "<module>: 3 -> 4")
    assert set(found.chosen(mutant, anew=True)) == set(tests[:3])
    assert found.chosen(mutant, anew=False) == ["test_a.py::user"]


@pytest.mark.slow
def test_tests_that_fail_as_they_are_stop_the_run(tmp_path):
    file = tmp_path / "test_bad.py"
    file.write_text("def test_bad():\n    assert False\n")
    assert forked(lambda: collect([str(file)], lambda items: False)) == KILLED
    assert forked(lambda: trace([str(file)], [], tmp_path / "map.json")) == KILLED


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("import reactivate.attacks.pgd", True),
        ("def f():\n    from reactivate.attacks import pgd", True),
        ("from reactivate.attacksome import pgd", False),
        ("import reactivate.smoothing", False),
    ],
)
def test_a_file_uses_a_package_that_it_imports(tmp_path, text, used):
    path = tmp_path / "test_it.py"
    path.write_text(text)
    assert uses(path, "reactivate.attacks") == used


def test_every_equivalent_mutant_has_a_reason():
    assert all(len(reason.split()) > 3 for reason in report.equivalent().values())
