"""Pictures of every ImageNet recipe are the same on one device and on many, whoever decodes."""

import numpy as np
import pytest
import torch
from double_precision import Precise
from PIL import Image
from reactivate.datasets.images import Normalisation
from reactivate.datasets.picture_sets import FolderPictures
from reactivate.experiment.experiment import Experiment
from reactivate.training.classification import Classification
from reactivate.training.defending.setup import make_defence
from reactivate.training.defending.strategy import Defending
from reactivate.training.folder_inputs import StreamInputs
from reactivate.training.inputs import ALONE, Share
from reactivate.training.schedules import Clock
from reactivate.training.strategies import CrossEntropy
from reactivate.training.trainer import Trainer
from torch import nn

pytestmark = pytest.mark.slow
CPU = torch.device("cpu")
PICTURES = 11  # in batches of 4: the last one, and every share of two, is uneven
SMALL = {224: 16, 256: 20, 480: 28}  # sides


def imagenet_recipes():
    """Every recipe that reads ImageNet at the printed scale, by paper and name."""
    experiment = Experiment.load("paper")
    found = {}
    for paper in experiment.papers:
        for exhibit in experiment.exhibits(paper):
            for place in exhibit.places:
                if place.cell.dataset == "imagenet":
                    settings = exhibit.cell(place).image_settings
                    found[f"{paper}-{place.cell.recipe}"] = settings.recipe
    return found


RECIPES = imagenet_recipes()


def tiny(recipe):
    """The recipe with pictures of 16 pixels and batches of 4; all it draws is drawn."""
    cut = recipe.pictures
    sides = {name: SMALL.get(getattr(cut, name)) for name in ("size", "resize", "largest")}
    return recipe.model_copy(
        update={
            **{"pictures": cut.model_copy(update=sides), "batch_size": 4, "epochs": 2},
            **{"mixed_precision": False, "iterations": None},
        }
    )


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """Pictures of noise, so that no two cuts are alike."""
    made, random = {}, np.random.default_rng(0)
    for part, size in (("train", PICTURES), ("test", 3)):
        folder = tmp_path_factory.mktemp(part)
        names = [f"{number:02}.JPEG" for number in range(size)]
        for name in names:
            pixels = random.integers(0, 256, (30, 36, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / name, quality=95)
        labels = torch.arange(size) % 2
        made[part] = FolderPictures(folder, np.array(names, dtype=np.bytes_), labels)
    return made


def inputs(sets, recipe, workers):
    return StreamInputs(sets, tiny(recipe), ("imagenet", 0), CPU, workers)


def test_the_recipes_draw_all_that_is_offered():
    changes = [recipe.augmentation for recipe in RECIPES.values()]
    assert any(change.lighting for change in changes)
    assert any(change.rand_augment for change in changes)
    assert any(change.erasing for change in changes)
    assert {recipe.pictures.train for recipe in RECIPES.values()} == {
        *("random_crop", "random_resized_crop", "scale_jitter"),
    }


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("processes", [2, 3])
def test_processes_read_together_what_one_reads(sets, name, processes):
    alone = list(inputs(sets, RECIPES[name], 0).epoch(2, ALONE))
    shares = [
        list(inputs(sets, RECIPES[name], 0).epoch(2, Share(rank, processes)))
        for rank in range(processes)
    ]
    for whole, *parts in zip(alone, *shares, strict=True):
        # to rounding: how a product of matrices adds up may depend on the size of a batch
        read = torch.cat([part.x for part in parts])
        torch.testing.assert_close(read, whole.x, rtol=0, atol=1e-6)
        assert torch.equal(torch.cat([part.y for part in parts]), whole.y)
        assert {part.total for part in parts} == {whole.total} == {len(whole.x)}


def trained(sets, recipe, workers, share=ALONE):
    """Weights and history of a small network after two epochs of a recipe, as its stage trains."""
    defended = hasattr(recipe, "defence")
    read = Precise(inputs(sets, recipe, workers))
    if defended:
        read.inputs.normalise = Normalisation((0.0, 0.0, 0.0))
    torch.manual_seed(5)
    network = nn.Sequential(
        *(nn.Conv2d(3, 6, 3, bias=False), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout(0.3)),
        *(nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(24, 2)),
    ).double()
    clock = Clock(2 * read.steps, 2 * read.steps, read.steps)
    strategy = Defending(make_defence(recipe)) if defended else CrossEntropy()
    given = {"key": ("imagenet", 0), "share": share, "task": Classification(strategy)}
    trainer = Trainer(network, read, tiny(recipe), 0.05, clock, **given)
    history = [[float(value) for value in row.values()] for row in trainer.fit().history]
    return network.state_dict(), torch.tensor(history, dtype=torch.float64)


DRAWN = {  # the first of those that draw the same
    f"{r.pictures} {r.augmentation} {getattr(getattr(r, 'defence', None), 'name', None)}": name
    for name, r in reversed(RECIPES.items())
}


@pytest.mark.parametrize("name", sorted(DRAWN.values()))
def test_two_processes_with_other_workers_train_the_network_of_one(sets, in_processes, name):
    expected = trained(sets, RECIPES[name], workers=0)
    found = in_processes(lambda rank: trained(sets, RECIPES[name], rank + 1, Share(rank, 2)))
    for weights, history in found:
        torch.testing.assert_close(weights, expected[0], rtol=0, atol=1e-10)
        torch.testing.assert_close(history, expected[1], rtol=0, atol=1e-10)
