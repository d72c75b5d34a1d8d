"""The counted networks are those of the configuration, and a sample of them is counted anew."""

import json

import pytest
from reactivate.commands.count import configured_networks, counted, entry_of
from reactivate.experiment.costs.networks import COUNTED, counted_networks, written

# small ones of every kind of layer: their counting takes a second or two each
SAMPLE = [
    "vgg16 relu bn width 0.125 classes 10 input 3x32x32",
    "fcnn sigmoid bn width 0.0625 classes 10 input 1x28x28",
    "cifar_vgg_conv1 relu bn width 0.125 classes 10 input 3x32x32 "
    '{"arguments": {"dropout_factor": 0.0}}',
]


def test_every_network_of_the_configuration_is_counted_and_no_other():
    assert set(counted_networks()) == set(configured_networks())


@pytest.mark.parametrize("name", SAMPLE)
def test_a_network_counted_anew_has_the_work_that_is_kept(name):
    kept = json.loads(COUNTED.read_text(encoding="utf-8"))[name]
    assert entry_of(counted(*configured_networks()[name])) == kept


def test_the_file_is_as_it_is_written():
    text = COUNTED.read_text(encoding="utf-8")
    assert written(json.loads(text)) == text


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "networks.json"
    path.write_text('{"vgg16": {"parameters": 3}}')
    with pytest.raises(ValueError, match=r"networks\.json is not as `reactivate count` writes it"):
        counted_networks(path)
