"""What the library does otherwise is told where it matters: by `open` of recipes, or a claim."""

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest
from reactivate.activations.coupler import DynamicCoupler
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_paper
from reactivate.models import MODELS

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow" / "reactivate"

# docstring with a section "Departs from": paper, recipes, key of their `open`, and words of it
IN_RECIPES = {
    "activations/iieu.py:IIEUB": ("iieu", "cfg_* cifar100", "epsilon", "k times that"),
    "models/mobile.py:mobilenet_v2": ("iieu", "cfg_1 cfg_l cfg_c*", "mobilenet_v2", "ReLU6"),
    "datasets/rand_augment.py:RandAugment": ("iieu", "*_code", "interpolation", "bilinear"),
    "detection/retinanet.py:RetinaNet": ("iieu", "mmdetection_1x", "losses", "each picture"),
    "activations/annealed.py:AnnealedGate": ("psc", "cifar", "relaxation", "Gumbel"),
    "models/psc_resnet.py:PscResNet": ("psc", "cifar", "experiment", "ours"),
    "models/convpool.py:ConvPool": ("crelu", "convpool*", "dropout", "does not print it"),
    "models/allcnn.py:AllCNN": ("crelu", "allcnn_adam", "layers", "500 filters"),
    "attacks/pgd.py:pgd": ("thesis", "defend_*", "attacks", "after every step"),
    "defences/adversarial.py:FgsmTraining": ("thesis", "defend_*", "attacks", "statistics"),
    "defences/scrfp2.py:Scrfp2Training": ("thesis", "scrfp2_*", "algorithm", "noisy image"),
    "defences/smoothadv.py:SmoothAdvTraining": ("thesis", "*_smoothadv_*", "attack", "random"),
    "defences/smoothmix.py:SmoothMixTraining": ("thesis", "*_smoothmix_*", "attack", "one step"),
    "smoothing/bases.py:Repressed": (
        *("thesis", "smooth_* scrfp2_* imagenet_smooth_*", "prediction"),
        "how its streams start",
    ),
}
# the same of what no recipe trains with: paper, and words of its configuration
ELSEWHERE = {
    "activations/gate.py:PhaseGate": ("psc", "with the sum over j <= i"),
    "patterns/paths.py:path_change": ("thesis", "defines that change as the rest"),
    "patterns/stability.py:Stability": ("thesis", "the formula of the fixed neurons prints"),
    "patterns/lipschitz.py:layer_bounds": ("thesis", "the size of the slope is meant"),
    "reconstruction/algorithms.py:reconstruct": ("crelu", "taken off the responses"),
    "reconstruction/algorithms.py:reconstruct_pooled": ("crelu", "taken off the responses"),
    "documents/gmp/figure1.py:perturbed": ("gmp", "arccos loses the sign"),
}
NARROW = {"activations/coupler.py:DynamicCoupler"}  # see the last test


def departures():
    """Classes and functions whose docstring tells of a departure."""
    for path in sorted(LIBRARY.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            owns = isinstance(node, ast.ClassDef | ast.FunctionDef)
            if owns and "Departs from" in (ast.get_docstring(node) or ""):
                yield f"{path.relative_to(LIBRARY).as_posix()}:{node.name}"


def test_every_departure_has_a_place_where_it_is_told():
    assert sorted(departures()) == sorted([*IN_RECIPES, *ELSEWHERE, *NARROW])


@pytest.mark.parametrize("departure", IN_RECIPES)
def test_recipes_tell_of_it_in_what_they_leave_open(departure):
    paper, patterns, key, words = IN_RECIPES[departure]
    recipes = load_paper(paper).recipes
    found = [n for n in recipes if any(fnmatch(n, pattern) for pattern in patterns.split())]
    assert found
    assert [name for name in found if words not in recipes[name].open.get(key, "")] == []


@pytest.mark.parametrize("departure", ELSEWHERE)
def test_the_configuration_tells_of_it(departure):
    paper, words = ELSEWHERE[departure]
    files = sorted((ROOT / "config" / "papers" / paper).glob("*.yaml"))
    assert any(words in path.read_text(encoding="utf-8") for path in files)


def test_recipes_that_train_iieu_tell_of_its_epsilon():
    runs = Experiment.load("paper").exhibits("iieu")
    cells = [run.cell(place).cell for run in runs for place in run.places]
    used = {cell.recipe for cell in cells if cell.activation.startswith("iieu")}
    scenes = {"mmdetection_1x", "kitti_materials"}  # start from networks of cfg_1
    recipes = load_paper("iieu").recipes
    assert {name for name in used if "epsilon" in recipes[name].open} == used - scenes
    assert {recipes[name].backbone.recipe for name in scenes} == {"cfg_1"}


@pytest.mark.parametrize(("network", "reduction"), [("mobilenet_v2", 4), ("resnet14", 16)])
def test_couplers_of_printed_widths_have_as_many_units_as_the_authors(network, reduction):
    """Two at least, where the authors' code divides: the same unless a scale narrows a network."""
    couplers = [
        module
        for module in MODELS.load(network)("iieu_dc").modules()
        if isinstance(module, DynamicCoupler)
    ]
    assert couplers
    for coupler in couplers:
        assert coupler.squeeze.out_features == coupler.squeeze.in_features // reduction >= 2
