"""Figure 4 of crelu: what is similar to an image, what is measured, drawn and judged."""

import pandas as pd
import pytest
import torch
from reactivate.datasets.images import ImageData
from reactivate.documents.crelu import figure4 as invariance
from reactivate.documents.crelu import figure4_claims as claims
from reactivate.documents.crelu import figure4_picture as invariance_pictures
from reactivate.documents.shared.style import save_png
from reactivate.evidence import networks
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_paper
from reactivate.foundation.registry import load_function
from reactivate.judging.questions import question_of
from reactivate.training.inputs import Batch, MemoryInputs

CIFAR = Cell("cifar10", "convpool_half", "crelu", "sp", "convpool")
PICTURES = Cell("tiny_imagenet20", "allcnn_all", "relu", "sp", "allcnn_adam")


def run(name, cell, folder):
    return NetworkRun("smoke", "crelu", (name, "sp", "document"), cell, folder)


def data(side):
    stream = torch.Generator().manual_seed(0)
    images = torch.randint(256, (200, 3, side, side), generator=stream, dtype=torch.uint8)
    labels = torch.arange(200) % 10
    return ImageData(images, labels, images.flip(0), labels)


@pytest.fixture
def made_up(monkeypatch):
    """Random images in place of the prepared ones, untrained networks in place of trained ones."""

    def inputs(cell, chosen, seed, device, workers):
        return MemoryInputs(data(64 if cell == PICTURES else 32), chosen.recipe, ("x", 0), device)

    monkeypatch.setattr(networks, "make_inputs", inputs)
    monkeypatch.setattr(invariance, "trained", networks.untrained)


def measured(folder):
    runs = [run("cifar10_crelu_half", CIFAR, folder), run("imagenet_crelu_all", PICTURES, folder)]
    return invariance.invariances(
        runs, images=9, pictures=9, layers=7, picture_layers=7, rate=0.03, degrees=15, pixels=3
    )


