"""Trainings on scenes: finding objects and telling classes of pixels, by the one loop."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from reactivate.evidence.records import verify_record
from reactivate.foundation.files import sha256
from reactivate.models.backbone import Backbone
from reactivate.training.inputs import ALONE, Share
from reactivate.training.precision import Precision
from reactivate.training.scenes.mean_losses import MeanLosses
from reactivate.training.scenes.setup import treatment_of
from safetensors.torch import load_file
from torch.nn import functional

CPU = torch.device("cpu")
PREDICTED = {"detector": "detections.json", "segmenter": "images.csv"}


def rows(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def made(run):
    """Network and inputs of a run, before any step."""
    return run.treatment.make(run.cell, run.chosen, run.seed, CPU, 0)


def backbone_of(network):
    return next(part for part in network.modules() if isinstance(part, Backbone))


@pytest.mark.parametrize("network", PREDICTED)
def test_a_run_on_scenes_leaves_its_files_and_tells_what_it_started_from(
    scenes, new_scene_run, network, finish
):
    run = new_scene_run("out", network)
    files = finish(run)
    assert set(files) == {"metrics.csv", "history.csv", PREDICTED[network], "model.safetensors"}
    record = verify_record(Path("out/run.json"))
    assert [read.file for read in record.read] == ["scenes/backbone/run.json"]
    assert record.read[0].sha256 == sha256(scenes / "backbone/run.json")
    assert len(rows("out/history.csv")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("network", PREDICTED)
def test_an_interrupted_training_on_scenes_ends_with_the_same_bytes(
    scenes, new_scene_run, network, finish, interrupt
):
    alone = finish(new_scene_run("alone", network))
    interrupt(new_scene_run("out", network), 2)
    resumed = new_scene_run("out", network)
    assert finish(resumed) == alone
    assert resumed.state.resumes == 1


def test_a_snapshot_of_another_backbone_is_not_used(
    other_backbone, new_scene_run, finish, interrupt
):
    interrupt(new_scene_run("out", "segmenter"), 2)
    other_backbone()
    other = new_scene_run("out", "segmenter")
    finish(other)
    assert other.state.resumes == 0


@pytest.mark.parametrize("network", PREDICTED)
def test_the_backbone_starts_from_the_weights_of_the_run(scenes, new_scene_run, network):
    found = backbone_of(made(new_scene_run("out", network))[0]).state_dict()
    given = load_file(scenes / "backbone/model.safetensors")
    assert found
    assert all(torch.equal(given[name], weight) for name, weight in found.items())


def test_metrics_of_a_detector_are_those_of_its_results_by_cocos_own_tool(
    scenes, new_scene_run, finish
):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    finish(new_scene_run("out", "detector", epochs=1))
    truth = COCO(str(scenes / "coco/annotations/instances_val2017.json"))
    found = json.loads(Path("out/detections.json").read_text(encoding="utf-8"))
    assert {row["image_id"] for row in found} == {1, 2, 3}
    tool = COCOeval(truth, truth.loadRes(found), "bbox")
    tool.evaluate()
    tool.accumulate()
    tool.summarize()
    (row,) = rows("out/metrics.csv")
    names = ("map", "ap50", "ap75", "ap_small", "ap_medium", "ap_large")
    for name, share in zip(names, tool.stats, strict=False):
        expected = 100 * share if share >= 0 else float("nan")
        assert float(row[name]) == pytest.approx(expected, nan_ok=True)


def test_metrics_of_a_segmenter_follow_from_its_pictures(scenes, new_scene_run, finish):
    finish(new_scene_run("out", "segmenter"))
    images = rows("out/images.csv")
    assert [row["image"] for row in images] == ["val_0.png", "val_1.png", "val_2.png"]
    shares = []
    for k in range(20):
        both = sum(int(row[f"intersection_{k}"]) for row in images)
        either = sum(int(row[f"union_{k}"]) for row in images)
        shares.append(both / either if either else 0.0)
    (row,) = rows("out/metrics.csv")
    assert float(row["miou"]) == pytest.approx(100 * sum(shares) / 20)
    seen = [float(epoch["test_miou"]) for epoch in rows("out/history.csv")]
    assert float(row["miou_best_epoch"]) == pytest.approx(max(seen))
    assert float(row["miou"]) == pytest.approx(seen[-1])


def test_the_steps_of_a_detector_are_those_of_a_plain_loop(scenes, new_scene_run):
    run = new_scene_run("out", "detector", epochs=1)
    run.train(ALONE, CPU, 0)
    network, inputs = made(run)
    network.train()
    learned = [p for p in network.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(learned, 0.01, momentum=0.9, weight_decay=0.01)
    losses = []
    for x, y, total in inputs.epoch(1, ALONE):
        means = network(x, y)
        loss = means["classification"] + means["bbox_regression"]
        losses.append(loss.item() * total)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for found, expected in zip(run.network.parameters(), network.parameters(), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    assert run.state.history[0]["train_loss"] == pytest.approx(sum(losses) / 5, rel=1e-5)


ADAMW = {"name": "adamw", "weight_decay": 0.01, "factors": {"decoder": 10.0}}


def test_the_steps_of_a_segmenter_are_those_of_a_plain_loop(scenes, new_scene_run):
    run = new_scene_run("out", "segmenter", epochs=1, optimizer=ADAMW, lr={"default": 0.001})
    run.train(ALONE, CPU, 0)
    network, inputs = made(run)
    network.train().to(memory_format=torch.channels_last)
    groups = [
        {"params": network.encoder.parameters(), "lr": 0.001},
        {"params": network.decoder.parameters(), "lr": 0.01},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    weights = inputs.weights[:20]
    assert weights.min() > 0
    assert inputs.weights[20:].abs().sum() == 0
    for x, y, _ in inputs.epoch(1, ALONE):
        x = x.contiguous(memory_format=torch.channels_last)
        loss = functional.cross_entropy(network(x), y, weights, ignore_index=255)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    expected = dict(network.named_parameters())
    for name, found in run.network.named_parameters():
        # batch normalisation takes these out again: Adam scales what rounding leaves of them
        if not (name.startswith("decoder.unify") and name.endswith("bias")):
            torch.testing.assert_close(found, expected[name], rtol=1e-4, atol=1e-5)


def test_frozen_parts_and_statistics_of_a_detector_stay_and_the_rest_learns(scenes, new_scene_run):
    run = new_scene_run("out", "detector", epochs=1)
    run.train(ALONE, CPU, 0)
    given = load_file(scenes / "backbone/model.safetensors")
    found = backbone_of(run.network).state_dict()
    changed = {name for name in found if not torch.equal(found[name], given[name])}
    assert not any(name.split(".")[0] in "012" for name in changed)
    assert not any("running" in name for name in changed)
    assert any(name.startswith("3.") for name in changed)


@pytest.mark.parametrize("micro_batch", [1])
def test_micro_batches_of_a_detector_train_the_same_network(scenes, new_scene_run, micro_batch):
    whole, parts = (new_scene_run(name, "detector", epochs=1) for name in ("a", "b"))
    parts = replace(parts, micro_batch=micro_batch)
    for run in (whole, parts):
        run.train(ALONE, CPU, 0)
    for found, expected in zip(
        parts.network.parameters(), whole.network.parameters(), strict=True
    ):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)


def test_shares_of_processes_make_the_batch_of_one(scenes, new_scene_run):
    inputs = made(new_scene_run("out", "detector", batch_size=3))[1]
    whole = [y["image_id"] for batch in inputs.epoch(1, ALONE) for y in batch.y]
    halves = zip(
        *(inputs_of(new_scene_run, rank).epoch(1, Share(rank, 2)) for rank in (0, 1)), strict=True
    )
    shared = [y["image_id"] for pair in halves for batch in pair for y in batch.y]
    assert shared == whole
    assert sorted(whole) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("network", PREDICTED)
def test_two_processes_train_the_network_of_one_on_scenes(
    scenes, new_scene_run, in_processes, network
):
    def trained(share):
        run = new_scene_run(
            f"{share.rank}_of_{share.processes}", network, epochs=1, whole_batches=True
        )
        run.train(share, CPU, 0)
        weights = {name: tensor.clone() for name, tensor in run.network.state_dict().items()}
        return weights, run.state.history

    expected, history = trained(ALONE)
    begun = made(new_scene_run("begun", network))[0].state_dict()
    assert any(not torch.equal(begun[name], weight) for name, weight in expected.items())
    for weights, told in in_processes(lambda rank: trained(Share(rank, 2))):
        torch.testing.assert_close(weights, expected, rtol=1e-4, atol=1e-5)
        assert told[0] == pytest.approx(history[0], rel=1e-4, nan_ok=True)


def test_a_batch_that_cannot_be_divided_is_named(scenes, new_scene_run):
    inputs = made(new_scene_run("out", "segmenter"))[1]
    message = r"^a batch of 1 scenes cannot be divided among 2 processes; accepted:"
    with pytest.raises(ValueError, match=message):
        next(inputs.epoch(1, Share(0, 2)))


@pytest.mark.parametrize("network", PREDICTED)
def test_training_scenes_are_not_measured(scenes, new_scene_run, network):
    inputs = made(new_scene_run("out", network))[1]
    with pytest.raises(ValueError, match=r"^scenes of part 'train' are to be measured, but"):
        next(inputs.measured("train", 1))


def inputs_of(new_scene_run, rank):
    return made(new_scene_run(f"rank{rank}", "detector", batch_size=3))[1]


def test_a_detector_of_mixed_precision_learns_in_float32_and_is_measured_so(scenes, new_scene_run):
    run = new_scene_run("out", "detector", epochs=1)
    run.train(ALONE, CPU, 0)
    trainer = run.trainer
    trainer.precision = Precision(torch.bfloat16, "cpu")
    trainer.network.train()
    batch = next(iter(trainer.inputs.epoch(1, ALONE)))
    loss, sums = trainer.task.learn(trainer, batch.x, batch.y)
    loss.backward()
    assert (loss.dtype, sums.dtype) == (torch.float32, torch.float64)
    assert loss.item() == pytest.approx(sums[:2].sum().item(), rel=1e-6)
    trainer.network.eval()
    with torch.no_grad():
        plain = trainer.network(batch.x)
    before = trainer.task.test(trainer)
    trainer.precision = Precision(torch.float32, "cpu")
    assert trainer.task.test(trainer) == before
    assert plain[0]["boxes"].dtype == torch.float32


def test_a_run_without_a_backbone_is_named(scenes):
    with pytest.raises(ValueError, match=r"^the recipe names no backbone; accepted: recipes of"):
        treatment_of(None, None, None)
    with pytest.raises(ValueError, match=r"model.safetensors does not exist; train the backbone"):
        treatment_of(None, None, Path("nowhere"))


def test_a_network_of_other_classes_than_its_scenes_is_named(scenes, new_scene_run):
    for name, message in (
        ("detector", "coco has 80 categories, but detector tells 81 apart"),
        ("segmenter", r"scores are \(1, 20, 64, 64\), not \(1, 81, 64, 64\)"),
    ):
        run = new_scene_run("out", name)
        network, inputs = made(run)
        with pytest.raises(ValueError, match=message):
            run.treatment.task.check_fit(network, inputs, run.cell, 81)


@pytest.mark.parametrize("network", PREDICTED)
def test_the_work_of_a_network_on_scenes_is_counted_as_scores_of_classes(
    scenes, new_scene_run, network
):
    run = new_scene_run("out", network)
    counted = MeanLosses(made(run)[0]).eval()
    assert counted(torch.rand(2, 3, 64, 64)).shape == (2, run.chosen.classes)
