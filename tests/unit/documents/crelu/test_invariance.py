"""Figure 4 of crelu: what is similar to an image, what is measured, drawn and judged."""

import pandas as pd
import pytest
import torch
from reactivate.datasets.images import ImageData
from reactivate.documents.crelu import figure4 as invariance
from reactivate.documents.crelu import figure4_claims as invariance_statements
from reactivate.documents.crelu import figure4_picture as invariance_pictures
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.stages.plot import save_png
from reactivate.training.inputs import Batch, MemoryInputs

CIFAR = Cell("cifar10", "convpool9_half", "crelu", "sp", "convpool")
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

    monkeypatch.setattr(invariance, "make_inputs", inputs)
    from reactivate.evidence.networks import untrained

    monkeypatch.setattr(invariance, "trained", untrained)


def measured(folder):
    runs = [run("cifar10_crelu_half", CIFAR, folder), run("imagenet_crelu_all", PICTURES, folder)]
    return invariance.invariances(
        runs, images=9, pictures=9, layers=8, picture_layers=7, rate=0.03, degrees=15, pixels=3
    )


def test_every_convolution_before_the_class_maps_is_measured(made_up, tmp_path):
    found = measured(tmp_path)
    cifar = found[found["dataset"] == "cifar10"]
    assert cifar["layer"].tolist() == list(range(1, 9))
    assert cifar["pools"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert found[found["dataset"] == "imagenet"]["layer"].tolist() == list(range(1, 8))
    assert set(found["data"]) == {"cifar10", "tiny_imagenet20"}
    assert set(found["network"]) == {"crelu_half", "crelu_all"}
    assert (found["images"] == 9).all()
    assert found["score"].between(0, 1 / 0.03).all()
    weighted = (found["flip"] + found["rotation"] + 4 * found["translation"]) / 6
    assert found["score"].tolist() == pytest.approx(weighted.tolist(), abs=1e-3)
    save_png(invariance_pictures.invariances(found), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10000


def test_chosen_images_are_the_same_for_every_network_and_no_more_than_there_are(tmp_path):
    one, other = (run(name, CIFAR, tmp_path) for name in ("a_b", "c_d"))
    assert torch.equal(invariance.choose(one, 20), invariance.choose(other, 20))
    assert len(invariance.choose(one, 20)) == 20
    share = Experiment.load("smoke").cell("crelu", CIFAR).image_settings.data_fraction
    assert invariance.choose(one, 10**6).tolist() == list(range(round(10000 * share)))


def test_the_middle_comes_first_whoever_cuts(made_up):
    """Torchvision puts the corners before the middle."""
    recipe = Experiment.load("smoke").cell("crelu", PICTURES).image_settings.recipe
    memory = MemoryInputs(data(64), recipe, ("x", 0), torch.device("cpu"))

    class Streamed:
        def measured(self, part, views):
            for x, y, total in memory.measured(part, views):
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
        dataset, network = name.split("_", 1)
        pools = [0, 0, 0, 1, 1, 1, 2, 2][: len(values)]
        part = {"layer": range(1, len(values) + 1), "pools": pools, "score": values}
        parts.append(pd.DataFrame(part).assign(dataset=dataset, network=network))
    return pd.concat(parts, ignore_index=True)


RISING = [1.0, 2.0, 3.0, 8.0, 9.0, 12.0, 15.0, 14.0]


@pytest.mark.parametrize(
    ("crelu", "verdict"), [(1.0, "order_holds"), (0.0, "order_fails"), (-1.0, "order_fails")]
)
def test_higher_means_in_every_layer(crelu, verdict):
    shifted = [*RISING[:-1], RISING[-1] + crelu]
    above = [score + 1 for score in shifted[:-1]] + shifted[-1:]
    found = invariance_statements.higher_with_crelu(
        numbers(cifar10_relu=RISING, cifar10_crelu=above, cifar10_crelu_half=[0.0] * 8)
    )
    assert found.verdict.value == verdict


@pytest.mark.parametrize(
    ("relu", "verdict"),
    [
        (RISING, "order_holds"),
        ([1.0, 7.0, 8.0, 13.0, 14.0, 17.0, 20.0, 19.0], "order_fails"),  # larger at conv2
        ([1.0, 2.0, 3.0, 8.0, 9.0, 12.0, 9.0, 8.0], "order_fails"),  # falls at the second pooling
    ],
)
def test_big_means_larger_than_elsewhere(relu, verdict):
    found = invariance_statements.rises_after_pooling(
        numbers(cifar10_relu=relu, cifar10_crelu=RISING, imagenet_relu=[1.0] * 7)
    )
    assert found.verdict.value == verdict


def test_trend_and_monotony():
    falling = numbers(cifar10_relu=RISING, cifar10_crelu=RISING[::-1])
    assert invariance_statements.rises_with_depth(falling).verdict.value == "order_fails"
    assert invariance_statements.not_monotonic(falling).verdict.value == "order_holds"
    rising = numbers(cifar10_relu=RISING, cifar10_crelu=sorted(RISING))
    assert invariance_statements.rises_with_depth(rising).verdict.value == "order_holds"
    assert invariance_statements.not_monotonic(rising).verdict.value == "order_fails"


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ([5.0, 3.0, 4.0, 6.0, 4.0, 2.0, 3.0], "order_holds"),
        ([5.0, 3.0, 4.0, 6.0, 4.0, 2.0, 1.0], "order_fails"),
        ([1.0, 3.0, 4.0, 6.0, 4.0, 2.0, 3.0], "order_fails"),
    ],
)
def test_local_maxima_are_those_named_and_no_others(scores, verdict):
    found = invariance_statements.local_maxima(numbers(imagenet_relu=scores))
    assert found.verdict.value == verdict


def test_cifar_has_ten_thousand_test_images():
    found = invariance_statements.images_of_cifar()
    assert found.verdict.value == "inconsistent"
    assert "10000 test" in found.reason
