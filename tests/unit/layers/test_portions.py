"""Portions of a batch draw together what the whole batch draws."""

import pytest
import torch
from reactivate.attacks.pgd import started
from reactivate.datasets.augment import colour_moves
from reactivate.datasets.erasing import RandomErasing
from reactivate.datasets.rand_augment import RandAugment
from reactivate.defences.noise import gaussian
from reactivate.layers.portions import (
    Portion,
    PortionDropout,
    Present,
    continued_for_images,
    draw,
    draw_for_whole_batches,
    portion_generator,
)
from torch import nn


def stream():
    return torch.Generator().manual_seed(3)


def portions(total, parts):
    return Portion.whole(total).divided(parts)


@pytest.mark.parametrize(("total", "parts"), [(8, 2), (7, 3), (1, 2), (5, 5)])
def test_portions_are_those_of_tensor_split(total, parts):
    rows = torch.arange(total)
    for part, expected in zip(portions(total, parts), rows.tensor_split(parts), strict=True):
        assert rows[part.first : part.first + part.count].tolist() == expected.tolist()
        assert part.total == total


def test_a_portion_is_divided_within_itself():
    own = portions(7, 2)[1]
    assert own.divided(2) == [Portion(4, 2, 7), Portion(6, 1, 7)]


def test_a_whole_batch_draws_from_the_stream_itself():
    random = stream()
    assert portion_generator(random, Portion.whole(4)) is random


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("kind", ["rand", "randn"])
def test_portions_draw_what_the_whole_draws_one_draw_after_the_other(kind, parts):
    whole = stream()
    expected = [draw(kind, (7, 2), whole), draw(kind, (3, 7), whole, torch.float64, images=1)]
    found = []
    for part in portions(7, parts):
        random = portion_generator(stream(), part)
        first = draw(kind, (part.count, 2), random)
        found.append((first, draw(kind, (3, part.count), random, torch.float64, images=1)))
    assert torch.equal(torch.cat([first for first, _ in found]), expected[0])
    assert torch.equal(torch.cat([second for _, second in found], dim=1), expected[1])


def test_portions_stay_portions_on_another_device(monkeypatch):
    """The other device is made up: what goes on there is a new stream of the same process."""
    monkeypatch.setattr("reactivate.layers.portions.continued", lambda *_: stream())
    device = torch.device("cuda")
    whole = draw("randn", (7, 2), continued_for_images(torch.Generator(), device))
    own = [
        draw("randn", (part.count, 2), continued_for_images(random, device))
        for part in portions(7, 3)
        for random in [portion_generator(torch.Generator(), part)]
    ]
    assert torch.equal(torch.cat(own), whole)


@pytest.mark.parametrize("copies", [None, 2])
def test_noise_of_portions_is_that_of_the_batch(copies):
    x = torch.zeros(5, 2, 2)
    expected = gaussian(x, 0.5, stream(), copies)
    own = [
        gaussian(x[: part.count], 0.5, portion_generator(stream(), part), copies)
        for part in portions(5, 2)
    ]
    assert torch.equal(torch.cat(own, dim=0 if copies is None else 1), expected)


@pytest.mark.parametrize("norm", ["linf", "l2"])
@pytest.mark.parametrize("start", ["uniform", "gaussian"])
def test_attacks_of_portions_start_where_those_of_the_batch_do(start, norm):
    x = torch.full((5, 2, 2), 0.5)
    expected = started(x, 0.1, norm, start, stream())
    own = [
        started(x[: part.count], 0.1, norm, start, portion_generator(stream(), part))
        for part in portions(5, 2)
    ]
    assert torch.equal(torch.cat(own), expected)


@pytest.mark.parametrize(
    "change",
    [
        RandomErasing(0.7, count=3),
        RandAugment((1, 2, 3), layers=3, probability=0.8),
        lambda images, random: images + colour_moves(len(images), 0.1, random)[:, :, None, None],
    ],
    ids=["erasing", "rand_augment", "colours"],
)
def test_portions_are_altered_as_the_batch_is(change):
    images = torch.randint(256, (2, 7, 3, 9, 9), generator=stream(), dtype=torch.uint8)
    if not isinstance(change, RandAugment):
        images = images.float()
    whole = stream()
    expected = [change(batch, whole) for batch in images]
    own = []
    for part in portions(7, 2):
        random = portion_generator(stream(), part)
        own.append([change(batch.narrow(0, part.first, part.count), random) for batch in images])
    for number in range(2):
        assert torch.equal(torch.cat([one[number] for one in own]), expected[number])


def dropped(network, x):
    torch.manual_seed(0)
    return network(x)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_dropout_of_a_whole_batch_is_that_of_torch(share):
    x = torch.randn(6, 3, 4, 4, generator=stream())
    changed = nn.Sequential(nn.Dropout(share), nn.Dropout(share))
    expected = dropped(changed, x)
    draw_for_whole_batches(changed, Present())
    assert isinstance(changed[1], PortionDropout)
    assert torch.equal(dropped(changed, x), expected)
    assert torch.equal(changed.eval()(x), x)


@pytest.mark.parametrize("copies", [1, 2])
def test_dropout_of_portions_is_that_of_the_batch(copies):
    x = torch.randn(copies, 5, 4, generator=stream())
    network, present = nn.Sequential(nn.Dropout(0.4), nn.Dropout(0.2)), Present()
    expected = dropped(network, x.flatten(0, 1)).reshape(x.shape)
    draw_for_whole_batches(network, present)
    own = []
    for part in portions(5, 3):
        present.portion = part
        images = x.narrow(1, part.first, part.count)
        own.append(dropped(network, images.flatten(0, 1)).reshape(images.shape))
    assert torch.equal(torch.cat(own, dim=1), expected)