def test_every_convolution_before_the_class_maps_is_measured(made_up, tmp_path):
    found = measured(tmp_path)
    cifar = found[found["dataset"] == "cifar10"]
    assert cifar["layer"].tolist() == list(range(1, 8))
    assert cifar["pools"].tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert found[found["dataset"] == "imagenet"]["layer"].tolist() == list(range(1, 8))
    assert set(found["data"]) == {"cifar10", "tiny_imagenet20"}
    assert set(found["network"]) == {"cifar10_crelu_half", "imagenet_crelu_all"}
    assert set(found["seed"]) == {0}
    assert (found["images"] == 9).all()
    assert found["score"].between(0, 1 / 0.03).all()
    weighted = (found["flip"] + found["rotation"] + 4 * found["translation"]) / 6
    assert found["score"].tolist() == pytest.approx(weighted.tolist(), abs=1e-3)
    save_png(invariance_pictures.invariances(found), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10000


def test_chosen_images_are_the_same_for_every_network_and_no_more_than_there_are(
    made_up, tmp_path
):
    one, other = (run(name, CIFAR, tmp_path) for name in ("a_b", "c_d"))
    assert torch.equal(invariance.choose(one, 20), invariance.choose(other, 20))
    assert len(invariance.choose(one, 20)) == 20
    assert invariance.choose(one, 10**6).tolist() == list(range(200))  # of the images made up


def test_the_middle_comes_first_whoever_cuts(made_up):
    """Torchvision puts the corners before the middle."""
    recipe = Experiment.load("smoke").cell("crelu", PICTURES).image_settings.recipe
    memory = MemoryInputs(data(64), recipe, ("x", 0), torch.device("cpu"))

    class Streamed:
        def measured(self, part, views, numbers, size):
            for x, y, total in memory.measured(part, views, numbers, size):
                order = [1, 2, 3, 4, 0, 6, 7, 8, 9, 5]
                yield Batch(x.reshape(-1, 10, *x.shape[1:])[:, order].flatten(0, 1), y, total)

    chosen = torch.tensor([3, 49, 50, 199])
    cut, streamed = (
        torch.cat(list(invariance._views(inputs, chosen, cut=True)))
        for inputs in (memory, Streamed())
    )
    assert torch.equal(cut, streamed)
    middles = torch.cat([batch.x for batch in memory.measured("test", 1)])
    assert torch.equal(cut[:, 0], middles[chosen])


def test_stimuli_of_an_image_are_flip_rotation_and_four_shifts():
    x = torch.arange(25.0).reshape(1, 1, 1, 5, 5)
    found = dict(invariance.similar(x, degrees=90, pixels=2))
    image = x[:, 0]
    assert torch.equal(found["flip"], image.flip(3))
    assert torch.equal(found["rotation"], image.rot90(1, (2, 3)))
    assert torch.equal(found["down"][..., 2:, :], image[..., :3, :])
    assert torch.equal(found["left"][..., :3], image[..., 2:])
    assert float(found["up"][..., 3:, :].abs().sum() + found["right"][..., :2].abs().sum()) == 0
    assert list(found) == ["flip", "rotation", "up", "down", "left", "right"]


def test_stimuli_of_a_picture_are_its_corners_in_place_of_shifts():
    views = torch.arange(5.0).reshape(1, 5, 1, 1, 1).expand(2, 5, 3, 4, 4)
    found = dict(invariance.similar(views, degrees=15, pixels=3))
    assert [float(x.mean()) for x in list(found.values())[2:]] == [1.0, 2.0, 3.0, 4.0]
    assert list(found)[2:] == list(invariance.CORNERS)


def numbers(**scores):
    """Layers as those of CIFAR, seven or eight; names are dataset_network."""
    parts = []
    for name, values in scores.items():
        dataset = name.split("_", 1)[0]
        pools = [0, 0, 0, 1, 1, 1, 2, 2][: len(values)]
        part = {"layer": range(1, len(values) + 1), "pools": pools, "score": values}
        data = "tiny_imagenet20" if dataset == "imagenet" else dataset
        parts.append(pd.DataFrame(part).assign(dataset=dataset, data=data, network=name))
    return pd.concat(parts, ignore_index=True)


RISING = [1.0, 2.0, 3.0, 8.0, 9.0, 12.0, 15.0, 14.0]


def means(found):
    """The mean of every effect, by its case; of what cannot be judged the verdict."""
    return {
        name: str(case.verdict) if hasattr(case, "verdict") else case.mean
        for name, case in found.items()
    }


def test_scores_are_compared_layer_by_layer():
    above = [score + step for step, score in enumerate(RISING)]
    found = claims.higher_with_crelu(
        numbers(
            cifar10_relu=RISING,
            cifar10_crelu=above,
            cifar10_crelu_half=[0.0] * 8,
            imagenet_relu=[1.0] * 7,
            imagenet_crelu=[1.0] * 7,
        )
    )
    expected = {f"cifar10 conv{n}": float(n - 1) for n in range(1, 9)}
    assert means(found) == {**expected, "imagenet": "not_comparable(data)"}
    assert all(found[name].n == 1 and not found[name].paired for name in expected)


def seeds(*frames, unlearned=()):
    """Frames of one network of each kind as those of seeds 0, 1, 2, ..."""
    parts = [
        frame.assign(seed=seed, learned=seed not in unlearned) for seed, frame in enumerate(frames)
    ]
    return pd.concat(parts, ignore_index=True)


def test_networks_of_every_seed_that_have_learned_are_compared():
    rising = numbers(cifar10_relu=RISING, cifar10_crelu=[score + 1 for score in RISING])
    falling = numbers(cifar10_relu=RISING[::-1], cifar10_crelu=RISING[::-1])
    found = seeds(rising, falling, rising, unlearned=(2,))
    higher = claims.higher_with_crelu(found)["cifar10 conv1"]
    assert (higher.stated, higher.other) == ((2, 14, None), (1, 15 - 1, None))
    first, second, third = claims.rises_with_depth(found)["cifar10 relu"].stated
    assert first == -second > 0
    assert third is None
    assert claims.not_monotonic(found)["cifar10 relu"] == {0: True, 1: True, 2: None}
    rises = claims.rises_after_pooling(found)["cifar10 relu, first pooling"]
    assert rises.stated == (4, -4, None)


def test_a_layer_that_never_fires_is_left_out():
    silent = [float("nan"), *RISING[1:]]
    found = claims.higher_with_crelu(numbers(cifar10_relu=RISING, cifar10_crelu=silent))
    assert found["cifar10 conv1"].unlearned == 1
    assert found["cifar10 conv2"].mean == 0


@pytest.mark.parametrize(
    ("relu", "first", "second"),
    [
        (RISING, 4.0, 5.0),
        ([1.0, 7.0, 8.0, 13.0, 14.0, 17.0, 20.0, 19.0], -1.0, 0.0),  # larger at conv2
        ([1.0, 2.0, 3.0, 8.0, 9.0, 12.0, 9.0, 8.0], 4.0, -1.0),  # falls at the second pooling
    ],
)
def test_rises_over_poolings_are_compared_with_the_largest_elsewhere(relu, first, second):
    found = claims.rises_after_pooling(numbers(cifar10_relu=relu, imagenet_relu=[1.0] * 7))
    assert means(found) == {
        "cifar10 relu, first pooling": first,
        "cifar10 relu, second pooling": second,
    }


def test_trend_and_monotony():
    frame = numbers(cifar10_relu=RISING, cifar10_crelu=RISING[::-1], cifar100_relu=sorted(RISING))
    found = claims.rises_with_depth(frame)
    assert found["cifar100 relu"].mean == pytest.approx(1)
    assert 0 < found["cifar10 relu"].mean < 1
    assert found["cifar10 crelu"].mean < 0
    assert claims.not_monotonic(frame) == {
        "cifar10 crelu": {0: True},
        "cifar10 relu": {0: True},
        "cifar100 relu": {0: False},
    }


def test_networks_of_a_stand_in_are_not_judged():
    frame = numbers(imagenet_relu=RISING[:7])
    for judge in (claims.rises_with_depth, claims.not_monotonic, claims.local_maxima):
        assert set(means(judge(frame)).values()) == {"not_comparable(data)"}


def test_local_maxima_are_above_the_layers_beside_them():
    frame = numbers(imagenet_relu=[5.0, 3.0, 4.0, 6.0, 4.5, 2.0, 1.0]).assign(data="imagenet")
    assert means(claims.local_maxima(frame)) == {"conv1": 2.0, "conv4": 1.5, "conv7": -1.0}


@pytest.mark.parametrize("name", ["higher", "pooling", "depth", "not_monotonic", "local_maxima"])
@pytest.mark.parametrize("data", ["imagenet", "tiny_imagenet20"])
def test_one_network_of_each_kind_decides_nothing(name, data):
    claim = load_paper("crelu").claims[f"invariance_{name}"]
    frame = numbers(
        cifar10_relu=RISING,
        cifar10_crelu=RISING,
        imagenet_relu=RISING[:7],
        imagenet_crelu=RISING[:7],
    )
    frame.loc[frame["dataset"] == "imagenet", "data"] = data
    judgement = question_of(claim.effect, "paper").answer(load_function(claim.check.judge)(frame))
    stood_in = data != "imagenet" and name != "pooling"
    assert str(judgement.verdict) == ("not_comparable(data)" if stood_in else "undecided")
