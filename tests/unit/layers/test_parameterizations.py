"""Every parameterization computes what the plain layer it was made from computed."""

import copy
import warnings

import pytest
import torch
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.layers.initialization import SCHEMES, initialize
from reactivate.layers.parameterizations import parameterize
from reactivate.layers.unit import Unit
from reactivate.models.flops import count_parameters
from torch import nn

LAYERS = {
    "linear": lambda: nn.Linear(7, 5),
    "linear_one_input": lambda: nn.Linear(1, 6),
    "linear_two_inputs": lambda: nn.Linear(2, 6),
    "linear_without_bias": lambda: nn.Linear(7, 5, bias=False),
    "conv1d": lambda: nn.Conv1d(3, 4, 3),
    "conv2d": lambda: nn.Conv2d(3, 4, 3, stride=2, padding=1),
    "conv2d_depthwise": lambda: nn.Conv2d(4, 4, 3, groups=4),
    "conv2d_one_weight": lambda: nn.Conv2d(1, 4, 1),
    "conv3d": lambda: nn.Conv3d(2, 3, 2),
}


@pytest.fixture(params=sorted(LAYERS))
def layer(request):
    torch.manual_seed(0)
    return LAYERS[request.param]().double()


def inputs(layer, batch=9):
    channels = layer.weight.shape[1] * getattr(layer, "groups", 1)
    return torch.randn(batch, channels, *(5,) * (layer.weight.dim() - 2), dtype=torch.float64)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "crelu", None])
@pytest.mark.parametrize("name", sorted(PARAMETERIZATIONS.targets))
def test_parameterization_equals_the_plain_layer_in_evaluation(layer, name, activation):
    plain = Unit(copy.deepcopy(layer), activation, "sp")
    unit = Unit(layer, activation, name).double().eval()
    if name == "bn":  # (w x + b) / sqrt(1 + eps) until statistics were gathered
        unit.before.running_var.fill_(1 - unit.before.eps)
    x = inputs(layer)
    torch.testing.assert_close(unit(x), plain(x))


@pytest.mark.parametrize("name", sorted(PARAMETERIZATIONS.targets))
def test_parameterization_equals_the_plain_layer_in_training_up_to_its_statistics(layer, name):
    plain, x = copy.deepcopy(layer), inputs(layer)
    parts = parameterize(layer, name)
    expected = plain(x)
    mean = expected.mean([0, *range(2, expected.dim())])
    variance = expected.var([0, *range(2, expected.dim())], correction=0)
    response = parts.layer(x)
    if name == "bn":
        parts.before.weight.data = (variance + parts.before.eps).sqrt()
        parts.before.bias.data = mean
    if name == "wn_mbn":
        parts.before.shift.data = mean
    if parts.before is not None:
        response = parts.before(response)
    if parts.scale is not None:
        response = parts.scale(response)
    torch.testing.assert_close(response, expected)


@pytest.mark.parametrize("name", ["gmp", "gmp_imn"])
def test_geometric_layer_has_as_many_parameters_as_the_plain_one(name):
    plain = count_parameters(nn.Conv2d(6, 4, 3))
    assert count_parameters(Unit(nn.Conv2d(6, 4, 3), "relu", name)) == plain == 4 * (6 * 9 + 1)


def test_weight_normalization_adds_one_length_per_unit():
    assert count_parameters(Unit(nn.Linear(7, 5), "relu", "wn")) == 5 * (7 + 1 + 1)


def test_sign_of_a_single_weight_does_not_learn():
    unit = Unit(nn.Linear(1, 6), "relu", "gmp")
    before = unit.layer.weight.clone()
    assert before.abs().eq(1).all()
    optimizer = torch.optim.SGD(unit.parameters(), lr=1.0)
    unit(torch.randn(8, 1)).square().sum().backward()
    optimizer.step()
    assert torch.equal(unit.layer.weight, before)
    assert count_parameters(unit) == 2 * 6


@pytest.mark.parametrize("name", sorted(PARAMETERIZATIONS.targets))
def test_every_learning_parameter_gets_a_finite_gradient(layer, name):
    unit = Unit(layer, "relu", name).double()
    x = inputs(layer)
    (unit(x) * torch.randn_like(unit(x))).sum().backward()
    gradients = [p.grad for p in unit.parameters() if p.requires_grad]
    assert all(g is not None and g.isfinite().all() for g in gradients)


