"""Which activations are repressed, what changes nothing, and what is refused."""

from itertools import pairwise

import pytest
import torch
from reactivate.foundation.seeding import generator
from reactivate.models.cifar_resnet import CifarResNet
from reactivate.models.resnet import resnet14
from reactivate.models.vgg import VGG16
from reactivate.smoothing.bases import VARIANTS, Repressed
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.repression import changing, is_relu, masked_activations, shrink
from torch import nn


def vgg():
    torch.manual_seed(0)
    return VGG16(width=0.05).double().eval().requires_grad_(False)


def noise():
    return torch.randn(4, 3, 32, 32, generator=generator("test", "noise")).double()


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_is_repressed_by_a_share_of_0(variant):
    network, x = vgg(), noise()[0]
    found = Repressed(network, 0.0, variant).around(x)(x + noise(), noise)
    torch.testing.assert_close(found, network(x + noise()))


def test_nothing_is_repressed_where_both_streams_are_the_same():
    network, x = vgg(), noise()[0]
    plain = network(x + noise())
    sound = Repressed(network, 0.5, "sound", fresh=0.0).around(x)(x + noise(), noise)
    torch.testing.assert_close(sound, plain)
    copies = x.expand(3, -1, -1, -1)
    for variant in ("document", "authors_code"):
        found = Repressed(network, 0.5, variant).around(x)(copies, noise)
        torch.testing.assert_close(found, network(copies))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_streamlined_network_is_repressed_alike(variant):
    network, x = vgg(), noise()[0]
    found = [
        Repressed(made, 0.3, variant).around(x)(x + noise(), lambda: noise().flip(0))
        for made in (network, streamlined(network))
    ]
    torch.testing.assert_close(*found)


def test_one_and_two_passes_are_the_same_with_one_hidden_layer():
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(4, 50), nn.ReLU(), nn.Linear(50, 3)).double()
    network.requires_grad_(False)
    x, noisy = torch.rand(4).double(), torch.randn(20, 4).double()
    one, two = (Repressed(network, 0.4, v).around(x)(noisy, noise) for v in VARIANTS[:2])
    torch.testing.assert_close(one, two)


def test_one_and_two_passes_differ_in_deeper_networks():
    torch.manual_seed(1)
    sizes = [4, 50, 50, 50, 3]
    layers = [nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in pairwise(sizes)]
    network = nn.Sequential(*layers, nn.Linear(3, 3)).double().requires_grad_(False)
    x, noisy = torch.rand(4).double(), torch.randn(50, 4).double()
    one, two = (Repressed(network, 0.9, v).around(x)(noisy, noise) for v in VARIANTS[:2])
    assert not torch.allclose(one, two)


def test_joined_activations_are_those_after_additions():
    network = resnet14(width=0.1, classes=3)
    everywhere, joined = (masked_activations(network, where) for where in ("all", "joined"))
    assert len(everywhere) == 1 + 3 * 4
    assert masked_activations(network) == everywhere
    assert len(joined) == 4
    assert all(name.endswith("join.activation") for name in joined)


def test_only_joined_activations_are_repressed_if_asked():
    torch.manual_seed(0)
    network = CifarResNet(depth=1, classes=3).double().eval().requires_grad_(False)
    x = noise()[0]
    base = Repressed(network, 0.5, where="joined")
    seen = []

    def see(name, _, z):
        seen.append(name)

    with changing(network, base.masked, before=see):
        found = base.around(x)(x + noise(), noise)
    assert set(seen) == set(base.masked)
    everywhere = Repressed(network, 0.5).around(x)(x + noise(), noise)
    assert not torch.allclose(found, everywhere)


def test_a_module_that_is_used_twice_has_a_mask_for_each_use():
    torch.manual_seed(0)
    relu = nn.ReLU()
    twice = nn.Sequential(nn.Linear(4, 9), relu, nn.Linear(9, 9), relu, nn.Linear(9, 3)).double()
    apart = nn.Sequential(*twice[:3], nn.ReLU(), twice[4]).requires_grad_(False)
    x, noisy = torch.rand(4).double(), torch.randn(20, 4).double()
    for variant in VARIANTS:
        found = [
            Repressed(network, 0.4, variant).around(x)(noisy, lambda: noisy.flip(0))
            for network in (twice, apart)
        ]
        torch.testing.assert_close(*found)


def test_factors_keep_the_type_and_take_breakpoints_and_nan_as_off():
    found = shrink(torch.tensor([-1.0, 0.0, 1.0, float("nan")]).double(), 0.1)
    assert found.dtype == torch.float64
    assert found.tolist() == [0.9, 0.9, 1.0, 0.9]


@pytest.mark.parametrize("eta2", [-0.1, 1.0, float("nan")])
def test_a_share_that_is_none_is_named(eta2):
    with pytest.raises(ValueError, match=r"eta2 is .*; accepted: 0 to below 1.*Change eta2"):
        Repressed(vgg(), eta2)


def test_an_unknown_variant_is_named():
    with pytest.raises(ValueError, match=r"variant is 'exact'; accepted: document, auth.*Change"):
        Repressed(vgg(), 0.1, "exact")


def test_an_unknown_place_is_named():
    with pytest.raises(ValueError, match=r"where is 'last'; accepted: all, joined\. Change"):
        Repressed(vgg(), 0.1, where="last")


def test_a_network_without_additions_has_no_joined_activations():
    with pytest.raises(ValueError, match=r"VGG16 has no .* residual networks\. Change where to"):
        Repressed(vgg(), 0.1, where="joined")


def test_a_network_whose_patterns_are_not_defined_is_named():
    torch.manual_seed(0)
    with pytest.raises(ValueError, match=r"IIEUB has no breakpoints.*accepted"):
        Repressed(VGG16(width=0.1, activation="iieu_b"), 0.1)


@pytest.mark.parametrize(
    ("activation", "found"),
    [(nn.ReLU(), True), (nn.ReLU(inplace=True), True), (nn.ReLU6(), False), (nn.GELU(), False)],
)
def test_what_is_shrunk_behind_it_is_relu_alone(activation, found):
    assert is_relu(activation) is found
