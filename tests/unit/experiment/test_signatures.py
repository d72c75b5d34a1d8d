"""Parameters that are read from source are those that Python finds."""

import inspect

import pytest
from reactivate.activations import ACTIVATIONS
from reactivate.experiment.signatures import parameters_of
from reactivate.foundation.registry import load_function
from reactivate.models import MODELS

OWN = [
    target
    for registry in (MODELS, ACTIVATIONS)
    for target in registry.targets.values()
    if target.startswith("reactivate.")
]


@pytest.mark.parametrize("target", OWN)
def test_they_are_those_of_the_signature(target):
    found = parameters_of(target)
    parameters = inspect.signature(load_function(target)).parameters.values()
    named = {one.name for one in parameters if one.kind is not one.VAR_KEYWORD}
    if found is None:  # a class of torch without a constructor of its own
        return
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        assert named < found
    else:
        assert named <= found


def test_networks_have_known_parameters():
    assert all(parameters_of(target) for target in MODELS.targets.values())


def test_what_is_passed_on_counts(tmp_path):
    assert "input_dropout" in parameters_of(MODELS.target("convpool8_half"))  # by _of_width
    assert "input_dropuot" not in parameters_of(MODELS.target("convpool8_half"))


def test_code_of_others_is_not_known():
    assert parameters_of("torch.nn:ReLU") is None
    assert parameters_of("reactivate.experiment.signatures:nobody") is None
