"""Static PSC against the block matrix of the PSC supplement, all splits enumerated."""

import copy

import pytest
import torch
from reactivate.activations.annealed import AnnealedGate
from reactivate.activations.gate import PhaseGate, collapse, gate_of, gates
from reactivate.activations.low_rank import LowRankPhaseConv, balanced_rank
from reactivate.activations.psc import PSC, SPSC
from torch import nn
from torch.nn.utils import parametrize

M = 4


@pytest.fixture(autouse=True)
def same_numbers_every_time():
    torch.manual_seed(0)


def one_hot(position, length=M + 1):
    return torch.eye(length, dtype=torch.float64)[position]


def printed_gates(delimiter):
    """The gate sum as printed, j < i."""
    return torch.stack([delimiter[:i].sum() for i in range(len(delimiter) - 1)])


def splits(rule):
    return {tuple(rule(one_hot(position)).int().tolist()) for position in range(M + 1)}


def test_gate_sum_reaches_every_split_exactly_once():
    assert splits(gates) == {(0,) * count + (1,) * (M - count) for count in range(M + 1)}


def test_printed_gate_sum_misses_all_negative_and_reaches_only_m_splits():
    assert len(splits(printed_gates)) == M
    assert (1,) * M not in splits(printed_gates)


LAYERS = {
    "linear": lambda: nn.Linear(6, M),
    "linear without bias": lambda: nn.Linear(6, M, bias=False),
    "3x3": lambda: nn.Conv2d(6, M, 3, padding=1),
    "strided": lambda: nn.Conv2d(6, M, 3, stride=2, padding=1, bias=False),
    "dilated same": lambda: nn.Conv2d(6, M, 3, padding="same", dilation=2),
    "circular": lambda: nn.Conv2d(6, M, 3, padding=1, padding_mode="circular"),
}


def gated(kind, positives):
    layer = PhaseGate.attach(LAYERS[kind]().double())
    with torch.no_grad():
        gate_of(layer).logits[positives] = 1.0
    return layer


def response(layer):
    generator = torch.Generator().manual_seed(0)
    shape = (5, 3) if isinstance(layer, nn.Linear) else (2, 3, 7, 6)
    return torch.randn(shape, dtype=torch.float64, generator=generator)


@pytest.mark.parametrize("positives", range(M + 1))
@pytest.mark.parametrize("kind", LAYERS)
def test_collapsed_layer_equals_the_gated_layer_in_eval(kind, positives):
    layer = gated(kind, positives)
    phases = SPSC()(response(layer))
    before = layer.eval()(phases)
    after = collapse(layer)
    torch.testing.assert_close(after(phases), before, rtol=1e-12, atol=1e-12)
    assert after.rho == gate_of(layer).rho == positives / M


@pytest.mark.parametrize("positives", range(M + 1))
@pytest.mark.parametrize("kind", LAYERS)
def test_collapsed_layer_has_the_parameters_of_a_plain_layer(kind, positives):
    layer = gated(kind, positives)
    kernel = layer.weight[0, 0].numel()
    plain = 3 * M * kernel + (0 if layer.bias is None else M)
    assert sum(parameter.numel() for parameter in collapse(layer).parameters()) == plain


@pytest.mark.parametrize("positives", range(M + 1))
def test_gated_linear_equals_the_block_matrix_of_the_supplement(positives):
    layer = gated("linear without bias", positives).eval()
    x = response(layer)
    full = layer.parametrizations.weight.original.detach()
    matrix = torch.zeros(M, 6, dtype=torch.float64)
    matrix[:positives, :3] = full[:positives, :3]
    matrix[positives:, 3:] = full[positives:, 3:]
    phases = torch.cat([x.relu(), -(-x).relu()], dim=1)
    torch.testing.assert_close(layer(SPSC()(x)).detach(), phases @ matrix.T)


def test_collapse_leaves_the_gated_layer_in_training():
    layer = gated("linear", 2)
    collapse(layer)
    assert layer.training
    assert gate_of(layer).training


def test_collapse_keeps_parametrizations_below_the_gate():
    layer = nn.utils.parametrizations.weight_norm(nn.Linear(6, M).double())
    PhaseGate.attach(layer)
    phases = SPSC()(response(layer))
    torch.testing.assert_close(collapse(layer)(phases), layer.eval()(phases))


