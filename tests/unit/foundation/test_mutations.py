"""A change of meaning changes the digests of exactly those exhibits that use what was changed.

Python's own :mod:`modulefinder` says which modules an exhibit imports; what it takes from tables
of names, and which printed numbers a check reads, is written here by hand.
"""

import shutil
from contextlib import chdir
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

import pytest
from reactivate.activations import ACTIVATIONS
from reactivate.defences import DEFENCES
from reactivate.experiment import experiment as experiments
from reactivate.experiment.exhibits import OfObservations, Quoted
from reactivate.experiment.experiment import Experiment, printed_digests
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.foundation import digests
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
OTHERS = ("torch", "numpy", "pandas", "scipy", "matplotlib", "pydantic", "yaml", "safetensors")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of code and configuration that a test may edit."""
    folder = tmp_path_factory.mktemp("mutated")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("workflow", "config"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    before = digests.ROOT
    digests.ROOT = folder / "workflow"
    with chdir(folder):
        forget()
        yield folder
    digests.ROOT = before
    forget()


def forget():
    experiments.forget()
    digests.forget()
    targets.cache_clear()


@cache
def targets():
    """All code of every exhibit and check: what is trained, measured, computed, drawn."""
    every = Experiment.load("paper")
    found = {}
    for paper in paper_names():
        for name, form in load_paper(paper).exhibits.items():
            exhibit = every.exhibit(paper, name)
            jobs = set()
            for place in exhibit.places:
                cell = exhibit.cell(place)
                observed = isinstance(form, OfObservations) and form.kind == "observed"
                jobs.add(cell.modules("observe" if observed else None))
                if place.measurement is not None:
                    jobs.add(cell.modules(cell.measurement(place.measurement).stage))
            if not isinstance(form, Quoted) and getattr(form, "function", None):
                jobs |= {exhibit.modules("analyse"), exhibit.modules("plot")}
            found[f"{paper}/{name}"] = tuple(sorted(jobs))
        for claim, target in load_paper(paper).checked.items():
            found[f"{paper}#{claim}"] = (("reactivate.stages.check", target),)
    return found


def digested():
    """The digests of every exhibit and check, with those of the printed numbers that they read."""
    digests.forget()
    found = {}
    for name, jobs in targets().items():
        found[name] = [digests.code_digest(*job) for job in jobs]
        if "#" in name:
            found[name].append(printed_digests(name.partition("#")[0], jobs[0][1]))
    return found


@pytest.fixture(scope="module")
def before(project):
    return digested()


# What code of the documents loads by name, as a reader finds it in its calls of ``load``.
RESNET, VGG = "reactivate.models.resnet", "reactivate.models.vgg"
CRELU_NETWORKS = tuple(f"reactivate.models.{n}" for n in ("convpool", "cifar_vgg", "allcnn"))
LOADS = {
    "reactivate.documents.iieu.tables3_5": (
        RESNET,
        *(f"reactivate.activations.{name}" for name in ("iieu", "acon", "smu", "erf")),
    ),
    "reactivate.documents.iieu.tables6_7": (
        RESNET,
        *(f"reactivate.activations.{name}" for name in ("iieu", "acon", "smu")),
    ),
    "reactivate.documents.crelu.tables1_5": (*CRELU_NETWORKS, "reactivate.activations.crelu"),
    "reactivate.documents.gmp.tables1_to_3_claims": (VGG,),
    # creates by keys of a table, and knows the names that pictures of all documents label
    "reactivate.documents.thesis.chapter4.figure4_2": tuple(
        f"reactivate.activations.{name}" for name in ("acon", "erf", "iieu", "smu", "swish")
    ),
}
PARAMETERIZATIONS = "reactivate.layers.parameterizations"  # of every network


@cache
def imported(module):
    """Modules of the package that a module imports, by Python's own finder."""
    finder = ModuleFinder(path=[str(ROOT / "workflow")], excludes=OTHERS)
    finder.import_hook(module)
    return frozenset(name for name in finder.modules if name.startswith("reactivate"))


@cache
def loaded(job):
    """Modules of the package that the code of a job loads, by import or by name."""
    modules = {target.partition(":")[0] for target in job}
    found = set()
    for module in (m for m in modules if m.startswith("reactivate")):
        found |= imported(module)
    for document, named in LOADS.items():
        if document in found:
            networks = any(module.startswith("reactivate.models") for module in named)
            for module in (*named, *([PARAMETERIZATIONS] if networks else [])):
                found |= imported(module)
    return found


def using(module):
    """Exhibits and checks that load a module."""
    return {n for n, jobs in targets().items() if any(module in loaded(job) for job in jobs)}


def taking(*wanted):
    """Exhibits whose cells take one of some targets from a table of names."""
    return {
        name
        for name, jobs in targets().items()
        if any(target in wanted for job in jobs for target in job)
    }


def judged_by(*modules):
    """Checks whose function is in one of some modules of the documents."""
    homes = tuple(f"reactivate.documents.{module}:" for module in modules)
    return {
        f"{paper}#{claim}"
        for paper in paper_names()
        for claim, target in load_paper(paper).checked.items()
        if target.startswith(homes)
    }


