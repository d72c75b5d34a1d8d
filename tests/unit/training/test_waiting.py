"""No step waits for the device: on the meta device, where a read raises, every step goes through.

Copies to the device must be posted, not waited for; the trace tells them apart.
"""

from functools import partial

import pytest
import torch
from reactivate.activations import ACTIVATIONS
from reactivate.datasets.images import ImageData
from reactivate.defences.standardise import Standardised
from reactivate.experiment.recipes import Pruning
from reactivate.layers import PARAMETERIZATIONS
from reactivate.models import MODELS
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.sampling import Sampling, sum_votes
from reactivate.training.classification import Classification, all_scores
from reactivate.training.defending.setup import make_defence
from reactivate.training.defending.strategy import Defending
from reactivate.training.inputs import ALONE, MemoryInputs
from reactivate.training.observing.weights import WeightSums, weight_layers
from reactivate.training.pruning.callback import PruningWhileTraining
from reactivate.training.schedules import Clock
from reactivate.training.strategies import CrossEntropy
from reactivate.training.tracing import count, traced
from reactivate.training.trainer import Trainer

META = torch.device("meta")
IMAGES, CLASSES, SIDE = 24, 3, 32
AUGMENTATIONS = {
    "none": {},
    "crop_and_flip": {"padding": 4, "flip": 0.5},
    "shift_and_turn": {"shift": 2, "degrees": 10.0},
    "operations": {
        "rand_augment": {"layers": 2, "magnitude": 7.0, "deviation": 0.5, "probability": 1.0}
    },
    "colours_and_rectangles": {"lighting": 0.1, "erasing": {"probability": 0.5, "count": 2}},
}
DEFENCES = [
    {"name": "std"},
    {"name": "noise", "sigma": 0.25},
    {"name": "fgsm", "epsilon": 8.0},
    {"name": "pgd", "epsilon": 8.0, "step": 4.0, "steps": 2, "start": "gaussian"},
    {"name": "pgd", "epsilon": 8.0, "step": 4.0, "steps": 2, "start": "uniform", "norm": "l2"},
    {"name": "smoothadv", "sigma": 0.2, "epsilon": 0.5, "steps": 2, "copies": 2, "warm_up": 3},
    {"name": "smoothmix", "sigma": 0.2, "step": 0.5, "steps": 1, "copies": 2, "eta": 5.0}
    | {"warm_up": 3},
    {"name": "consistency", "sigma": 0.2, "weight": 5.0, "entropy": 0.5, "copies": 2},
    *(
        {"name": "scrfp2", "sigma": 0.2, "eta": 0.1, "paths": paths, "protocol": protocol}
        for paths in ("float", "fixed")
        for protocol in ("document", "authors_code")
    ),
]


class Stream(torch.Generator):
    """A random stream that can also be asked for on the meta device, as on a GPU."""

    def __new__(cls, device="cpu"):
        meta = torch.device(device) == META
        stream = super().__new__(cls, "cpu" if meta else device)
        stream.place = torch.device(device)
        return stream

    @property
    def device(self):
        return self.place


@pytest.fixture(autouse=True)
def streams_for_meta(monkeypatch):
    monkeypatch.setattr(torch, "Generator", Stream)


def network_on_meta(network="vgg16", **arguments):
    width = arguments.pop("width", 0.05)
    return MODELS.load(network)(width=width, classes=CLASSES, **arguments).to(META)


def trainer(recipe, network, strategy=None, callbacks=(), **changes):
    images = torch.randint(256, (IMAGES, 3, SIDE, SIDE), dtype=torch.uint8)
    labels = torch.arange(IMAGES) % CLASSES
    settings = recipe(**changes)
    inputs = MemoryInputs(ImageData(images, labels, images, labels), settings, ("a", 0), META)
    clock = Clock(3, 3, 3)
    task = Classification(strategy or CrossEntropy())
    made = Trainer(network, inputs, settings, 0.1, clock, ("a", 0), ALONE, task, callbacks)
    for callback in callbacks:
        callback.on_start(made)
    made._resume()
    return made


def assert_never_waits(made):
    """Trains an epoch of three steps; only after it does anything read the device."""
    with traced() as trace:
        _, totals = made._train(1)
    assert made.step == 3
    assert "convolution" in trace.kernels
    assert trace.waits == 0
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        totals.over_all()
    return trace


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ACTIVATIONS.targets))
def test_no_step_with_any_activation_waits(recipe, name):
    network = "resnet14" if name.startswith("iieu") else "vgg16"
    made = network_on_meta(network, activation=name, parameterization="bn")
    assert_never_waits(trainer(recipe, made))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PARAMETERIZATIONS.targets))
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_no_step_with_any_parameterization_waits(recipe, name, optimizer):
    settings = {"name": optimizer, "weight_decay": 0.01}
    settings |= {"momentum": 0.9} if optimizer == "sgd" else {}
    made = network_on_meta(parameterization=name)
    assert_never_waits(trainer(recipe, made, optimizer=settings))


