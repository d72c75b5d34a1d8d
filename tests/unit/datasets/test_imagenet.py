"""Pictures are streamed from any set of them, the same whoever cuts them and how many do."""

import pytest
import torch
from PIL import Image
from reactivate.datasets.imagenet import ImageStream
from reactivate.datasets.imagenet import picture_transform as transform
from reactivate.datasets.pictures import decode
from reactivate.datasets.transforms import v2


class Pictures:
    """Eleven drawn pictures of different sizes, and the numbers of those that were read."""

    def __init__(self, folder):
        self.labels = torch.arange(11) % 3
        self.seen = []
        self.files = []
        random = torch.Generator().manual_seed(0)
        for number in range(11):
            path = folder / f"{number}.JPEG"
            size = (3, 40 + number, 50)
            pixels = torch.randint(256, size, generator=random, dtype=torch.uint8)
            Image.fromarray(pixels.permute(1, 2, 0).numpy()).save(path)
            self.files.append(path)

    def read(self, number):
        self.seen.append(number)
        return str(self.files[number]), self.files[number].read_bytes()


@pytest.fixture
def pictures(tmp_path):
    return Pictures(tmp_path)


def stream(pictures, workers=0, crop="random_resized_crop", **options):
    return ImageStream(pictures, transform(crop, 16, 20), workers, **options)


BATCHES = torch.split(torch.tensor([3, 0, 10, 7, 7, 1, 2]), 3)


def listed(batches):
    return [(images.clone(), labels.clone()) for images, labels in batches]


def same(one, other):
    return len(one) == len(other) and all(
        torch.equal(*images) and torch.equal(*labels)
        for images, labels in (zip(*pair, strict=True) for pair in zip(one, other, strict=True))
    )


def test_batches_have_the_pictures_asked_for_and_their_labels(pictures):
    found = listed(stream(pictures, crop="middle").batches(BATCHES))
    assert [images.shape for images, _ in found] == [(n, 3, 16, 16) for n in (3, 3, 1)]
    assert [labels.tolist() for _, labels in found] == [[0, 0, 1], [1, 1, 1], [2]]
    picture = torch.from_numpy(decode(*pictures.read(10)).copy()).permute(2, 0, 1)
    assert torch.equal(found[0][0][2], transform("middle", 16, 20)(picture))


@pytest.mark.parametrize("crop", ["random_resized_crop", "random_crop"])
def test_batches_are_the_same_with_any_number_of_workers(pictures, crop):
    alone = listed(stream(pictures, crop=crop).batches(BATCHES, "epoch 1"))
    for workers in (1, 2):
        assert same(alone, listed(stream(pictures, workers, crop).batches(BATCHES, "epoch 1")))
    assert not same(alone, listed(stream(pictures, crop=crop).batches(BATCHES, "epoch 2")))


def test_a_picture_is_cut_the_same_in_any_batch(pictures):
    whole = torch.cat([x for x, _ in stream(pictures).batches(BATCHES, "k")])
    single = torch.cat(
        [x for x, _ in stream(pictures).batches(torch.split(torch.cat(BATCHES), 1), "k")]
    )
    assert torch.equal(whole, single)


def test_workers_serve_pass_after_pass_whether_or_not_one_is_finished(pictures):
    made = stream(pictures, workers=2)
    next(made.batches(BATCHES, "left early"))
    processes = [worker.pid for worker in made.loader._iterator._workers]
    again = listed(made.batches(BATCHES[:2], "k"))
    assert [worker.pid for worker in made.loader._iterator._workers] == processes
    assert same(again, listed(stream(pictures).batches(BATCHES[:2], "k")))


def test_two_passes_at_a_time_are_an_error(pictures):
    made = stream(pictures)
    first = made.batches(BATCHES)
    next(first)
    list(made.batches(BATCHES))
    with pytest.raises(RuntimeError, match="another pass over the same pictures has begun"):
        next(first)