CODE = {  # file, text, what becomes of it
    "activations/__init__.py: create": ("module: nn.Module = activation(**options)", "None"),
    "activations/crelu.py: a sign": ("[x, -x]", "[x, x]"),
    "activations/iieu.py: a constant": ("operations=7", "operations=8"),
    "activations/coupler.py: a default": ("eps=1e-6", "eps=1e-5"),
    "activations/smu.py: a constant": (") / 2\n", ") / 3\n"),
    "activations/traits.py: breakpoints of tanh": (
        '"Tanh": Traits(breakpoints=(-0.5, 0.5))',
        '"Tanh": Traits(breakpoints=(-1.0, 1.0))',
    ),
    "layers/gmp.py: an operator": (" * ", " + "),
    "layers/batched/gmp.py: an initial value": ("fill_(1.0)", "fill_(1.5)"),
    "layers/batched/affine.py: a parameter": (
        "weight.flatten(0, 1)",
        "weight.flatten(0, 1).neg()",
    ),
    "layers/mean.py: a default": ("momentum: float = 0.01", "momentum: float = 0.1"),
    "layers/parameterizations.py: a default": ('name: str = "sp"', 'name: str = "wn"'),
    "models/resnet.py: depths": ("2, 2, 2, 2", "2, 2, 2, 3"),
    "models/vgg.py: a constant": ("512", "256"),
    "models/convpool.py: a constant": ("96", "95"),
    "models/residual.py: an operator": ("identity + residual if", "identity - residual if"),
    "models/flops.py: an operator": (" * ", " + "),
    "datasets/augment.py: an operator": (" - ", " + "),
    "patterns/similarity.py: an operator": (" == ", " != "),
    "patterns/entropy.py: bins": ("bins + 1, dtype", "bins + 2, dtype"),
    "patterns/__init__.py: code beside the table": ("__getattr__ =", "EDITED = 1\n__getattr__ ="),
    "smoothing/bounds.py: a constant": ("DIGITS = 6", "DIGITS = 5"),
    "pruning/blends.py: an operator": (" * ", " + "),
    "attacks/pgd.py: an operator": (" + ", " - "),
    "defences/noise.py: an operator": ("x + gaussian", "x - gaussian"),
    "reconstruction/shifts.py: an operator": (" - ", " + "),
    "training/trainer.py: a constant": ("SECONDS_BETWEEN_SNAPSHOTS = 20.0", "X = 1.0"),
    "training/adam.py: a default": ("0.999", "0.99"),
    "training/schedules.py: an operator": (" * ", " / "),
    "foundation/seeding.py: a separator": ('"/".join', '"-".join'),
    "evidence/networks.py: a default": ("workers: int = 0", "workers: int = 1"),
    "documents/shared/printed.py: an order": ("min(", "max("),
    "documents/thesis/small_networks.py: a constant": ("(2 / before)", "(1 / before)"),
    "documents/gmp/theorem3.py: an operator": (" * ", " + "),
}


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} does not hold {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text


def changed(project, before, name, old, new):
    """Exhibits and checks whose digests another text in a file changes."""
    path = project / name
    text = edit(path, old, new)
    try:
        if path.suffix == ".yaml" or path.name == "__init__.py":
            forget()
        after = digested()
    finally:
        path.write_text(text, encoding="utf-8")
        forget()
    return {key for key in before if before[key] != after.get(key)}


@pytest.mark.parametrize("place", CODE)
def test_a_change_of_code_changes_exactly_those_who_load_it(project, before, place):
    file = place.partition(":")[0]
    module = "reactivate." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    found = changed(project, before, f"workflow/reactivate/{file}", *CODE[place])
    assert found == using(module)
    assert found  # somebody does


CRELU_TABLES = "reactivate.documents.crelu.tables1_5"
NAMES = {  # a table, a name in it, and the code of the documents that loads it by that name
    "activations": (ACTIVATIONS, "crelu", CRELU_TABLES),
    "models": (MODELS, "convpool9_half", CRELU_TABLES),
    "defences": (DEFENCES, "smoothmix", None),
    "layers/batched": (BATCHED, "wn", None),
}


@pytest.mark.parametrize("package", NAMES)
def test_another_thing_behind_a_name_changes_exactly_those_who_take_it(
    project, before, package, monkeypatch
):
    registry, name, document = NAMES[package]
    target = registry.target(name)
    users = taking(target) | (using(document) if document else set())
    monkeypatch.setitem(registry.targets, name, f"{target}2")
    file = f"workflow/reactivate/{package}/__init__.py"
    assert users
    assert changed(project, before, file, f'"{target}"', f'"{target}2"') == users


UNUSED = {
    "a new activation": (
        "activations/__init__.py",
        '"relu":',
        '"new": "torch.nn:ReLU6",\n        "relu":',
    ),
    "a new network": (
        "models/__init__.py",
        '"mlp":',
        '"new": "reactivate.models.vgg:VGG16",\n        "mlp":',
    ),
    "a comment": ("training/trainer.py", "@dataclass", "# why\n@dataclass"),
    "an error message": ("foundation/errors.py", "error: ", "mistake: "),
    "the form of a recipe": ("experiment/recipes.py", "lt=1", "le=1"),
    "the looks of the audit": ("auditing/page.py", "QUALITY = 36", "QUALITY = 37"),
}


@pytest.mark.parametrize("what", UNUSED)
def test_what_nobody_uses_changes_nothing(project, before, what):
    file, old, new = UNUSED[what]
    assert changed(project, before, f"workflow/reactivate/{file}", old, new) == set()


PRINTED = {  # a number of a table, and the modules of the documents whose checks read the table
    "gmp/paper.yaml": ("3.057±0.144", "3.058±0.144", ["gmp.tables1_to_3_claims"]),
    "thesis/chapter5.yaml": (
        "98.28",
        "98.29",
        ["thesis.chapter5.experiments_claims", "thesis.chapter6.table6_1_claims"],
    ),
}


@pytest.mark.parametrize("file", PRINTED)
def test_a_printed_number_changes_exactly_the_checks_that_read_it(project, before, file):
    old, new, modules = PRINTED[file]
    found = changed(project, before, f"config/papers/{file}", f'"{old}"', f'"{new}"')
    assert found == judged_by(*modules)
