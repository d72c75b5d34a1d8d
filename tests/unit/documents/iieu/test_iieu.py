"""IIEU's statements: true as printed, refused or told otherwise once what they read is changed."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
import torch
from reactivate.activations.iieu import IIEUDC
from reactivate.documents.iieu import (
    appendix_c_claims,
    propositions_claims,
    tables1_to_7_claims,
    tables3_5_claims,
)
from reactivate.documents.iieu.tables3_5 import IMAGE, counted
from reactivate.models import MODELS
from reactivate.models.flops import count_operations

TRUE = [
    (appendix_c_claims, "range_of_term_s", "confirmed(sampled(2000))"),
    (appendix_c_claims, "derivative_of_term_s", "confirmed(sampled(2000))"),
    (appendix_c_claims, "derivative_of_term_b", "confirmed(sampled(2000))"),
    (appendix_c_claims, "projection", "confirmed(sampled(2000))"),
    (appendix_c_claims, "quarter_bound", "confirmed(sampled(2000))"),
    (propositions_claims, "condition_of_corollary", "confirmed(proof)"),
    (propositions_claims, "cfg_l_epochs", "confirmed(exhaustive)"),
    (propositions_claims, "group_norm_identities", "confirmed(sampled(5))"),
    (propositions_claims, "proposition4", "refuted"),
    (tables3_5_claims, "added_parameters", "confirmed(exhaustive)"),
    (tables3_5_claims, "added_flops", "not_run(underspecified)"),
    (tables3_5_claims, "coupler_flops", "confirmed(exhaustive)"),
    (tables3_5_claims, "throughput", "not_comparable(hardware)"),
]
staircase = propositions_claims.staircase


def longer(reader, factor):
    """A function whose result is a little too large."""
    return lambda *arguments: factor * reader(*arguments)


def counts(network, activation):
    """Counts in which everything of IIEU is larger."""
    found = counted(network, activation)
    ours = {"relu": 1, "iieu_b": 2, "iieu_dc": 3}[activation]
    return replace(
        found, parameters=ours * found.parameters, multiply_adds=ours * found.multiply_adds
    )


CHANGED = [
    (
        appendix_c_claims,
        "printed_derivative_s",
        longer(appendix_c_claims.printed_derivative_s, 1.01),
        "derivative_of_term_s",
    ),
    (
        appendix_c_claims,
        "printed_derivative_b",
        lambda w, mean, gamma, beta, printed=appendix_c_claims.printed_derivative_b: printed(
            w, mean, gamma, 0 * beta
        ),
        "derivative_of_term_b",
    ),
    (
        appendix_c_claims,
        "printed_projection",
        longer(appendix_c_claims.printed_projection, 1.01),
        "projection",
    ),
    (
        appendix_c_claims,
        "gradient",
        longer(appendix_c_claims.gradient, 1.01),
        "quarter_bound",
    ),
    (
        appendix_c_claims,
        "printed_range",
        lambda r, mu, beta, size, range_=appendix_c_claims.printed_range: range_(
            0.99 * r, mu, beta, size
        ),
        "range_of_term_s",
    ),
    (
        appendix_c_claims,
        "printed_range",
        lambda r, mu, beta, size, range_=appendix_c_claims.printed_range: range_(
            r, 0 * mu, beta, size
        ),
        "range_of_term_s",
    ),
    (propositions_claims, "IMAGES", 1_300_000, "cfg_l_epochs"),
    (
        propositions_claims,
        "LAST_LINE",
        2 * propositions_claims.LAST_LINE,
        "condition_of_corollary",
    ),
    (tables3_5_claims, "counted", counts, "added_parameters"),
    (tables3_5_claims, "counted", counts, "coupler_flops"),
]


@pytest.mark.parametrize(("module", "name", "verdict"), TRUE)
def test_a_statement_gets_its_verdict_in_one_line(module, name, verdict):
    judgement = getattr(module, name)()
    assert str(judgement.verdict) == verdict
    assert judgement.reason
    assert "\n" not in judgement.reason


@pytest.mark.parametrize(("module", "name", "value", "check"), CHANGED)
def test_a_broken_formula_is_refused(monkeypatch, module, name, value, check):
    monkeypatch.setattr(module, name, value)
    assert str(getattr(module, check)().verdict) == "refuted"


def test_group_norm_of_one_channel_is_its_bias_only(monkeypatch):
    shift = propositions_claims.ChannelShift
    monkeypatch.setattr(
        propositions_claims, "ChannelShift", lambda channels, kind: shift(channels, "affine")
    )
    assert str(propositions_claims.group_norm_identities().verdict) == "refuted"


def test_counting_more_operations_is_told(monkeypatch):
    before = tables3_5_claims.added_flops().reason
    assert "mean 1.30 %" in before
    monkeypatch.setattr(tables3_5_claims, "PER_ELEMENT", 6)
    assert "mean 1.61 %" in tables3_5_claims.added_flops().reason


@pytest.mark.parametrize(
    "adjuster",
    [
        torch.sigmoid,  # no counter-example: x f'(x) is small far out
        lambda x: 2 * staircase(x),  # not below 1
        lambda x: staircase(x) - 0.01,  # not above 0
        lambda x: staircase(2 - x),  # falls
        lambda x: staircase(x).clamp(min=0.01),  # phi(-infinity) is not 0
        lambda x: staircase(x / 64),  # tells nothing apart near 2
    ],
)
def test_an_adjuster_that_lacks_an_assumption_refutes_nothing(monkeypatch, adjuster):
    monkeypatch.setattr(propositions_claims, "staircase", adjuster)
    assert propositions_claims.proposition4().verdict.is_favourable


@pytest.mark.parametrize("k", [2, 5, 8, 10])
def test_a_step_of_the_staircase_has_slope_one(k):
    own_step = Fraction(1, 2**k) * 2 ** (k + 2) * Fraction(1, 4)  # sigmoid'(0) = 1/4
    assert own_step == 1
    slope = propositions_claims.slopes(propositions_claims.staircase, [2**k]).item()
    assert slope == pytest.approx(1)


def test_the_staircase_is_never_steeper_than_its_steps():
    places = torch.linspace(-10, 20, 30001, dtype=torch.float64).tolist()
    assert propositions_claims.slopes(propositions_claims.staircase, places).max() < 1.001


def test_the_second_moment_has_the_trace_of_the_conditional_covariance_besides():
    covariance = [
        [Fraction(str(v)) for v in row] for row in propositions_claims.COVARIANCE.tolist()
    ]
    trace = sum(covariance[i][i] - covariance[i][2] ** 2 / covariance[2][2] for i in (0, 1))
    arguments = propositions_claims.MEAN, propositions_claims.COVARIANCE
    for observed in (-0.8, 0.5):  # of y, and of x: the same
        gap = propositions_claims.conditional_second_moment(
            *arguments, observed
        ) - propositions_claims.printed_second_moment(*arguments, observed)
        assert gap == pytest.approx(float(trace))
    assert "0.680" in propositions_claims.second_moment()
    assert "3.770" in propositions_claims.second_moment()


def test_the_condition_is_that_of_the_example():
    symbols = propositions_claims
    slope = symbols.COVARIANCE[:-1, -1] / symbols.COVARIANCE[-1, -1]
    values = {symbols.X: 0.5, symbols.Y: -0.8, symbols.LAST: symbols.MEAN[-1]}
    terms = [
        symbols.LAST_LINE.subs({**values, symbols.M: mean, symbols.S: own})
        for mean, own in zip(symbols.MEAN, slope, strict=False)
    ]
    moments = [
        symbols.conditional_second_moment(symbols.MEAN, symbols.COVARIANCE, observed)
        for observed in (-0.8, 0.5)
    ]
    total = sympy.Float(0.8**2 - 0.5**2) + sum(terms)
    assert float(total) == pytest.approx(moments[0] - moments[1])


def test_layer_norm_shrinks_the_derivative_by_the_known_factor():
    true, printed, means = appendix_c_claims.layer_norm_derivatives()
    z = (means[0] - means.mean()) / means.std(correction=0)
    factor = 1 - (1 + z**2) / len(means)
    torch.testing.assert_close(true[0], factor * printed, rtol=1e-4, atol=0)  # eps of LayerNorm
    assert f"{float(factor):.3f} times" in appendix_c_claims.through_layer_norm()


COUNTS = [
    ("resnet14", "relu", 10_064_936, "1.469", "1.48"),
    ("resnet26", "relu", 15_995_176, "2.342", "2.36"),
    ("resnet50", "relu", 25_557_032, "4.089", "4.12"),
    ("resnet14", "iieu_b", 10_064_936 + 28_992, "1.469", "1.50"),
    ("resnet26", "iieu_b", 15_995_176 + 46_272, "2.342", "2.39"),
    ("resnet50", "iieu_b", 25_557_032 + 79_680, "4.089", "4.17"),
    ("resnet26", "meta_acon", 15_995_176 + 104_288, "2.342", "2.36"),
]


@pytest.mark.parametrize(("network", "activation", "parameters", "adds", "total"), COUNTS)
def test_counts_of_residual_networks(network, activation, parameters, adds, total):
    found = counted(network, activation)
    assert found.parameters == parameters
    assert f"{found.multiply_adds / 1e9:.3f}" == adds
    assert f"{found.operations / 1e9:.2f}" == total


def test_operations_of_iieu_are_those_of_the_library_at_its_own_cost():
    with torch.device("meta"):
        net = MODELS.load("resnet14")(activation="iieu_dc")
    found = replace(counted("resnet14", "iieu_dc"), per_element=IIEUDC.traits.operations)
    assert found.operations == count_operations(net, IMAGE).total


TOLD = [
    ("highest_accuracy", ("table1", "top1", "swish", "73.3"), "4 of 4", "3 of 4"),
    ("lower_losses", ("table2", "loss_min", "smu", "1.85"), "4 of 4", "3 of 4"),
    ("fewer_epochs", ("table1", "epoch_below_3_0", "iieu_b", "80"), "10 of 10", "9 of 10"),
    ("fewer_epochs", ("table2", "epoch_below_2_0", "iieu_b", "–"), "10 of 10", "9 of 9"),
    ("layer_norm_best", ("table4", "top1", "group_norm_2", "77.3±0.3"), "1 of 1", "0 of 1"),
    ("normalisations", ("table4", "top1", "group_norm_4", "76.3±0.3"), "5 of 5", "4 of 5"),
    ("normalisations", ("table4", "top1", "group_norm_c", "75.3±0.3"), "5 of 5", "4 of 5"),
    ("normalisations", ("table4", "top1", "affine", "75.3±0.3"), "5 of 5", "3 of 5"),
    ("normalisations", ("table4", "top1", "relu", "75.5±0.3"), "5 of 5", "4 of 5"),
    ("normalisations", ("table4", "top1", "group_norm_2", "77.4±0.3"), "0.1 apart", "0.5 apart"),
    ("significant_accuracy", ("table5", "meta_acon", "top1", "77.8"), "1 of 1", "0 of 1"),
    ("heavier_decrease", ("table5", "iieu_b", "throughput", "4510.0"), "2 of 2", "1 of 2"),
    (
        "near_peers",
        ("table5", "smu", "throughput", "3630.3"),
        "1.054 times smu",
        "1.000 times smu",
    ),
    ("detector_gains", ("table6", "smu", "map", "38.3"), "11 of 12", "10 of 12"),
    ("segmenter_gains", ("table7", "meta_acon", "miou", "42.4"), "4 of 4", "3 of 4"),
    ("thresholds_fit", ("table1", "loss_min", "smu", "2.49"), "fit: none", "fit: table1 smu"),
    ("thresholds_fit", ("table2", "epoch_below_2_5", "relu", "67"), "none", "table2 relu"),
    ("thresholds_fit", ("table2", "epoch_loss_min", "iieu_b", "131"), "none", "table2 iieu_b"),
    ("repeated_numbers", ("table2", "top1", "silu", "75.9"), "16 of 16", "15 of 16"),
    ("repeated_numbers", ("table3", "iieu_b_params", "resnet26", "16.1M"), "16 of", "15 of"),
]


@pytest.mark.parametrize(("name", "place", "before", "after"), TOLD)
def test_agreement_with_the_tables_is_told_from_what_they_print(
    change, name, place, before, after
):
    told = getattr(tables1_to_7_claims, name)
    assert before in told()
    table, row, column, text = place
    change(tables1_to_7_claims, {("iieu", table, row, column): text})
    assert after in told()