@pytest.mark.parametrize("name", sorted(PARAMETERIZATIONS.targets))
def test_state_survives_a_round_trip(name):
    first, second = (Unit(nn.Conv2d(3, 4, 3), "relu", name).eval() for _ in range(2))
    second.load_state_dict(first.state_dict())
    x = torch.randn(2, 3, 6, 6)
    torch.testing.assert_close(first(x), second(x), rtol=0, atol=0)


def test_document_initialization_is_uniform_angles_zero_offset_and_radius_one():
    unit = Unit(nn.Linear(3, 20_000), "relu", "gmp", "document")
    theta = unit.layer.parametrizations.weight.original
    assert theta[:, 0].mean().item() == pytest.approx(torch.pi / 2, abs=0.03)
    assert theta[:, 0].std().item() == pytest.approx(torch.pi / 12**0.5, abs=0.03)
    assert theta[:, 1].min() < -3
    assert theta[:, 1].max() > 3
    assert unit.layer.bias.abs().max() == 0
    assert unit.scale.radius.eq(1).all()
    # half of the squared length is in the first coordinate, whatever the fan-in
    assert unit.layer.weight[:, 0].square().mean().item() == pytest.approx(0.5, abs=0.01)


def test_document_initialization_warns_once_where_it_underflows():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for filters in (32, 64):
            unit = Unit(nn.Conv2d(filters, 8, 3), "relu", "gmp", "document")
    assert len(caught) == 1
    assert "authors_code" in str(caught[0].message)
    assert unit.layer.weight.flatten(1)[:, -1].abs().max() == 0


def test_authors_code_initialization_converts_glorot_weights():
    torch.manual_seed(3)
    unit = Unit(nn.Conv2d(16, 8, 3), "relu", "gmp", "authors_code")
    bound = (6 / (16 * 9 + 8)) ** 0.5
    weight = unit.scale.radius[:, None] * unit.layer.weight.flatten(1)
    assert weight.abs().max() <= bound * 1.0001
    assert weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.1)
    assert unit.layer.bias.abs().max() == 0


def test_a_unit_without_direction_is_refused():
    layer = nn.Linear(3, 2)
    nn.init.zeros_(layer.weight)
    with pytest.raises(ValueError, match="GmP needs a direction"):
        parameterize(layer, "gmp")


@pytest.mark.parametrize("name", ["gmp", "gmp_imn"])
def test_a_unit_that_is_0_everywhere_stays_so(name):
    layer = nn.Linear(3, 2)
    with torch.no_grad():
        layer.weight[0], layer.bias[0] = 0, 0
    x = inputs(layer).float()
    expected = layer(x).relu()
    torch.testing.assert_close(Unit(layer, "relu", name).eval()(x), expected)


@pytest.mark.parametrize("use", [lambda n: parameterize(nn.Linear(2, 2), n), BATCHED.load])
def test_an_unknown_parameterization_is_named_with_the_known_ones(use):
    with pytest.raises(
        ValueError,
        match=r"^unknown parameterization 'gpm'; did you mean gmp.* to workflow/reactivate/layers",
    ):
        use("gpm")


def test_an_unknown_initialization_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="standard_normal"):
        initialize(nn.Linear(2, 2), "xavier")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_initialization_has_the_stated_spread(scheme):
    torch.manual_seed(0)
    layer = nn.Linear(300, 200)
    initialize(layer, scheme)
    expected = {
        "torch": (1 / 300 / 3) ** 0.5,
        "authors_code": (6 / 500 / 3) ** 0.5,
        "authors_code_signed": (6 / 500 / 3) ** 0.5,
        "document": (6 / 500 / 3) ** 0.5,
        "document_direction": (6 / 500 / 3) ** 0.5,
        "fan_out": (2 / 200) ** 0.5,
        "mobilenet": 0.01,
        "fan_out_convolutions": (1 / 300 / 3) ** 0.5,  # of a linear layer
        "thesis": (2 / 500) ** 0.5,
        "standard_normal": 1.0,
    }
    assert layer.weight.std().item() == pytest.approx(expected[scheme], rel=0.02)
