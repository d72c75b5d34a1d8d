"""What must hold for every activation in the registry."""

import inspect
import subprocess
import sys
from itertools import pairwise

import pytest
import safetensors.torch
import torch
from reactivate.activations import ACTIVATIONS, create, names
from reactivate.activations.traits import Traits, is_activation, traits_of
from reactivate.experiment.experiment import readable_papers
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

readable_papers()  # which add their own activations
NAMES = names()
SHAPES = [(3, 4), (3, 4, 5, 5)]


def reads_the_batch(name):
    """Whether what an activation returns for a sample depends on the others while training."""
    return any(isinstance(part, _BatchNorm) for part in create(name, channels=4).modules())


ALONE = [name for name in NAMES if not reads_the_batch(name)]


@pytest.fixture(autouse=True)
def same_numbers_every_time():
    torch.manual_seed(0)


def traits(name) -> Traits:
    return traits_of(ACTIVATIONS.load(name))


class Placed(nn.Module):
    """An activation behind the layer it follows, so that all are called in the same way."""

    def __init__(self, name, channels=4):
        super().__init__()
        generator = torch.Generator().manual_seed(0)
        self.activation = create(name, channels=channels)
        self.linear, self.conv = nn.Linear(channels, channels), nn.Conv2d(channels, channels, 1)
        self.needs_convolution = traits(name).needs_convolution
        for parameter in (*self.linear.parameters(), *self.conv.parameters()):
            nn.init.normal_(parameter, generator=generator)
        for slope in ("p1", "p2"):
            if hasattr(self.activation, slope):
                nn.init.normal_(getattr(self.activation, slope), generator=generator)

    def forward(self, x):
        if self.needs_convolution:
            layer = self.linear if x.dim() == 2 else self.conv
            return self.activation(x, x, layer)
        return self.activation(x)


def numbers(shape, dtype=torch.float64):
    """Random numbers away from 0, where some activations have a kink."""
    x = torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(0))
    return x + 0.1 * x.sign()


@pytest.mark.parametrize("name", NAMES)
def test_activation_declares_its_traits(name):
    assert isinstance(traits(name), Traits)
    assert is_activation(type(create(name, channels=4)))


@pytest.mark.parametrize("name", NAMES)
def test_docstring_says_what_forward_takes(name):
    kind = ACTIVATIONS.load(name)
    said = inspect.getdoc(kind) if "__doc__" in vars(kind) else ""
    _, shapes, _ = said.partition("Shape:")[2].partition("Input")
    assert shapes
    taken = list(inspect.signature(kind.forward).parameters)[1:]
    if traits(name).needs_convolution:
        assert taken == ["response", "conv_input", "convolution"]
        assert all(f"``{argument}``" in said for argument in taken)
    else:
        assert len(taken) == 1


def test_names_are_those_that_create_knows():
    assert {"relu", "crelu", "iieu_b", "meta_acon", "spsc"} <= set(names())
    assert all(isinstance(create(name, channels=4), nn.Module) for name in names())
    assert set(names(lambda traits: traits.needs_convolution)) == {"iieu_b", "iieu_dc"}


def test_an_activation_without_traits_says_where_to_declare_them():
    with pytest.raises(ValueError, match=r"class Linear declares no traits; accepted: .*Declare"):
        traits_of(nn.Linear)


@pytest.mark.parametrize("name", names(lambda traits: traits.piecewise_linear))
def test_piecewise_linear_activation_is_affine_between_breakpoints(name):
    unit, (low, high) = create(name, channels=1).double(), traits(name).tested
    ends = [low, *traits(name).breakpoints, high]
    for left, right in pairwise(ends):
        x = torch.linspace(left, right, 5, dtype=torch.float64)[:, None]
        assert unit(x).diff(n=2, dim=0).abs().max() < 1e-12


