"""Invariance scores counted while batches pass by equal those of a written-out loop."""

from math import floor, isnan

import pytest
import torch
from reactivate.activations.crelu import CReLU
from reactivate.datasets.augment import shift
from reactivate.filters import invariance
from reactivate.filters.invariance import Highest, firing, firing_thresholds
from torch import nn

RATE = 0.03


def network():
    torch.manual_seed(3)
    return nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(3, 4, 3, padding=1),
        CReLU(),
        nn.Conv2d(8, 2, 1),
        nn.ReLU(inplace=True),
    ).double()


def images(count=23):
    stream = torch.Generator().manual_seed(8)
    return torch.randn(count, 1, 6, 6, dtype=torch.float64, generator=stream)


def similar(x):
    step = torch.full((len(x),), 1)
    return [("flip", x.flip(3)), ("down", shift(x, 1, step, 0 * step))]


def batches(size=7):
    """An iterable for each pass; the last batch is smaller."""
    return lambda: [(x, iter(similar(x))) for x in torch.split(images(), size)]


def strengths(net, x):
    """What is compared with thresholds, as nested lists: layer, image, filter, row, column."""
    first = net[0](x)
    second = net[3](net[2](first.clamp(min=0)))
    third = net[5](torch.cat([second, -second], 1).clamp(min=0))
    return [first.clamp(min=0).tolist(), second.abs().tolist(), third.clamp(min=0).tolist()]


def loop(layer):
    """Fired and still fired places of every filter, by the definitions, place by place."""
    with torch.no_grad():
        original = strengths(network(), images())[layer]
        transformed = [strengths(network(), x)[layer] for _, x in similar(images())]
    found = []
    for f in range(len(original[0])):
        values = [v for image in original for row in image[f] for v in row]
        threshold = sorted(values, reverse=True)[floor(RATE * len(values))]
        fired, kept = 0, [0, 0]
        for n, image in enumerate(original):
            for i, row in enumerate(image[f]):
                for j, value in enumerate(row):
                    if value > threshold:
                        fired += 1
                        for t, other in enumerate(transformed):
                            kept[t] += other[n][f][i][j] > threshold
        found.append((len(values), fired, kept))
    return found


@pytest.mark.parametrize(("layer", "name"), [(0, "1"), (1, "4"), (2, "6")])
@pytest.mark.parametrize("size", [7, 23])
def test_counts_equal_those_of_a_loop(layer, name, size):
    found = firing(network(), batches(size), 23, RATE)[name]
    for number, (responses, fired, kept) in enumerate(loop(layer)):
        assert found.responses == responses
        assert found.fired[number] == fired
        assert [found.kept["flip"][number], found.kept["down"][number]] == kept
        wanted = sum(kept) / (2 * fired) / RATE if fired else float("nan")
        assert float(found.score()[number]) == pytest.approx(wanted, nan_ok=True)


def test_a_network_is_left_as_it_was():
    net = network().train()
    firing(net, batches(), 23, RATE)
    assert net.training
    assert not any(module._forward_pre_hooks for module in net.modules())


def test_the_same_image_fires_everything_again():
    found = firing(network(), lambda: [(images(), [("same", images())])], 23, RATE)["4"]
    assert found.local_rate().tolist() == [1.0] * 4
    assert found.score().tolist() == pytest.approx([1 / RATE] * 4)


def test_filters_with_distinct_responses_fire_at_the_rate_asked_for():
    found = firing(network(), batches(), 23, RATE)["4"]
    assert found.fired.tolist() == [floor(RATE * 23 * 9)] * 4
    assert (found.global_rate() <= RATE).all()


def test_relu_filters_that_are_seldom_positive_fire_less_often():
    net = nn.Sequential(nn.Conv2d(1, 2, 1), nn.ReLU()).double()
    net[0].weight.data.zero_()
    net[0].weight.data[0] = 1.0
    between = float(images().flatten().topk(3).values[1:].mean())  # of the second and the third
    net[0].bias.data[:] = torch.tensor([-between, -1.0])
    found = firing(net, batches(), 23, RATE)["1"]
    assert found.fired.tolist() == [2, 0]
    assert isnan(float(found.score()[1]))


def test_scores_do_not_depend_on_the_scale_of_responses():
    net, scaled = network(), network()
    scaled[3].weight.data *= 4
    scaled[3].bias.data *= 4
    plain, large = (firing(n, batches(), 23, RATE)["4"] for n in (net, scaled))
    assert torch.equal(plain.score(), large.score())


def test_only_the_first_layers_are_measured():
    assert list(firing(network(), batches(), 23, RATE, layers=2)) == ["1", "4"]


@pytest.mark.parametrize("size", [1, 5, 40])
def test_the_highest_are_those_of_all_responses(size):
    values = torch.randn(3, 40, generator=torch.Generator().manual_seed(0))
    highest = Highest(6)
    for part in torch.split(values, size, dim=1):
        highest.update(part)
    assert torch.equal(highest.lowest(), values.sort(dim=1).values[:, -6])
    assert highest.values.shape == (3, 6)


def test_too_few_responses_are_refused():
    with pytest.raises(ValueError, match=r"72 responses .* accepted: at least 100"):
        firing_thresholds(network(), [images(2)], 2, 0.01, layers=2)


def test_more_than_the_limit_is_never_kept(monkeypatch):
    monkeypatch.setattr(invariance, "LIMIT", 8 * (3 * 25 + 4 * 7) - 1)
    with pytest.raises(ValueError, match=r"accepted: 823, LIMIT"):
        firing_thresholds(network(), [images()], 23, RATE)
    monkeypatch.setattr(invariance, "LIMIT", 8 * (3 * 25 + 4 * 7))
    assert len(firing_thresholds(network(), [images()], 23, RATE, layers=2)) == 2


def test_other_activations_have_no_rule():
    net = nn.Sequential(nn.Conv2d(1, 2, 1), nn.Sigmoid()).double()
    with pytest.raises(ValueError, match="Sigmoid has no rule for firing; accepted: ReLU, CReLU"):
        firing_thresholds(net, [images()], 23, RATE)


def test_a_pooled_filter_is_more_invariant_to_shifts():
    """A property the paper explains its curves with, for filters that only look at one pixel."""
    x = images(400)
    step = torch.full((len(x),), 1)
    pairs = [(x, [("down", shift(x, 1, step, 0 * step))])]
    layer = nn.Conv2d(1, 1, 1).double()
    nn.init.ones_(layer.weight)
    sharp = nn.Sequential(layer, nn.ReLU())
    blurred = nn.Sequential(nn.MaxPool2d(3, 1, 1), layer, nn.ReLU())
    plain, pooled = (firing(n, lambda: pairs, 400)[m] for n, m in ((sharp, "1"), (blurred, "2")))
    assert float(pooled.score()) > 2 * float(plain.score())
