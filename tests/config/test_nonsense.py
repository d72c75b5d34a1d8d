"""Nonsense in the configuration is named; every number has bounds, and every key a form."""

import pickle
from functools import cache

import pytest
from reactivate.experiment import loading
from reactivate.experiment.arithmetic import Arithmetic
from reactivate.experiment.catalog.catalog import KINDS
from reactivate.experiment.catalog.weights import WeightSet, weight_set, weight_sets
from reactivate.experiment.costs.analysing import Analysed
from reactivate.experiment.costs.limits import LimitRule
from reactivate.experiment.costs.machines import Machine
from reactivate.experiment.metrics import MetricEntry
from reactivate.experiment.paper import Paper
from reactivate.experiment.resources import Rules
from reactivate.experiment.scales import PaperScale, Scale
from reactivate.experiment.seeds import RaisedSeeds

FORMS = (
    Paper,
    PaperScale,
    RaisedSeeds,
    Scale,
    *KINDS.values(),
    WeightSet,
    MetricEntry,
    Rules,
    Arithmetic,
    Machine,
    Analysed,
    LimitRule,
)
NAN, INF = float("nan"), float("inf")
SWEEP = "gmp recipes.document"
VGG, WARM = "crelu recipes.vgg", "iieu recipes.cfg_1"
NONSENSE = {  # paper and place: values that are none of it
    f"{SWEEP}.lr.default": [-1, 0, NAN, INF, 1e9, True, "0.1"],
    f"{SWEEP}.optimizer.epsilon": [-1e-8, 0, NAN, INF],
    f"{SWEEP}.batch_size": [0, -1, 1.5, "half", 10**30],
    f"{SWEEP}.splits.test_fraction": [1e-7, 0, 1, -0.2, NAN],
    f"{SWEEP}.splits.validation_fraction": [-0.1, 1, NAN],
    f"{SWEEP}.splits.seeds": [0, -3, 10**30, 1.5],
    f"{SWEEP}.epochs": [0, 10**12, -1],
    f"{SWEEP}.plateau": [{"factor": 2.0, "patience": 50, "min_delta": 0.1}],
    f"{SWEEP}.plateau.min_delta": [-1.0, NAN, INF],
    f"{SWEEP}.plateau.patience": [0],
    f"{SWEEP}.batch_norm.momentum": [0.0, 1.1, NAN],
    f"{SWEEP}.batch_norm.epsilon": [-1.0, INF],
    f"{VGG}.lr.default": [-0.1, NAN, INF],
    f"{VGG}.optimizer.momentum": [1.0, -0.1, NAN],
    f"{VGG}.optimizer.weight_decay": [-1e-4, INF],
    f"{VGG}.schedule.at": [[50, 25], [25, 25], [0, 25], [-5], [], [10**30]],
    f"{VGG}.schedule.factor": [0, 1, NAN, -0.5],
    f"{VGG}.batch_size": [0, -1, 2**40],
    f"{VGG}.epochs": [0, -1, 1e3],
    f"{VGG}.augmentation.flip": [-0.1, 1.1, NAN],
    f"{VGG}.augmentation.shift": [-1, 1.5],
    f"{VGG}.seeds": [0],
    f"{WARM}.warm_up.lr": [-1.0, INF],
    f"{WARM}.label_smoothing": [1.0, -0.1, NAN],
    f"{WARM}.schedule.final": [0, -1e-5, NAN],
    f"{WARM}.pictures.size": [0, 10_000],
    "thesis recipes.imagenet_smooth.each.defence.sigma": [[INF], [-0.5], [0], [NAN]],
    "thesis recipes.pruned.pruning.fine_tune": [-1, 200],
    "thesis measurements.pgd_8_accuracy.attack.epsilon": [0, -8, NAN, INF],
    "thesis measurements.pgd_8_accuracy.attack.steps": [0, 10**12],
    "thesis measurements.plain.radii": [[-0.25, 0.5], [], [NAN], [INF]],
    "thesis measurements.plain.alpha": [0, 1, -0.1, NAN],
    "thesis measurements.plain.n": [0, 1, 10**30],
    "thesis observations.fcnn.breakpoints.relu": [[[1.0, 0.0]], [[NAN]], [[]]],
    "crelu models.convpool.arguments": [
        {"input_dropuot": 0.2},
        {"dropout": NAN},
        {"dropout": INF},
        {"dropout": {}},
        {"; touch x": 1},
    ],
    "crelu models.convpool.width": [0, -1, NAN, INF],
    "iieu models.cifar_resnet56_affine.options": [{"shfit": "affine"}, {"shift": NAN}],
}


def joined_files(folder):
    """What the files of a paper say together, to be changed."""
    return pickle.loads(_joined(folder))


@cache
def _joined(folder):
    return pickle.dumps(loading.joined_files(folder))


@pytest.mark.parametrize("place", NONSENSE)
def test_nonsense_is_named_with_its_place(place):
    paper, keys = place.split()
    *above, last = keys.split(".")
    for value in NONSENSE[place]:
        folder = loading.PAPERS / paper
        data, homes = joined_files(folder)
        holder = data
        for key in above:
            holder = holder[key]
        holder[last] = value
        with pytest.raises(ValueError, match=r"^config/papers/.*yaml: ") as error:
            loading.written_paper(folder, data, homes)
        assert above[1].split("_")[0] in str(error.value), error.value


@pytest.mark.parametrize("key", ["x; touch y", "../x", "", "A", "x" * 101, "$(touch y)", "x y"])
def test_a_key_that_could_be_more_than_a_name_is_refused(key):
    for section, known in (
        ("recipes", "fcnn"),
        ("models", "mlp_3x64"),
        ("measurements", "fgsm_8"),
        ("exhibits", "table5_1"),
        ("claims", "nep_is_best"),
        ("protocols", "document"),
    ):
        folder = loading.PAPERS / "thesis"
        data, homes = joined_files(folder)
        data[section][key] = data[section][known]
        homes[section, key] = folder / "paper.yaml"
        with pytest.raises(ValueError, match=r"cannot be part of a result path|have at most 100"):
            loading.written_paper(folder, data, homes)


@pytest.mark.parametrize("key", ["x; touch y", "../x", "$(touch y)"])
def test_weights_have_names_too(project, key):
    file = project / "config/papers/crelu/weights.yaml"
    text = file.read_text(encoding="utf-8")
    assert weight_sets()
    file.write_text(f"{text}\n{key!r}: {{}}\n", encoding="utf-8")
    assert not weight_sets()  # nothing of that file is used
    with pytest.raises(ValueError, match="cannot be part of a result path"):
        weight_set(key)


def mappings(node, place=""):
    """Every mapping of a JSON schema, with its place."""
    if isinstance(node, dict):
        yield place, node
    children = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in children:
        if isinstance(value, dict | list):
            yield from mappings(value, f"{place}.{key}")


def has_bounds(node):
    return all(f"m{end}" in node or f"exclusiveM{end}" in node for end in ("inimum", "aximum"))


@pytest.mark.parametrize("form", FORMS)
def test_every_number_has_bounds_and_every_key_a_form(form):
    for place, node in mappings(form.model_json_schema()):
        assert node.get("type") not in ("integer", "number") or has_bounds(node), place
        assert not node.get("additionalProperties") or "propertyNames" in node, place
