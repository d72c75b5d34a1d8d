"""A prepared set in memory: loading, batches, normalisation."""

import pytest
import torch
from reactivate.datasets.imagenet import v2
from reactivate.datasets.images import ImageData, Normalisation, batches, channel_statistics
from reactivate.foundation.files import write_with_checksum
from reactivate.preparation.prepared import load_images
from safetensors.torch import save_file


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


IMAGES = torch.randint(0, 256, (10, 3, 4, 4), dtype=torch.uint8, generator=stream())
LABELS = torch.arange(10)
DATA = ImageData(IMAGES[:7], LABELS[:7], IMAGES[7:], LABELS[7:])


def write(folder, tensors):
    with write_with_checksum(folder / "toy.safetensors") as part:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, part)


def test_prepared_images_can_be_loaded_and_moved(tmp_path):
    write(tmp_path, vars(DATA))
    loaded = load_images("toy", tmp_path).to("cpu")
    for name, tensor in vars(DATA).items():
        torch.testing.assert_close(getattr(loaded, name), tensor, rtol=0, atol=0)


def test_table_is_not_taken_for_images(tmp_path):
    write(tmp_path, {"x": torch.zeros(2, 2), "y": torch.zeros(2, 1)})
    with pytest.raises(ValueError, match="holds x, y, expected test_images, test_labels, train_i"):
        load_images("toy", tmp_path)


def test_damaged_images_are_not_loaded(tmp_path):
    write(tmp_path, vars(DATA))
    path = tmp_path / "toy.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="it was changed or damaged"):
        load_images("toy", tmp_path)


def test_missing_images_say_how_to_make_them(tmp_path):
    with pytest.raises(ValueError, match="does not exist; make it with: snakemake"):
        load_images("toy", tmp_path)


@pytest.mark.parametrize("size", [1, 3, 5, 10, 11])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_pass_gives_every_image_once_with_its_label(size, shuffled):
    found = list(batches(IMAGES, LABELS, size, stream() if shuffled else None))
    assert [len(labels) for _, labels in found[:-1]] == [size] * (len(found) - 1)
    labels = torch.cat([labels for _, labels in found])
    assert labels.sort().values.tolist() == LABELS.tolist()
    assert (labels.tolist() == LABELS.tolist()) is not shuffled
    torch.testing.assert_close(torch.cat([x for x, _ in found]), IMAGES[labels], rtol=0, atol=0)


def test_two_passes_of_one_stream_differ_and_can_be_repeated():
    generator = stream(1)
    one, two = (torch.cat([y for _, y in batches(IMAGES, LABELS, 4, generator)]) for _ in "ab")
    again = torch.cat([y for _, y in batches(IMAGES, LABELS, 4, stream(1))])
    assert not torch.equal(one, two)
    assert torch.equal(one, again)


def test_normalisation_is_torchvisions():
    mean, std = (0.4914, 0.4822, 0.4465), (0.2023, 0.1994, 0.2010)
    theirs = v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, std)])
    torch.testing.assert_close(Normalisation(mean, std)(IMAGES), theirs(IMAGES))


def test_mean_only_leaves_the_spread():
    found = Normalisation((0.1, 0.2, 0.3))(IMAGES)
    expected = IMAGES.float() / 255 - torch.tensor([0.1, 0.2, 0.3])[:, None, None]
    torch.testing.assert_close(found, expected)


def test_numbers_for_other_channels_are_an_error():
    with pytest.raises(ValueError, match="mean and std have 1 and 3 numbers for 3 channels"):
        Normalisation((0.1,), (1.0, 1.0, 1.0))(IMAGES)


def test_statistics_are_those_of_the_pixels_and_normalise_them():
    images = torch.randint(0, 256, (5000, 2, 3, 3), dtype=torch.uint8, generator=stream(2))
    found = channel_statistics(images)
    pixels = images.double() / 255
    assert found.mean == pytest.approx(pixels.mean((0, 2, 3)).tolist(), rel=1e-12)
    spread = pixels.std((0, 2, 3), correction=0)
    assert found.std == pytest.approx(spread.tolist(), rel=1e-12)
    normal = found(images).double()
    torch.testing.assert_close(normal.mean((0, 2, 3)), torch.zeros(2).double(), atol=1e-6, rtol=0)