def test_names_table_does_not_import_torch():
    code = (
        "import sys, reactivate.activations as a; a.ACTIVATIONS.target('iieu_b'); "
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_activation_gradient_equals_finite_differences(name, shape):
    placed = Placed(name).double()
    parameters = {
        key: value.detach().clone().requires_grad_() for key, value in placed.named_parameters()
    }
    buffers = {key: value.clone() for key, value in placed.named_buffers()}

    def forward(x, *values):
        state = {key: buffer.clone() for key, buffer in buffers.items()}
        state |= dict(zip(parameters, values, strict=True))
        return torch.func.functional_call(placed, state, (x,))

    x = numbers(shape).requires_grad_()
    assert torch.autograd.gradcheck(forward, (x, *parameters.values()))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_activation_multiplies_the_channels_it_declares(name, shape):
    out = Placed(name).double()(numbers(shape))
    batch, channels, *positions = shape
    assert out.shape == (batch, channels * traits(name).channel_multiplier, *positions)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("value", [0.0, 1e4, -1e4, 1e-30])
@pytest.mark.parametrize("name", NAMES)
def test_activation_and_gradient_are_finite_at_extremes(name, value, dtype):
    placed = Placed(name).to(dtype)
    x = torch.full((2, 4, 3, 3), value, dtype=dtype, requires_grad=True)
    out = placed(x)
    used = [x, *placed.activation.parameters()]
    gradients = torch.autograd.grad(out.sum(), used)
    assert out.isfinite().all()
    assert all(gradient.isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("name", NAMES)
def test_activation_has_no_nan_in_a_batch_of_mixed_sizes(name):
    x = numbers((2, 4, 3, 3), torch.float32)
    x[0, 0], x[0, 1], x[1, 2] = 1e4, -1e4, 0.0
    assert Placed(name)(x).isfinite().all()


@pytest.mark.parametrize("shape", [(1, 4), (1, 4, 5, 5), (1, 4, 1, 1)], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_batch_of_one_in_eval_equals_its_row_of_a_batch(name, shape):
    placed = Placed(name).double().eval()
    x = numbers((3, *shape[1:]))
    torch.testing.assert_close(placed(x[:1]), placed(x)[:1])


@pytest.mark.parametrize("name", ALONE)
def test_batch_of_one_can_be_trained_on(name):
    placed = Placed(name).double()
    placed(numbers((1, 4, 5, 5)).requires_grad_()).sum().backward()


def test_meta_acon_refuses_to_train_on_a_batch_of_one():
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        Placed("meta_acon")(torch.ones(1, 4, 5, 5))


@pytest.mark.parametrize("name", ALONE)
def test_activation_is_the_same_in_train_and_eval(name):
    placed, x = Placed(name).double(), numbers((3, 4, 5, 5))
    torch.testing.assert_close(placed.train()(x), placed.eval()(x), rtol=0, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_state_survives_safetensors(name, tmp_path):
    first, second = (create(name, channels=4) for _ in range(2))
    with torch.no_grad():
        for value in first.parameters():
            value.normal_()
    path = tmp_path / "activation.safetensors"
    safetensors.torch.save_file(first.state_dict(), path)
    second.load_state_dict(safetensors.torch.load_file(path))
    torch.testing.assert_close(second.state_dict(), first.state_dict(), rtol=0, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_activation_leaves_its_input_unchanged(name):
    x = numbers((2, 4, 3, 3))
    before = x.clone()
    Placed(name).double()(x)
    assert torch.equal(x, before)


@pytest.mark.parametrize("name", NAMES)
def test_channels_last_input_gives_the_same_numbers(name):
    placed, x = Placed(name).double(), numbers((2, 4, 3, 3))
    torch.testing.assert_close(placed(x.to(memory_format=torch.channels_last)), placed(x))


@pytest.mark.parametrize("name", [name for name in NAMES if traits(name).needs_channels])
@pytest.mark.parametrize("channels", [None, 0, -3])
def test_missing_channels_are_explained(name, channels):
    with pytest.raises(ValueError, match=rf"{name}.*accepts a positive integer.*create\('{name}'"):
        create(name, channels=channels)


@pytest.mark.parametrize("name", [name for name in NAMES if traits(name).needs_channels])
def test_one_channel_is_a_count_like_any_other(name):
    one, four = (create(name, channels=count) for count in (1, 4))
    assert list(one.state_dict()) == list(four.state_dict())


def test_unknown_name_lists_the_nearest():
    with pytest.raises(ValueError, match=r"'rleu'; did you mean .*relu.*Known: .*__init__\.py"):
        create("rleu")


def test_classes_can_be_imported_by_name():
    from reactivate.activations import IIEUB, CReLU

    assert isinstance(create("crelu"), CReLU)
    assert isinstance(create("iieu_b", channels=4), IIEUB)


def test_unknown_attribute_of_the_package_is_an_import_error():
    with pytest.raises(ImportError, match="CRelu"):
        from reactivate.activations import CRelu  # noqa: F401
