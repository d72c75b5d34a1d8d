"""ImageNet as a run reads it: every process its share, every batch its true size."""

import pytest
import torch
from PIL import Image
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.training.folder_inputs import MEAN, STD, StreamInputs
from reactivate.training.inputs import ALONE, Share

WANTED = FolderSet.model_validate(
    {
        "kind": "folder",
        "title": "Small ImageNet",
        "licence": "none",
        "format": "imagenet",
        "variable": "REACTIVATE_IMAGENET",
        "classes": 2,
        "train": 11,
        "test": 3,
    }
)
PICTURES = {"size": 16, "resize": 20, "train": "random_crop"}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eleven pictures to train and three to validate, each of its own grey."""
    folder = tmp_path_factory.mktemp("imagenet")
    for part, count in (("train", 11), ("val", 3)):
        for number in range(count):
            path = folder / part / f"n0000000{number % 2}" / f"{number:02}.JPEG"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (24, 30), (20 * number, 20 * number, 20 * number)).save(path)
    return folder


@pytest.fixture
def inputs(folder, recipe):
    """``inputs(**changes)``: of the recipe."""

    def make(**changes):
        return StreamInputs(
            folder,
            WANTED,
            recipe(batch_size=4, pictures=PICTURES, **changes),
            ("imagenet", 0),
            CPU,
            workers=1,
        )

    return make


def numbers(batches):
    """Which pictures a process got, told by their grey."""
    pixels = torch.cat([x for x, _, _ in batches]) * torch.tensor(STD)[:, None, None]
    grey = (pixels + torch.tensor(MEAN)[:, None, None]).mean((1, 2, 3)) * 255
    return (grey / 20).round().long().tolist()


def test_an_epoch_has_every_picture_once(inputs):
    batches = list(inputs().epoch(1, ALONE))
    assert [len(x) for x, _, _ in batches] == [4, 4, 3]
    assert [total for _, _, total in batches] == [4, 4, 3]
    assert sorted(numbers(batches)) == list(range(11))
    assert torch.cat([y for _, y, _ in batches]).tolist() == [n % 2 for n in numbers(batches)]


def test_processes_share_the_batch_of_one_alone(inputs):
    alone = list(inputs().epoch(2, ALONE))
    shares = [list(inputs().epoch(2, Share(rank, 2))) for rank in range(2)]
    for whole, first, second in zip(alone, *shares, strict=True):
        assert numbers([first, second]) == numbers([whole])
        assert first.total == second.total == whole.total


def test_an_epoch_is_the_same_every_time_and_unlike_others(inputs):
    one, same, other = (list(inputs().epoch(n, ALONE)) for n in (1, 1, 2))
    assert all(torch.equal(a.x, b.x) for a, b in zip(one, same, strict=True))
    assert numbers(one) != numbers(other)


def test_lighting_moves_colours_of_training_pictures_only(inputs):
    plain, moved = inputs(), inputs(augmentation={"lighting": 0.1})
    differences = [
        (a.x - b.x).flatten(2)
        for a, b in zip(plain.epoch(1, ALONE), moved.epoch(1, ALONE), strict=True)
    ]
    assert all((d.std(2) < 1e-5).all() and (d.abs() > 1e-6).any() for d in differences)
    tested = [torch.cat([b.x for b in i.measured("test", 1)]) for i in (plain, moved)]
    assert torch.equal(*tested)


@pytest.mark.parametrize("views", [1, 10])
def test_measured_pictures_come_in_order(inputs, views):
    ((x, y, total),) = inputs().measured("test", views)
    assert x.shape == (3 * views, 3, 16, 16)
    assert y.tolist() == [0, 0, 1]
    assert total == 3
    order = [n for n in (0, 2, 1) for _ in range(views)]
    assert numbers([(x, y, total)]) == order


def test_a_recipe_without_pictures_is_named(folder, recipe):
    with pytest.raises(ValueError, match=r"says nothing of pictures, but imagenet has .* add"):
        StreamInputs(folder, WANTED, recipe(), ("imagenet", 0), CPU, workers=1)


def test_whole_batches_leave_the_rest_of_the_stream(inputs):
    batched = inputs(whole_batches=True)
    assert [total for _, _, total in batched.epoch(1, ALONE)] == [4, 4]
    assert batched.steps == 2


def test_operations_and_rectangles_change_what_is_streamed(inputs):
    operations = {"layers": 1, "magnitude": 10.0, "deviation": 0.0, "probability": 1.0}
    erasing = {"probability": 1.0, "count": 1}
    changed = inputs(augmentation={"rand_augment": operations, "erasing": erasing})
    one, same = (torch.cat([x for x, _, _ in changed.epoch(1, ALONE)]) for _ in range(2))
    assert torch.equal(one, same)
    # pictures of one grey have one colour per channel unless something was erased or moved
    assert (one.flatten(2).std(2).amin(1) > 0.01).all()
