"""The work of a job follows from its settings: steps, passes, copies, samples."""

from dataclasses import replace

import pytest
import torch
from reactivate.datasets.rand_augment import RandAugment
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.cell import Cell
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.networks import counted_networks, network_name
from reactivate.experiment.costs.small import CACHE_BYTES, KERNELS, networks_at_a_time
from reactivate.experiment.costs.training import KERNELS_OF_OPERATIONS, OPERATIONS, run_of
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.scales import Limits, PaperScale
from reactivate.foundation.seeding import generator
from reactivate.models.passes import Meter
from reactivate.training import batched
from reactivate.training.splits import Samples, Split
from reactivate.training.sweep import Sweep, Task

PAPER = Experiment.load("paper")
ROBUST = "cifar10", "vgg16_robust-relu-bn-{}"


def names(dataset, stem, **more):
    return {"scale": "paper", "paper": "thesis", "dataset": dataset, "cell": stem, **more}


def network(dataset, stem):
    cell = Cell.parse(dataset, stem)
    chosen = PAPER.cell("thesis", cell).image_settings
    return counted_networks()[network_name(cell, chosen)], chosen


def robust(recipe):
    return work_of("defend", names(ROBUST[0], ROBUST[1].format(recipe)))


def test_plain_training_passes_every_image_of_every_epoch_and_tests_after_each():
    stem = "vgg16-relu-bn-chapter3"
    cost, chosen = network("cifar10", stem)
    data, epochs = dataset("cifar10"), chosen.recipe.epochs
    steps = chosen.recipe.batches(data.train)
    trained = epochs * steps * chosen.recipe.batch_size * cost.training.flops
    tested = (epochs + 1) * data.test * cost.forward.flops
    assert work_of("train", names("cifar10", stem)).flops == pytest.approx(trained + tested)


@pytest.mark.parametrize(("limit", "passed"), [({}, 8), ({"tests": "end"}, 1)])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_test_images_are_passed_as_often_as_a_scale_asks(limit, passed, share):
    limits = Limits(epochs=7, data_fraction=0.1, test_fraction=share, **limit)
    cell = Experiment.load("laptop").cell(
        "thesis", Cell("cifar10", "vgg16", "relu", "bn", "chapter3")
    )
    scaled = PaperScale(recipes={"chapter3": limits})
    run = run_of(replace(cell, limits=scaled))
    assert (run.tests, run.test, run.images) == (passed, round(10_000 * share), 5000)


def test_an_attack_of_ten_steps_adds_ten_passes_of_every_step():
    cost, chosen = network(ROBUST[0], ROBUST[1].format("defend_pgd_08"))
    steps = chosen.recipe.epochs * chosen.recipe.batches(50_000)
    added = robust("defend_pgd_08").flops - robust("defend_std").flops
    assert added == pytest.approx(10 * steps * chosen.recipe.batch_size * cost.ascent.flops)
    one = robust("defend_fgsm_08").flops - robust("defend_std").flops
    assert added == pytest.approx(10 * one)


def test_a_certificate_passes_all_samples_of_every_tenth_image():
    stem = ROBUST[1].format("smooth_025")
    cost, _ = network("cifar10", stem)
    work = work_of("certify", names("cifar10", stem, measurement="plain_025"))
    assert work.flops == pytest.approx(1000 * 10_100 * cost.forward.flops)


def test_the_sound_variant_passes_both_streams():
    stem = ROBUST[1].format("smooth_025")
    plain, sound = (
        work_of("certify", names("cifar10", stem, measurement=name)).flops
        for name in ("plain_025", "repress_010_025_sound")
    )
    assert sound > 2 * plain


def test_only_streamed_pictures_are_decoded():
    table = PAPER.exhibit("gmp", "table1")
    (place, *_) = table.places
    cell = {"dataset": place.cell.dataset, "cell": place.cell.stem}
    streamed = work_of("train", {"scale": "paper", "paper": "gmp", **cell})
    chosen = table.cell(place).image_settings
    images = dataset("imagenet")
    epochs = chosen.recipe.epochs
    steps = epochs * chosen.recipe.batches(images.train)
    assert streamed.decoded == steps * chosen.recipe.batch_size + epochs * images.test
    assert work_of("train", names("cifar10", "vgg16-relu-bn-chapter3")).decoded == 0


def test_an_observed_training_takes_longer_than_the_same_unseen():
    seen, unseen = (
        work_of(rule, names("mnist", "fcnn-relu-bn-fcnn")) for rule in ("observe", "train")
    )
    assert seen.flops > unseen.flops
    assert seen.kernels > unseen.kernels