def test_training_samples_are_one_hot_and_reach_every_split():
    gate = PhaseGate(M, generator=torch.Generator().manual_seed(0)).double()
    samples = torch.stack([gate.delimiter() for _ in range(200)])
    assert ((samples == 0) | (samples == 1)).all()
    assert (samples.sum(dim=0) > 0).all()
    assert (samples.sum(dim=1) == 1).all()


def test_samples_follow_the_softmax_of_the_logits():
    gate = PhaseGate(2, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        gate.logits.copy_(torch.tensor([0.0, 1.0, -1.0]))
        share = torch.stack([gate.delimiter() for _ in range(4000)]).mean(dim=0)
    # four standard errors of a share of 1/2
    torch.testing.assert_close(share, gate.logits.detach().softmax(0), atol=0.032, rtol=0)


def test_gumbel_noise_comes_from_the_generator_alone():
    state = torch.get_rng_state()
    first, second = (
        PhaseGate(M, generator=torch.Generator().manual_seed(7)).delimiter() for _ in range(2)
    )
    torch.testing.assert_close(first, second, rtol=0, atol=0)
    assert torch.equal(torch.get_rng_state(), state)


def test_gate_is_the_same_at_every_call_in_eval():
    layer = gated("3x3", 1).eval()
    assert torch.equal(layer.weight, layer.weight)


@pytest.mark.parametrize("straight_through", [True, False])
def test_delimiter_receives_a_gradient_while_training(straight_through):
    layer = PhaseGate.attach(nn.Linear(6, M), straight_through=straight_through)
    layer(SPSC()(torch.randn(8, 3))).square().sum().backward()
    assert gate_of(layer).logits.grad.abs().sum() > 0


def test_relaxed_gate_gradient_equals_finite_differences():
    gate = PhaseGate(M, temperature=0.7, straight_through=False).double()

    def forward(logits, weight):
        gate.generator = torch.Generator().manual_seed(3)  # the same noise at every call
        return torch.func.functional_call(gate, {"logits": logits}, (weight,))

    logits = torch.randn(M + 1, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(M, 6, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(forward, (logits, weight))


def test_straight_through_gradient_is_that_of_the_relaxed_sample():
    gradients = []
    for straight_through in (True, False):
        noise = torch.Generator().manual_seed(5)
        gate = PhaseGate(M, straight_through=straight_through, generator=noise).double()
        (gate.delimiter() * torch.arange(M + 1)).sum().backward()
        gradients.append(gate.logits.grad)
    torch.testing.assert_close(*gradients)


def test_gated_layer_can_be_copied_with_its_generator():
    layer = PhaseGate.attach(nn.Linear(6, M), generator=torch.Generator().manual_seed(0))
    copied = copy.deepcopy(layer)
    assert torch.equal(copied.weight, layer.weight)


@pytest.mark.parametrize(
    ("w_negative", "equal"),
    [
        (0.0, torch.relu),
        (1.0, lambda x: x),
        (0.1, lambda x: nn.functional.leaky_relu(x, 0.1)),
        (-1.0, torch.abs),
    ],
)
def test_dynamic_psc_contains_the_units_it_generalises(w_negative, equal):
    x = torch.linspace(-3, 3, 13, dtype=torch.float64)[:, None]
    weight = torch.tensor([[1.0, w_negative]], dtype=torch.float64)
    torch.testing.assert_close(PSC()(x) @ weight.T, equal(x))


@pytest.mark.parametrize(("n", "m"), [(64, 64), (64, 256), (12, 6), (7, 19)])
@pytest.mark.parametrize("kernel", [1, 3])
def test_low_rank_pair_has_at_most_the_parameters_of_a_plain_convolution(n, m, kernel):
    layer = LowRankPhaseConv(2 * n, m, kernel, padding=kernel // 2, bias=False)
    count = sum(parameter.numel() for parameter in layer.parameters())
    inputs = n * kernel**2
    rank = balanced_rank(inputs, m)
    assert count == 2 * rank * (inputs + m) <= inputs * m < 2 * (rank + 1) * (inputs + m)


def test_a_rank_of_1_is_the_least():
    assert balanced_rank(4, 4) == balanced_rank(3, 6) == 1
    with pytest.raises(
        ValueError, match=r"of 3 inputs and 5 outputs is below 1; accepted: layers"
    ):
        balanced_rank(3, 5)


@pytest.mark.parametrize("splits", [[0.1, 0.5, -0.2, 0.3], [-0.4, -0.3, 0.02, 0.01]])
def test_without_noise_an_annealed_gate_takes_the_likeliest_split(splits):
    gate = AnnealedGate(3).double().train()
    gate.passes.fill_(10**12)
    with torch.no_grad():
        gate.logits.copy_(torch.tensor(splits))
    assert int(gate.likelihood.argmax()) == splits.index(max(splits))
    torch.testing.assert_close(gate._noisy_logits(), gate.gain * gate.logits, atol=1e-9, rtol=0)


@pytest.mark.parametrize(("n", "m"), [(64, 64), (8, 24)])
def test_low_rank_pair_has_exactly_the_parameters_where_the_rank_is_whole(n, m):
    layer = LowRankPhaseConv(2 * n, m, 1, bias=False)
    assert sum(parameter.numel() for parameter in layer.parameters()) == n * m


@pytest.mark.parametrize("kind", [PhaseGate, AnnealedGate])
def test_the_temperature_is_1_unless_told_otherwise(kind):
    def sample(**settings):
        source = torch.Generator().manual_seed(0)
        return kind(M, straight_through=False, generator=source, **settings).delimiter()

    assert torch.equal(sample(), sample(temperature=1.0))
    assert not torch.equal(sample(), sample(temperature=1.5))


def test_a_low_rank_convolution_goes_by_single_steps_unless_told_otherwise():
    x = torch.randn(1, 8, 6, 5)
    assert LowRankPhaseConv(8, 8, 1)(x).shape == (1, 8, 6, 5)
    assert LowRankPhaseConv(8, 8, 3)(x).shape == (1, 8, 4, 3)
    assert LowRankPhaseConv(8, 8, 3, stride=2, padding=1)(x).shape == (1, 8, 3, 3)


def test_low_rank_of_full_rank_equals_the_layer():
    layer = nn.Conv2d(6, M, 3, stride=2, padding=1).double()
    x = PSC()(torch.randn(2, 3, 7, 7, dtype=torch.float64))
    torch.testing.assert_close(LowRankPhaseConv.from_layer(layer, rank=M)(x), layer(x))


def test_low_rank_error_is_that_of_the_discarded_singular_values():
    layer = nn.Conv2d(12, 8, 1, bias=False).double()
    made = LowRankPhaseConv.from_layer(layer, rank=2)
    product = [
        made.widen.weight[:, part, 0, 0] @ made.narrow.weight[part, :, 0, 0]
        for part in (slice(0, 2), slice(2, 4))
    ]
    for low, full in zip(product, layer.weight[..., 0, 0].chunk(2, dim=1), strict=True):
        tail = torch.linalg.svdvals(full)[2:].square().sum().sqrt()
        torch.testing.assert_close((low - full).norm(), tail)


@pytest.mark.parametrize(
    "layer", [nn.Conv2d(6, 4, 3, groups=2), nn.Linear(5, 4), nn.Conv1d(6, 4, 1)]
)
@pytest.mark.parametrize("use", [PhaseGate.attach, LowRankPhaseConv.from_layer])
def test_layer_that_cannot_read_two_phases_is_refused(layer, use):
    with pytest.raises(ValueError, match=r"accepted: .*Change the layer"):
        use(layer)


def test_layer_without_gate_cannot_collapse():
    with pytest.raises(ValueError, match="accepted: layers that went through"):
        collapse(nn.Linear(4, 2))


def test_gate_is_registered_as_a_parametrization_of_the_weight():
    layer = PhaseGate.attach(nn.Linear(6, M))
    assert parametrize.is_parametrized(layer, "weight")
    assert {name for name, _ in layer.named_parameters()} == {
        "bias",
        "parametrizations.weight.original",
        "parametrizations.weight.0.logits",
    }