@pytest.mark.parametrize("name", AUGMENTATIONS)
def test_no_augmentation_waits(recipe, name):
    made = trainer(recipe, network_on_meta(), augmentation=AUGMENTATIONS[name])
    assert_never_waits(made)


@pytest.mark.slow
@pytest.mark.parametrize("defence", DEFENCES, ids=lambda d: "-".join(map(str, d.values())))
def test_no_step_of_any_defence_waits(recipe, defence):
    inner = network_on_meta(parameterization="bn")
    network = Standardised([0.5] * 3, [0.2] * 3, inner).to(META)
    settings = recipe(defence=defence)
    made = trainer(recipe, network, Defending(make_defence(settings)), defence=defence)
    made.inputs.normalise = type(made.inputs.normalise)((0.0,) * 3)
    trace = assert_never_waits(made)
    assert "_assert_async" in trace.kernels  # pixels are looked at on the device


def test_no_step_between_two_prunings_waits(recipe):
    pruning = {"blend": "entropy_weighted", "sparsity": 0.5, "every": 9, "fine_tune": 1}
    callback = PruningWhileTraining(Pruning(**pruning))
    made = network_on_meta(parameterization="bn")
    assert_never_waits(trainer(recipe, made, callbacks=[callback]))


def test_sums_of_weights_and_gradients_are_kept_where_the_network_is():
    network = network_on_meta()
    weights = list(weight_layers(network).values())
    sums = WeightSums(weights)
    for weight in weights:
        weight.grad = torch.ones_like(weight)
    with traced() as trace:
        sums.add(weights)
    assert trace.waits == 0
    assert {buffer.device for name, buffer in sums.named_buffers() if name != "steps"} == {META}


@pytest.mark.parametrize("variant", ["plain", "document", "authors_code", "sound"])
def test_no_batch_of_a_certificate_waits_and_votes_stay_on_the_device(variant):
    network = streamlined(network_on_meta(parameterization="bn"))
    base = Plain(network) if variant == "plain" else Repressed(network, 0.1, variant)
    x = torch.zeros(3, SIDE, SIDE, device=META)
    with traced() as trace:
        total = sum_votes(base, x, 0.25, 450, ["test"], 200)
    assert total.shape == (CLASSES,)
    assert total.device == META
    assert "randn" in trace.kernels
    assert trace.waits == 0
    assert trace.posted == []


@pytest.mark.parametrize(("skip_wrong", "reads"), [(False, [2 * 3 * 8]), (True, [3 * 8, 3 * 8])])
def test_an_image_is_read_once_or_twice_where_wrong_ones_are_skipped(skip_wrong, reads):
    base = Plain(streamlined(network_on_meta(parameterization="bn")))
    image = torch.rand(3, SIDE, SIDE)
    sampling = Sampling(0.25, n0=100, n=1000)

    def certify():
        certify_image(base, image, 0, 0, sampling, skip_wrong=skip_wrong)

    trace = count(certify)
    assert trace.reads == reads  # counts of three classes, eight bytes each
    assert trace.sends == []
    assert trace.posted == [image.numel() * 4]


def test_scores_of_all_batches_are_read_together(recipe):
    made = trainer(recipe, network_on_meta())
    made.inputs.data = made.inputs.data.to(META)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made.inputs, "measured", partial(made.inputs.measured, size=5))
        trace = count(lambda: all_scores(made, "test"))
    assert trace.kernels.count("addmm") >= 5  # batches
    assert trace.reads == [IMAGES * CLASSES * 4, IMAGES * 8]


def test_the_trace_sees_what_waits():
    """A loop as in a tutorial waits for its loss, its accuracy and two of three copies."""
    network = network_on_meta()
    images, labels = torch.rand(4, 3, SIDE, SIDE), torch.arange(4) % CLASSES

    def step():
        x, y = images.to(META), labels.to(META, non_blocking=True)
        scale = torch.tensor([2.0], device=META)
        scores = network(x * scale)
        loss = torch.nn.functional.cross_entropy(scores, y)
        loss.backward()
        right = (scores.argmax(1) == y).sum().item()
        return loss.item(), right

    trace = count(step)
    assert len(trace.sends) == 2
    assert len(trace.posted) == 1
    assert trace.reads == [8, 4]
    with pytest.raises(RuntimeError, match="meta tensors"), traced():
        step()
