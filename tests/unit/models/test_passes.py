"""The work of a pass is that of its matrix products, its kernels and the bytes they touch."""

import pytest
from reactivate.models import MODELS
from reactivate.models.flops import count_operations
from reactivate.models.passes import network_work
from torch import nn


def small(network, parameterization="bn"):
    return MODELS.load(network)(
        activation="relu", parameterization=parameterization, width=0.125, classes=10, options={}
    )


@pytest.mark.parametrize("network", ["vgg16", "resnet34", "cifar_vgg"])
def test_arithmetic_is_twice_the_multiply_adds_that_hooks_count(network):
    work = network_work(lambda: small(network), (3, 32, 32))
    counted = count_operations(small(network), (3, 32, 32)).multiply_adds
    assert work.forward.flops == 2 * counted
    assert work.forward.fixed_flops == 0


def test_a_training_step_takes_the_images_gradient_and_the_weights_but_for_the_first_layer():
    layers = nn.Linear(5, 7), nn.Linear(7, 3)
    first, second = 2 * 5 * 7, 2 * 7 * 3
    work = network_work(lambda: nn.Sequential(*layers).to("meta"), (5,))
    assert work.forward.flops == first + second
    assert work.training.flops == 2 * first + 3 * second  # nobody asks for the images' gradient
    assert work.ascent.flops == 2 * (first + second)


def test_a_layer_reads_its_input_and_weights_and_writes_its_output():
    work = network_work(lambda: nn.Linear(5, 7, bias=False), (5,)).forward
    assert work.traffic == 4 * (5 + 7)
    assert work.fixed_traffic == 4 * 5 * 7
    assert (work.fixed_kernels, work.kernels) == (1, 0)


def test_what_is_kept_for_the_backward_pass_are_activations_and_not_weights():
    network = nn.Sequential(nn.Linear(1000, 500), nn.Sigmoid(), nn.Linear(500, 2))
    work = network_work(lambda: network.to("meta"), (1000,))
    # of a sample: the input, the sigmoid's output, the logarithms of the scores, and the label
    assert work.kept == 4 * (1000 + 500 + 2) + 8
    assert work.parameters == 1000 * 500 + 500 + 500 * 2 + 2
    assert work.tensors == 4


def test_a_parameterization_costs_the_same_whatever_the_batch():
    plain, gmp = (network_work(lambda p=p: small("vgg6", p), (3, 32, 32)) for p in ("sp", "gmp"))
    assert gmp.training.flops == plain.training.flops
    assert gmp.training.fixed_traffic > 3 * plain.training.fixed_traffic
    assert gmp.training.fixed_kernels > plain.training.fixed_kernels
