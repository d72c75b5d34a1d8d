"""ImageNet as a run reads it: every process its share, every batch its true size."""

import numpy as np
import pytest
import torch
from PIL import Image
from reactivate.datasets.images import ImageData
from reactivate.datasets.picture_sets import FolderPictures
from reactivate.training.folder_inputs import MEAN, STD, StreamInputs
from reactivate.training.inputs import ALONE, Share, subset

PICTURES = {"size": 16, "resize": 20, "train": "random_crop"}
CPU = torch.device("cpu")


class Counted(FolderPictures):
    """Pictures that count how often each is read."""

    def read(self, number):
        with (self.folder / "read").open("a") as file:  # workers are other processes
            file.write(f"{number}\n")
        return super().read(number)

    @property
    def seen(self):
        return [int(line) for line in (self.folder / "read").read_text().splitlines()]


@pytest.fixture
def sets(tmp_path):
    """Eleven pictures to train and three to test, each of its own grey."""
    made = {}
    for part, labels in (("train", [n % 2 for n in range(11)]), ("test", [0, 1, 0])):
        folder = tmp_path / part
        folder.mkdir()
        names = [f"{number:02}.JPEG" for number in range(len(labels))]
        for number, name in enumerate(names):
            Image.new("RGB", (24, 30), (20 * number, 20 * number, 20 * number)).save(folder / name)
        made[part] = Counted(folder, np.array(names, dtype=np.bytes_), torch.tensor(labels))
    return made


@pytest.fixture
def inputs(sets, recipe):
    """``inputs(workers, **changes)``: of the recipe."""

    def make(workers=0, fraction=1.0, **changes):
        chosen = recipe(batch_size=4, pictures=PICTURES, **changes)
        return StreamInputs(sets, chosen, ("imagenet", 0), CPU, workers, fraction)

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
    assert y.tolist() == [0, 1, 0]
    assert total == 3
    order = [n for n in range(3) for _ in range(views)]
    assert numbers([(x, y, total)]) == order


def test_a_recipe_without_pictures_is_named(sets, recipe):
    with pytest.raises(ValueError, match=r"says nothing of pictures, but imagenet has .* add"):
        StreamInputs(sets, recipe(), ("imagenet", 0), CPU, workers=1)


def test_an_epoch_is_the_same_with_any_number_of_workers_and_processes(inputs):
    alone = torch.cat([x for x, _, _ in inputs(workers=0).epoch(1, ALONE)])
    helped = torch.cat([x for x, _, _ in inputs(workers=2).epoch(1, ALONE)])
    assert torch.equal(alone, helped)
    shares = [list(inputs().epoch(1, Share(rank, 2))) for rank in range(2)]
    shared = [x for batch in zip(*shares, strict=True) for x, _, _ in batch]
    assert torch.equal(alone, torch.cat(shared))


@pytest.mark.parametrize("workers", [0, 1])
def test_no_picture_is_read_that_is_not_asked_for(inputs, sets, workers):
    (batch,) = inputs(workers).measured("test", 1, torch.tensor([2, 0]))
    assert numbers([batch]) == [2, 0]
    assert sets["test"].seen == [2, 0]


@pytest.mark.parametrize("views", [1, 10])
def test_a_batch_is_as_large_as_is_asked_for(inputs, views):
    found = inputs().measured("train", views, size=4 * views)
    assert [len(x) for x, _, _ in found] == [4 * views, 4 * views, 3 * views]


def test_pictures_are_decoded_when_their_batch_is_asked_for(inputs, sets):
    stream = inputs().measured("train", 1, size=3)
    next(stream)
    assert sets["train"].seen == [0, 1, 2]


def test_a_fraction_of_the_pictures_is_that_of_images_in_memory(inputs, sets):
    part = inputs(fraction=0.5)
    labels = sets["train"].labels
    data = ImageData(torch.arange(11), labels, torch.arange(3), torch.tensor([0, 1, 0]))
    kept = subset(data, "imagenet", 0.5)
    assert (part.count("train"), part.count("test"), part.steps) == (6, 2, 2)
    assert sorted(numbers(part.epoch(1, ALONE))) == sorted(kept.train_images.tolist())
    assert numbers(part.measured("test", 1)) == kept.test_images.tolist()


def test_small_decoding_is_part_of_what_the_recipe_says(recipe):
    plain, small = (
        recipe(pictures=PICTURES | more).pictures.model_dump() for more in ({}, {"shortest": 30})
    )
    assert small == {**plain, "shortest": 30}
    with pytest.raises(ValueError, match="shortest 19 is less than what is cut from: 20"):
        recipe(pictures=PICTURES | {"shortest": 19})


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