def test_nothing_is_drawn_from_the_stream_of_the_process(pictures):
    with torch.random.fork_rng():
        torch.manual_seed(5)
        expected = torch.rand(3)
        torch.manual_seed(5)
        list(stream(pictures).batches(BATCHES, "k"))
        list(stream(pictures, workers=1).batches(BATCHES, "k"))
        assert torch.equal(torch.rand(3), expected)


def test_no_picture_is_read_before_its_batch_is(pictures):
    batches = stream(pictures).batches(BATCHES)
    assert pictures.seen == []
    next(batches)
    assert pictures.seen == [3, 0, 10]


def test_a_negative_number_of_workers_is_named(pictures):
    with pytest.raises(ValueError, match="workers is -1; accepted: 0 or more"):
        stream(pictures, workers=-1)


@pytest.mark.parametrize("workers", [0, 1])
def test_corrupt_picture_is_named_without_a_traceback(pictures, workers):
    pictures.files[7].write_bytes(pictures.files[7].read_bytes()[:200])
    with pytest.raises(ValueError, match=r"7\.JPEG \(200 bytes\) is not a pic") as caught:
        list(stream(pictures, workers).batches(BATCHES))
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_grey_picture_becomes_colour(tmp_path):
    path = tmp_path / "grey.JPEG"
    Image.new("L", (6, 5), 90).save(path)
    picture = decode("grey", path.read_bytes())
    assert picture.shape == (5, 6, 3)
    assert (picture == 90).all()


@pytest.mark.parametrize(
    ("shortest", "side"), [(None, 96), (97, 96), (96, 96), (48, 48), (47, 48), (13, 24), (1, 12)]
)
def test_a_picture_is_decoded_as_small_as_its_sides_allow(tmp_path, shortest, side):
    path = tmp_path / "large.JPEG"
    ramp = torch.linspace(0, 255, 96).expand(96, 96).byte().numpy()
    Image.fromarray(ramp).convert("RGB").resize((144, 96)).save(path, quality=95)
    picture = decode("large", path.read_bytes(), shortest)
    assert picture.shape == (side, side * 3 // 2, 3)
    whole = torch.from_numpy(decode("large", path.read_bytes()).copy()).permute(2, 0, 1)
    mean = torch.nn.functional.avg_pool2d(whole.float(), 96 // side)
    difference = (torch.from_numpy(picture.copy()).permute(2, 0, 1) - mean).abs()
    assert difference.mean() < 2


def test_a_stream_decodes_as_small_as_it_is_told(pictures):
    small, whole = (stream(pictures, crop="middle", shortest=s) for s in (20, None))
    assert not same(listed(small.batches(BATCHES)), listed(whole.batches(BATCHES)))


SMOOTH = torch.nn.functional.interpolate(
    torch.rand(1, 3, 6, 6, generator=torch.Generator().manual_seed(0)), (40, 50), mode="bicubic"
)
PICTURE = (255 * SMOOTH[0]).clamp(0, 255).to(torch.uint8)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_pictures_are_interpolated_as_asked(mode):
    resized = v2.functional.resize(PICTURE, [20], v2.InterpolationMode(mode), antialias=True)
    found = transform("middle", 16, 20, interpolation=mode)(PICTURE)
    assert torch.equal(found, v2.functional.center_crop(resized, [16, 16]))


def test_random_interpolation_is_each_for_half_of_the_pictures():
    ways = [transform("middle", 16, 20, interpolation=mode) for mode in ("bilinear", "bicubic")]
    one, other = (way(PICTURE) for way in ways)
    assert not torch.equal(one, other)
    either = transform("middle", 16, 20, interpolation="random")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        found = [either(PICTURE) for _ in range(200)]
    first = sum(torch.equal(image, one) for image in found)
    assert first + sum(torch.equal(image, other) for image in found) == 200
    assert 70 < first < 130
