"""Time on a machine: the slowest part on a GPU, the sum on a CPU; published speeds are met."""

import pytest
from reactivate.experiment.costs.machines import CALIBRATED, Machine, load_machine
from reactivate.experiment.costs.networks import counted_networks
from reactivate.experiment.costs.pieces import Piece, Work, passes

RESNET50 = "resnet50 relu bn width 1 classes 1000 input 3x224x224"


def machine(kind="gpu", **changed):
    form = {
        "title": "made up",
        "kind": kind,
        "flops": {"bf16": 100.0, "fp32": 50.0},
        "bandwidth": 10.0,
        "achieved": {"bf16": 0.5, "fp32": 1.0},
        "launch": 0.5,
        "together": 0.8,
        "decode": 4.0,
        "start": 7.0,
        "memory_gb": 1.0,
        "says": ["nothing"],
    }
    return Machine(**form | changed)


def test_a_gpu_takes_as_long_as_its_slowest_part():
    computed = Work((Piece(3, kernels=1, flops=100, traffic=20),))
    assert machine().seconds(computed) == 7 + 3 * (100 / 50 + 20 / 10)
    launched = Work((Piece(3, kernels=100, flops=100, traffic=20),))
    assert machine().seconds(launched) == 7 + 3 * 100 * 0.5
    decoded = Work((Piece(3, kernels=1, flops=100, traffic=20),), decoded=1000)
    assert machine().seconds(decoded, cores=2) == 7 + 1000 / 8


def test_a_cpu_takes_as_long_as_all_parts_together():
    work = Work((Piece(3, kernels=2, flops=100, traffic=20),), decoded=8)
    assert machine("cpu").seconds(work) == 7 + 3 * (2 + 2 + 1) + 2


def test_mixed_precision_has_its_own_rate_and_half_the_bytes():
    work = Work((Piece(1, flops=100, traffic=20, mixed=True),))
    assert machine().seconds(work) == 7 + 1 / 0.5 + 1
    single = machine(flops={"fp32": 50.0}, achieved={"fp32": 1.0})
    assert single.seconds(work) == 7 + 2 + 2


def test_arithmetic_alone_is_a_lower_bound():
    work = Work((Piece(3, kernels=1, flops=100, traffic=20), Piece(1, flops=50, mixed=True)))
    assert machine().arithmetic_seconds(work) == 3 * 2 + 0.5
    assert machine().arithmetic_seconds(work) < machine().seconds(work)


@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_only_what_is_shared_waits_for_others(kind):
    alone, shared = Piece(3, flops=100), Piece(3, flops=100, shared=True)
    assert machine(kind).seconds(Work((alone, shared))) == pytest.approx(7 + 6 + 6 / 0.8)


def test_there_are_as_many_cores_as_keep_up_with_the_gpu():
    work = Work((Piece(1, flops=500),), decoded=100)  # 10 s, 10 pictures/s, 4 by a core
    assert machine().cores_for(work, most=16) == 3
    assert machine().cores_for(work, most=2) == 2
    assert machine().cores_for(Work((Piece(1, flops=500),)), most=16) == 1


@pytest.mark.parametrize(
    ("mixed", "tf32", "changes", "published"),
    [  # the published figures are of the A100 with 80 GB, whose memory is faster, and of a V100
        (True, False, {"bandwidth": 0.75 * 2.039e12}, 2470),
        (False, True, {"bandwidth": 0.75 * 2.039e12}, 938),
        (False, False, {"bandwidth": 0.75 * 9.0e11, "flops": {"fp32": 1.57e13}}, 367),
    ],
)
def test_the_assumed_gpu_trains_resnet50_as_fast_as_its_maker_says(
    mixed, tf32, changes, published
):
    told = load_machine("a100").model_copy(update={**changes, "start": 0.0}).computing(tf32)
    step = passes(counted_networks()[RESNET50].training, 1, 256, mixed)
    assert 256 / told.seconds(Work((step,))) == pytest.approx(published, rel=0.05)


def test_float32_is_computed_in_tf32_only_where_that_is_asked_for_and_known():
    both = machine(
        flops={"tf32": 100.0, "fp32": 10.0}, achieved={"tf32": 0.5, "fp32": 1.0}, kind="gpu"
    )
    work = Work((Piece(1, flops=1000),))
    assert both.computing(False).seconds(work) - both.start == 100
    assert both.computing(True).seconds(work) - both.start == 20
    assert machine().computing(True) == machine()


def test_a_calibrated_machine_replaces_the_assumed_one(tmp_path, monkeypatch):
    monkeypatch.setattr("reactivate.experiment.costs.machines.CALIBRATED", tmp_path)
    load_machine.cache_clear()
    assert load_machine(None, "gpu") == load_machine("a100")
    text = (CALIBRATED.parents[1] / "config/machines/a100.yaml").read_text().replace("A100", "B9")
    (tmp_path / "gpu.yaml").write_text(text)
    load_machine.cache_clear()
    assert "B9" in load_machine(None, "gpu").title
    load_machine.cache_clear()


def test_an_unknown_machine_is_named_with_those_that_exist():
    with pytest.raises(ValueError, match="unknown machine 'a10'; did you mean a100"):
        load_machine("a10")
