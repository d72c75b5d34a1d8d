"""Configurations in which something was changed at random: each is accepted, or its mistake named.

Nothing else may come of them: no traceback, no crash, no long wait.
"""

import copy
import random
import time
from pathlib import Path

import pytest
import yaml
from reactivate.experiment import loading
from reactivate.experiment.catalog import catalog, entries, weights
from reactivate.experiment.resources import RESOURCES, Rules
from reactivate.foundation.bounded_yaml import MOST_DEPTH
from reactivate.foundation.configuration import read_yaml, validate

SECONDS = 5  # of the processor, for one
WORDS = (
    *("", "x", "../x", "a b", "$(touch x)", "; touch x", "'", "{column}", "{0.__class__}", "*"),
    *("a" * 500, "ü", "\0", "\n", "1", "nan", "relu", "document", "default", "--help"),
    *("{x:9999999}", "{sigma:9999999}"),
)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 0.5, float("nan"), float("inf"), 1e308, 1e-300, 10**30, -(10**30))
OTHERS = (
    *(None, True, [], {}, [[]], [{}], [1, 2, 3], ["x"], {1: 2}, {None: None}, {"kind": "x"}),
    *({"each": 1}, {"each": {}}, {"like": "x"}, {"each": [1], "named": "{x}"}),
)
NONSENSE = (*WORDS, *NUMBERS, *OTHERS)


def places(node, above=()):
    """The keys that lead to every value."""
    children = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in children:
        yield (*above, key)
        if isinstance(value, dict | list):
            yield from places(value, (*above, key))


def places_in(files):
    """Places inside files; that each is a mapping is made sure of when it is read."""
    return [place for place in places(files) if len(place) > 1]


def value_at(data, keys):
    for key in keys:
        data = data[key]
    return data


def change(data, known, chance):
    """Puts nonsense, or something from elsewhere, into a place, or renames or removes it."""
    place, other = chance.choice(known), chance.choice(known)
    try:
        holder, elsewhere = value_at(data, place[:-1]), value_at(data, other)
        if isinstance(holder, str) or (isinstance(holder, dict) and place[-1] not in holder):
            return  # an earlier change was above it
        what = chance.random()
        if what < 0.6:
            holder[place[-1]] = copy.deepcopy(chance.choice(NONSENSE))
        elif what < 0.75 and isinstance(holder, dict):
            holder[chance.choice((*WORDS, *NUMBERS, None))] = holder.pop(place[-1])
        elif what < 0.85:
            del holder[place[-1]]
        else:
            holder[place[-1]] = copy.deepcopy(elsewhere)
    except (KeyError, IndexError, TypeError):  # an earlier change was above it
        return


class Changed:
    """The files of a project as somebody changed them, in memory."""

    def __init__(self, patch):
        self.files = {}
        for module in (loading, entries):
            patch.setattr(module, "read_yaml", self.read)

    def read(self, path):
        name = path.as_posix()
        found = next((data for end, data in self.files.items() if name.endswith(end)), None)
        return read_yaml(path) if found is None else found


