"""Filters of networks, and of weights that others trained."""

import pytest
import torch
from reactivate.documents.crelu.filters import filters_of, load_filters
from reactivate.foundation.files import write_with_checksum
from reactivate.layers.style import Style
from reactivate.models.allcnn import conv1_4
from safetensors.torch import save_file


def test_every_convolution_of_a_network_is_found_in_its_order():
    found = filters_of(conv1_4(width=0.05, classes=4))
    assert list(found) == [f"conv{number}" for number in range(1, 13)]
    assert found["conv1"].shape[1:] == (3, 11, 11)
    assert found["conv12"].shape[0] == 4
    assert not any(weight.requires_grad for weight in found.values())


def test_a_parameterized_convolution_gives_the_weight_it_computes_with():
    layer = Style("relu", "wn").conv(3, 4, kernel=3)
    (weight,) = filters_of(layer).values()
    convolution = next(m for m in layer.modules() if isinstance(m, torch.nn.Conv2d))
    torch.testing.assert_close(weight, convolution.weight.detach())


def test_converted_weights_are_loaded_as_they_were_written(tmp_path):
    kernels = {"conv1": torch.randn(4, 3, 2, 2), "conv2": torch.randn(2, 4, 1, 1)}
    with write_with_checksum(tmp_path / "toy.safetensors") as part:
        save_file(kernels, part)
    loaded = load_filters("toy", tmp_path)
    assert all(torch.equal(loaded[name], kernels[name]) for name in kernels)
    (tmp_path / "toy.safetensors").write_bytes(b"changed")
    with pytest.raises(ValueError, match=r"toy\.safetensors has sha256 .* it was changed"):
        load_filters("toy", tmp_path)
