"""Counter-examples and numbers of the checks, by other means: exact fractions, closed forms."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import torch
from reactivate.activations import create
from reactivate.activations.iieu import IIEUDC
from reactivate.documents.iieu import appendix_c_claims as iieu_derivatives
from reactivate.documents.iieu import propositions_claims as iieu_propositions
from reactivate.documents.iieu import tables3_5 as iieu_counts
from reactivate.documents.psc import bound as psc_bound
from reactivate.documents.psc import gates_claims as psc_gates
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS
from reactivate.models import MODELS
from reactivate.models.flops import count_operations


def exact_loss(w, b):
    """The integral of PSC's supplement B, term by term."""
    s = 1 - w
    return s**2 / 3 - s * b + b**2 + Fraction(1, 3) - b + b**2


def test_lower_bound_of_psc_in_fractions():
    least, best = Fraction(2, 15), Fraction(2, 5)
    assert exact_loss(best, best) == least
    assert tuple(map(str, psc_bound.minimum())) == ("2/5", "2/5", "2/15")
    steps = [Fraction(i, 50) for i in range(-10, 11)]
    worse = [exact_loss(best + i, best + j) for i, j in product(steps, steps) if i or j]
    assert min(worse) > least


def test_quadrature_finds_the_same_minimum():
    assert psc_bound.numeric_minimum() == pytest.approx((0.4, 0.4, 2 / 15), abs=1e-5)


@pytest.mark.parametrize("outputs", range(1, 7))
def test_printed_gate_sum_misses_one_split_for_every_size(outputs):
    def gate(one, i, inclusive):  # sum of s_j over j < i or j <= i, s_one = 1
        return int(one <= i if inclusive else one < i)

    codes = range(1, outputs + 2)
    strict, loose = (
        [tuple(gate(one, i, inclusive) for i in range(1, outputs + 1)) for one in codes]
        for inclusive in (False, True)
    )
    assert psc_gates.splits(psc_gates.printed_gates, outputs, outputs + 1) == strict
    assert psc_gates.splits(psc_gates.gates, outputs, outputs + 1) == loose
    assert len(set(strict)) == outputs
    assert len(set(loose)) == outputs + 1
    assert (1,) * outputs not in strict


def test_gating_can_have_twice_the_printed_freedom():
    branch = np.eye(3)  # N = 3, M = 6, three outputs each
    both = np.block([[branch, np.zeros((3, 3))], [np.zeros((3, 3)), branch]])
    assert np.linalg.matrix_rank(both) == 6
    assert psc_gates.degrees_of_freedom(3, 6, positives=3) == 6


@pytest.mark.parametrize("k", iieu_propositions.PLACES)
def test_staircase_is_at_least_as_steep_as_its_own_step(k):
    own_step = Fraction(1, 2**k) * 4**k * Fraction(1, 4)  # sigmoid'(0) = 1/4
    (found,) = iieu_propositions.growth(iieu_propositions.staircase, [k])
    assert found >= float(k * own_step)
    assert k * own_step == Fraction(k * 2**k, 4)


def test_staircase_is_bounded_and_increasing():
    x = torch.linspace(-20, 60, 4001, dtype=torch.float64)
    value = iieu_propositions.staircase(x)
    assert (value.diff() >= 0).all()
    assert value.min() >= 0
    assert value.max() <= 1


def test_missing_second_moment_is_the_trace_of_the_conditional_covariance():
    covariance = [[Fraction(str(v)) for v in row] for row in iieu_propositions.COVARIANCE.tolist()]
    trace = sum(covariance[i][i] - covariance[i][2] ** 2 / covariance[2][2] for i in (0, 1))
    arguments = iieu_propositions.MEAN, iieu_propositions.COVARIANCE, -0.8
    gap = iieu_propositions.conditional_second_moment(
        *arguments
    ) - iieu_propositions.printed_second_moment(*arguments)
    assert trace == Fraction(309, 100)
    assert gap == pytest.approx(float(trace))


def test_layer_norm_shrinks_the_derivative_by_the_known_factor():
    true, printed, means = iieu_derivatives.layer_norm_derivatives()
    z = (means[0] - means.mean()) / means.std(correction=0)
    factor = 1 - (1 + z**2) / len(means)
    torch.testing.assert_close(true[0], factor * printed, rtol=1e-4, atol=0)  # eps of LayerNorm


METHODS_8 = [
    ("resnet14", "relu", 10_064_936, "1.469", "1.48"),
    ("resnet26", "relu", 15_995_176, "2.342", "2.36"),
    ("resnet50", "relu", 25_557_032, "4.089", "4.12"),
    ("resnet14", "iieu_b", 10_064_936 + 28_992, "1.469", "1.50"),
    ("resnet26", "iieu_b", 15_995_176 + 46_272, "2.342", "2.39"),
    ("resnet50", "iieu_b", 25_557_032 + 79_680, "4.089", "4.17"),
    ("resnet26", "meta_acon", 15_995_176 + 104_288, "2.342", "2.36"),
]


@pytest.mark.parametrize(("network", "activation", "parameters", "adds", "total"), METHODS_8)
def test_counts_of_residual_networks(network, activation, parameters, adds, total):
    found = iieu_counts.counted(network, activation)
    assert found.parameters == parameters
    assert f"{found.multiply_adds / 1e9:.3f}" == adds
    assert f"{found.operations / 1e9:.2f}" == total


def test_operations_of_iieu_are_those_of_the_library_at_its_own_cost():
    with torch.device("meta"):
        net = MODELS.load("resnet14")(activation="iieu_dc")
    found = replace(
        iieu_counts.counted("resnet14", "iieu_dc"), per_element=IIEUDC.traits.operations
    )
    assert found.operations == count_operations(net, iieu_counts.IMAGE).total


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_are_the_activations_of_the_registry(name):
    x = torch.tensor([-3.0, -0.7, 0.2, 2.5], dtype=torch.float64)
    values = [FORMULAS[name](v) for v in x.tolist()]
    torch.testing.assert_close(create(name)(x), torch.tensor(values, dtype=torch.float64))