def try_out(load, chance, data, known):
    """Whether changed data is accepted; only a mistake that is named is fine beside."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        change(data, known, chance)
    started = time.process_time()
    try:
        load()
    except ValueError:
        accepted = False
    else:
        accepted = True
    assert time.process_time() - started < SECONDS
    return accepted


@pytest.fixture
def changed(monkeypatch):
    """Files in memory; what tables of names learn from them is forgotten."""
    for registry in (loading.ACTIVATIONS, loading.MODELS, loading.PARAMETERIZATIONS):
        monkeypatch.setattr(registry, "targets", registry.targets.copy())
    yield Changed(monkeypatch)
    loading.forget()
    entries.forget()


def paper_files(paper):
    files = sorted((loading.PAPERS / paper).glob("*.yaml"))
    return {file.as_posix(): read_yaml(file) for file in files}


def fuzz_paper(changed, paper, tries, seed):
    chance = random.Random(seed)
    files = {name: data for name, data in paper_files(paper).items() if "weights" not in name}
    known = places_in(files)

    shared = [name for name in files if name.endswith("datasets.yaml")]  # kept by their date
    before = [files[name] for name in shared]

    def load():
        nonlocal before
        now = [changed.files[name] for name in shared]
        if now != before:
            entries.forget()
            before = now
        loading.forget()
        loading.load_paper(paper)
        loading.load_paper_scales(paper)

    accepted = 0
    for _ in range(tries):
        changed.files = copy.deepcopy(files)
        accepted += try_out(load, chance, changed.files, known)
    return accepted


LONG = {"thesis": [pytest.mark.slow]}  # takes as long as all others


@pytest.mark.parametrize(
    "paper", [pytest.param(name, marks=LONG.get(name, [])) for name in loading.paper_names()]
)
def test_a_changed_paper_is_named_or_accepted(changed, paper):
    accepted = fuzz_paper(changed, paper, 40, seed=22)
    assert 0 < accepted < 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "tries"),
    [("psc", 2400), ("gmp", 2400), ("crelu", 2200), ("iieu", 2000), ("thesis", 1000)],
)
def test_thousands_of_changed_papers_are_named_or_accepted(changed, paper, tries):
    assert fuzz_paper(changed, paper, tries, seed=2022) > tries // 100


def load_weights():
    for name in weights.weight_sets():
        weights.weight_set(name)


def load_scales():
    loading.load_scales.cache_clear()
    loading.load_scales()


CATALOGS = [
    ("config/datasets.yaml", catalog.catalog),
    ("config/papers/crelu/weights.yaml", load_weights),
    ("config/scales.yaml", load_scales),
]


@pytest.mark.parametrize(("file", "load"), CATALOGS, ids=[file for file, _ in CATALOGS])
def test_a_changed_catalog_is_named_or_accepted(changed, file, load):
    chance = random.Random(7)
    written = {file: read_yaml(Path(file))}
    known = places_in(written)

    def load_anew():
        entries.forget()
        load()

    accepted = 0
    for _ in range(400):
        changed.files = copy.deepcopy(written)
        accepted += try_out(load_anew, chance, changed.files, known)
    assert 0 < accepted < 400


def test_changed_resources_are_named_or_accepted():
    chance = random.Random(8)
    written = read_yaml(RESOURCES)
    known = list(places(written))
    for _ in range(400):
        data = copy.deepcopy(written)
        try_out(lambda data=data: validate(Rules, data, RESOURCES), chance, data, known)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "inside more than"),
        ("{a: " * 100_000, "inside more than"),
        ("- " * 5000 + "x", "inside more than"),
        ("\n".join(" " * n + f"k{n}:" for n in range(1000)), "inside more than"),
        ("a: " + "x" * 3_000_000, "3000003 characters; accepted: up to"),
        ("a: &a [x, x]\n" + "".join(
            f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9)
        ), "when its aliases are written out"),
        ("a: &a [*a]", r"\*a names nothing above it"),
        ("a: !!python/object/apply:os.system ['touch x']", "could not determine a constructor"),
        ("a: \0", "special characters are not allowed|unacceptable character"),
        ("a: [1", "expected"),
        ("a: 1\na: 2", "written twice"),
        ("- 1", "accepted: a mapping"),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_yaml_that_would_crash_or_fill_a_process_is_named(tmp_path, text, said):
    file = tmp_path / "hostile.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_yaml(file)


def test_what_is_just_within_the_limits_is_read(tmp_path):
    file = tmp_path / "deep.yaml"
    file.write_text("a: " + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1), encoding="utf-8")
    assert read_yaml(file)["a"]
    file.write_text("a: &a {x: 1}\nb: {x: 1, y: *a}", encoding="utf-8")
    assert read_yaml(file)["b"] == yaml.safe_load("{x: 1, y: {x: 1}}")
