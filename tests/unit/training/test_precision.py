"""Passes have the precision that recipe and GPU allow, and float16 losses are scaled."""

from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
from reactivate.experiment.arithmetic import Arithmetic, load_arithmetic
from reactivate.training import optimizers
from reactivate.training.classification import PREDICTIONS
from reactivate.training.inputs import ALONE
from reactivate.training.precision import Precision, Scaling, choose_tf32, precision_of, uses_tf32
from safetensors.torch import load
from torch import nn

CPU, GPU, META = torch.device("cpu"), torch.device("cuda", 0), torch.device("meta")
NOISE = {"defence": {"name": "noise", "sigma": 0.25}}
HALF = Precision(torch.float16, "cpu")
SMALL = {"network": "convolutions", "parameterization": "bn", "epochs": 2}


@pytest.fixture
def gpu(monkeypatch):
    """``gpu(bfloat16, capability)``: a GPU that emulates bfloat16 where it does not have it."""

    def pretend(bfloat16, capability):
        def supported(including_emulation=True):
            return bfloat16 or including_emulation

        monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)

    return pretend


@pytest.mark.parametrize(
    ("bfloat16", "capability", "changes", "expected"),
    [
        (True, (8, 0), {}, torch.bfloat16),
        (True, (8, 0), NOISE, torch.bfloat16),
        (True, (8, 0), {"mixed_precision": False}, torch.float32),
        (False, (7, 0), {}, torch.float16),  # V100: bfloat16 would be emulated
        (False, (7, 0), NOISE, torch.float32),  # gradients of images are not scaled
        (False, (6, 1), {}, torch.float32),
    ],
)
def test_the_hardware_decides(recipe, gpu, bfloat16, capability, changes, expected):
    gpu(bfloat16, capability)
    found = precision_of(recipe(**changes), GPU)
    assert found.dtype is expected


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16])
def test_only_losses_of_float16_passes_are_scaled(kind):
    assert Scaling(Precision(kind, "cpu")).scaler.is_enabled() is (kind is torch.float16)


def test_a_cpu_computes_in_full_precision(recipe, gpu):
    gpu(True, (9, 0))
    assert precision_of(recipe(), CPU) == Precision(torch.float32, "cpu")


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16])
def test_passes_are_computed_in_the_precision_and_weights_stay(kind):
    layer = nn.Linear(4, 3)
    with Precision(kind, "cpu").passing():
        scores = layer(torch.ones(2, 4))
    assert scores.dtype is kind
    assert layer.weight.dtype is torch.float32


@pytest.mark.parametrize("keeps", [True, False])
def test_casts_are_kept_only_where_they_may_be(keeps):
    with Precision(torch.bfloat16, "cpu").passing(keeps_casts=keeps):
        assert torch.is_autocast_cache_enabled() is keeps


@pytest.fixture
def pretend(monkeypatch):
    """``pretend(dtype)``: all trainings from now on are in that precision, on the CPU."""

    def choose(kind):
        chosen = Precision(kind, "cpu")
        monkeypatch.setattr("reactivate.training.trainer.precision_of", lambda *_: chosen)

    return choose


def first_loss(run):
    run.train(ALONE, CPU, 1)
    return run.state.history[0]["train_loss"]


@pytest.mark.parametrize(
    ("kind", "tolerance"), [(torch.bfloat16, 3e-2), (torch.float16, 4e-3)], ids=["bf16", "fp16"]
)
@pytest.mark.parametrize("changes", [{}, NOISE], ids=["plain", "defended"])
def test_a_training_in_another_precision_is_near(
    project, new_run, pretend, kind, tolerance, changes
):
    """Eight and eleven bits of mantissa: relative errors of 2 ** -8 and 2 ** -11 a number."""
    exact = first_loss(new_run("exact", **SMALL, **changes))
    pretend(kind)
    near = first_loss(new_run("near", **SMALL, **changes))
    assert near == pytest.approx(exact, rel=tolerance)
    assert near != exact


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
def test_the_record_tells_device_and_precision(project, new_run, finish, pretend, kind):
    from reactivate.evidence.records import read_record

    pretend(kind)
    run = new_run("out", **SMALL)
    finish(run)
    told = read_record(run.out / "run.json").computing
    assert told.model_dump() == {
        "device": "cpu",
        "precision": str(kind).removeprefix("torch."),
        "tf32": False,
        "compiled": "none",
    }


def test_a_scaled_training_goes_on_to_the_same_bytes(
    project, new_run, finish, interrupt, pretend, monkeypatch
):
    """The scale changes twice in an epoch here, so a resumed run needs it from the snapshot."""
    pretend(torch.float16)
    made = torch.amp.GradScaler

    def growing(device, enabled):
        return made(device, init_scale=2.0**4, growth_interval=2, enabled=enabled)

    monkeypatch.setattr(torch.amp, "GradScaler", growing)
    alone = new_run("alone", **SMALL)
    whole = finish(alone)
    assert alone.trainer.scaling.scaler.get_scale() == 2.0**7  # six steps
    interrupt(new_run("parts", **SMALL), 2)
    run = new_run("parts", **SMALL)
    assert finish(run) == whole
    assert run.state.resumes == 1
    assert run.trainer.scaling.scaler.get_scale() == 2.0**7