def test_a_network_that_nobody_counted_has_no_known_work(monkeypatch):
    monkeypatch.setattr("reactivate.experiment.costs.training.counted_networks", dict)
    work = work_of.__globals__["_of_cell"].__wrapped__
    place = "thesis", "cifar10", "vgg16-relu-bn-chapter3"
    assert work("train", "paper", *place, "", 1, False) is None


def test_processes_divide_the_passes_of_a_step_and_nothing_else():
    stem = "vgg16-relu-bn-chapter3"
    cost, chosen = network("cifar10", stem)
    one, three = (work_of("train", names("cifar10", stem), n) for n in (1, 3))
    steps = chosen.recipe.epochs * chosen.recipe.batches(50_000)
    portion = len(torch.arange(chosen.recipe.batch_size).tensor_split(3)[0])
    fewer = chosen.recipe.batch_size - portion
    assert one.flops - three.flops == pytest.approx(steps * fewer * cost.training.flops)
    assert one.kernels - three.kernels == steps * fewer * cost.training.kernels
    assert one.device_bytes > three.device_bytes
    assert [piece.shared for piece in three.pieces].count(True) == 1
    assert not any(piece.shared for piece in one.pieces)


def test_processes_decode_their_part_of_the_pictures():
    names = {"scale": "paper", "paper": "gmp", "dataset": "imagenet"}
    names["cell"] = "resnet50-relu-bn-resnet50"
    one, four = (work_of("train", names, n).decoded for n in (1, 4))
    cell = PAPER.cell("gmp", Cell.parse("imagenet", names["cell"]))
    tested = 50_000 * cell.image_settings.recipe.epochs
    assert four - tested == pytest.approx((one - tested) / 4)


def test_a_rule_without_a_model_has_no_known_work():
    assert work_of("audit", {"scale": "paper", "paper": "psc"}) is None


@pytest.mark.parametrize(("samples", "item"), [(400, 4), (7654, 4), (506, 8), (20, 4)])
def test_as_many_small_networks_train_together_as_the_trainer_takes(samples, item):
    assert CACHE_BYTES == batched.CACHE_BYTES
    assert networks_at_a_time(samples, 100, item) == batched.networks_per_batch(samples, 100, item)


@pytest.mark.parametrize("parameterization", ["sp", "wn", "bn", "gmp"])
def test_a_step_of_small_networks_runs_about_as_many_kernels_as_the_model_says(parameterization):
    cell = Cell("boston", "mlp100", "relu", parameterization, "document")
    chosen = PAPER.cell("gmp", cell).sweep_settings
    sweep = Sweep(cell, chosen, Samples(torch.zeros(9, 13), torch.zeros(9, 1)))
    model = sweep.model([Task(seed, 0.1) for seed in range(2)])
    random = generator("kernels")
    inputs, targets = (torch.randn(2, 9, n, generator=random) for n in (13, 1))
    part = Samples(inputs, targets)
    schedule = batched.Schedule("mse", None, 10, 0.1, 50, 0.0, 100, 1e-8)
    streams = [generator("kernels", seed) for seed in range(2)]
    with Meter(model) as meter:
        batched.fit(model, Split(part, part, part), torch.full((2,), 0.1), schedule, streams)
    assert KERNELS / 1.6 < meter.kernels / 10 < KERNELS * 1.6


def test_compiled_steps_of_one_process_move_less_and_compute_the_same():
    cell = {"dataset": "imagenet", "cell": "resnet14-iieu_b-bn-cfg_1"}
    names = {"scale": "paper", "paper": "iieu", **cell}
    plain, compiled = (work_of("train", names, compiled=c) for c in (False, True))
    assert compiled.flops == plain.flops
    assert compiled.traffic < 0.6 * plain.traffic
    assert compiled.kernels < 0.6 * plain.kernels
    assert work_of("train", names, 2, compiled=True) == work_of("train", names, 2)


@pytest.mark.parametrize("images", [256, 1024])
def test_operations_of_a_batch_run_about_as_many_kernels_and_bytes_as_the_model_says(images):
    batch = torch.empty(images, 3, 64, 64, dtype=torch.uint8, device="meta")
    with Meter(torch.nn.Identity()) as meter:
        RandAugment((1.0, 2.0, 3.0), layers=2)(batch, torch.Generator().manual_seed(0))
    assert meter.kernels / 2 == pytest.approx(KERNELS_OF_OPERATIONS, rel=0.1)
    assert meter.traffic / 2 / 4 / batch.numel() == pytest.approx(OPERATIONS, rel=0.15)