def test_gradients_are_unscaled_when_callbacks_see_them_and_overflows_make_no_step():
    weight = nn.Parameter(torch.tensor([2.0]))
    optimizer = torch.optim.SGD([weight], lr=0.5)
    scaling = Scaling(HALF)
    scaling.backward(3 * weight.sum())
    scaling.unscale(optimizer)
    assert weight.grad.item() == 3.0
    scaling.step(optimizer)
    assert weight.item() == 0.5
    before = scaling.scaler.get_scale()
    weight.grad = None
    scaling.backward(weight.sum() * float("inf"))
    scaling.unscale(optimizer)
    scaling.step(optimizer)
    assert weight.item() == 0.5
    assert scaling.scaler.get_scale() == before / 2


class Of(NamedTuple):
    """A kind of operation, and how its float32 numbers are multiplied."""

    fp32_precision: str


@pytest.mark.parametrize("wanted", [True, False])
def test_tf32_is_set_for_products_and_convolutions_and_told_of_gpus_only(wanted):
    parts = torch.backends.cuda.matmul, torch.backends.cudnn.conv
    before = [part.fp32_precision for part in parts]
    try:
        choose_tf32(wanted)
        assert {part.fp32_precision for part in parts} == {"tf32" if wanted else "ieee"}
        assert uses_tf32(GPU) is wanted
        assert not uses_tf32(CPU)
    finally:
        for part, value in zip(parts, before, strict=True):
            part.fp32_precision = value


def test_tf32_of_either_kind_is_told(monkeypatch):
    monkeypatch.setattr(torch.backends, "cuda", SimpleNamespace(matmul=Of("ieee")))
    monkeypatch.setattr(torch.backends, "cudnn", SimpleNamespace(conv=Of("tf32")))
    assert uses_tf32(GPU)


@pytest.mark.parametrize(("device", "fused"), [(CPU, True), (GPU, True), (META, None)])
@pytest.mark.parametrize("name", ["sgd", "adam"])
def test_steps_are_fused_where_they_are_computed(recipe, monkeypatch, device, fused, name):
    given = {}

    class Parameter:
        def __init__(self):
            self.device = device

    network = nn.Module()
    monkeypatch.setattr(network, "parameters", lambda: iter([Parameter()]))
    kinds = {"sgd": "SGD", "adam": "Adam"}
    monkeypatch.setattr(optimizers, kinds[name], lambda *_, **kwargs: given.update(kwargs))
    settings = {"name": name, "weight_decay": 0.0} | ({"momentum": 0.9} if name == "sgd" else {})
    optimizers.make_optimizer(recipe(optimizer=settings), network, 0.1)
    assert given["fused"] is fused


def test_the_file_of_the_repository_is_the_default(pytestconfig):
    path = pytestconfig.rootpath / "config/arithmetic.yaml"
    assert load_arithmetic(path) == Arithmetic(tf32=False, compile="none")


def test_an_unknown_way_to_compile_is_named(tmp_path):
    path = tmp_path / "arithmetic.yaml"
    path.write_text("compile: faster\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"arithmetic\.yaml: compile is 'faster'; .*'default'"):
        load_arithmetic(path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the compiler
@pytest.mark.parametrize("parameterization", ["bn", "gmp"])
def test_a_compiled_step_equals_a_plain_one(project, new_run, parameterization):
    """Kernels that are fused add in another order: float32 losses agree to six digits or so."""
    settings = {"parameterization": parameterization, "epochs": 2, "batch_size": 11}
    plain, compiled = new_run("plain", **settings), new_run("compiled", **settings)
    compiled.arithmetic = Arithmetic(compile="default")
    for run in (plain, compiled):
        run.train(ALONE, CPU, 1)
    assert compiled.trainer.learner is not compiled.network
    assert compiled.trainer.compilation == "default"
    found, expected = (
        load(run.measured.files[PREDICTIONS])["scores"] for run in (compiled, plain)
    )
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    for row, other in zip(compiled.state.history, plain.state.history, strict=True):
        assert row["train_loss"] == pytest.approx(other["train_loss"], rel=1e-5)
    assert set(compiled.network.state_dict()) == set(plain.network.state_dict())


@pytest.mark.parametrize("changes", [NOISE], ids=["defended"])
def test_only_plain_training_is_compiled(project, new_run, changes):
    run = new_run("out", **SMALL, **changes)
    run.arithmetic = Arithmetic(compile="default")
    run.train(ALONE, CPU, 1)
    assert run.trainer.learner is run.network
    assert run.trainer.compilation == "none"
