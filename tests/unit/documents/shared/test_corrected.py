"""A check gives the other verdict when what is printed is corrected, or broken."""

import pytest
import sympy
import torch
from reactivate.activations.gate import gates
from reactivate.documents.crelu import kernels as crelu_kernels
from reactivate.documents.crelu import tables1_5 as crelu
from reactivate.documents.crelu import tables1_5_claims
from reactivate.documents.crelu.kernels import Kernel
from reactivate.documents.gmp import boundary_claims as gmp_boundary
from reactivate.documents.gmp import figure3_claims, theorem3_claims
from reactivate.documents.gmp import theorem3 as gmp
from reactivate.documents.iieu import appendix_c_claims as iieu_derivatives
from reactivate.documents.iieu import propositions_claims as iieu_propositions
from reactivate.documents.iieu import table5_claims as iieu_throughput
from reactivate.documents.iieu import tables3_5_6_claims
from reactivate.documents.psc import bound_claims
from reactivate.documents.psc import gates_claims as psc_gates
from reactivate.documents.thesis.chapter3 import table3_1 as thesis_properties
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS, Formula, X
from reactivate.evidence.judgement import Verdict
from reactivate.layers.batched.bn import BatchNormUnits

HALVED = [
    *crelu_kernels.HALF[:2],
    Kernel(3, 96, 96, True),
    Kernel(3, 192, 96, True),
    *crelu_kernels.HALF[4:],
]
S11_HALVED = [*crelu_kernels.ALL[:10], Kernel(1, 1024, 512, True), Kernel(1, 1024, 500, True)]

CORRECTED = [
    (theorem3_claims, "sum_metric", gmp.product_metric, theorem3_claims.metric_is_sum),
    (figure3_claims, "FIGURE3_UNITS", {"the caption": 10}, figure3_claims.figure3_units),
    (psc_gates, "printed_gates", gates, psc_gates.every_split),
    (crelu_kernels, "HALF", HALVED, tables1_5_claims.half_filters),
    (crelu_kernels, "ALL", S11_HALVED, tables1_5_claims.table_s11_fits),
    (
        iieu_derivatives,
        "_term_b",
        lambda beta_in_gate, whole=iieu_derivatives._term_b: whole(True),
        iieu_derivatives.third_line_of_derivative,
    ),
    (iieu_propositions, "staircase", torch.sigmoid, iieu_propositions.proposition4),
]
BROKEN = [
    (gmp_boundary, "GeometricUnits", BatchNormUnits, gmp_boundary.degrees_of_freedom),
    (
        gmp_boundary,
        "angle_between",
        lambda one, other: 0 * one[..., 0],
        gmp_boundary.sp_turns_by_any_angle,
    ),
    (theorem3_claims, "product_metric", gmp.sum_metric, theorem3_claims.metric_is_product),
    (theorem3_claims, "product_metric", gmp.sum_metric, theorem3_claims.theorem3_first_order),
    (
        theorem3_claims,
        "turned_by",
        lambda theta, epsilon: 1.01 * epsilon.norm(dim=-1),
        theorem3_claims.theorem3_bound,
    ),
    (psc_gates, "gates", psc_gates.printed_gates, psc_gates.delimiter_size),
    (
        bound_claims,
        "PRINTED_SYSTEM",
        tuple(sympy.Eq(e.lhs, e.rhs + 1) for e in bound_claims.PRINTED_SYSTEM),
        bound_claims.system,
    ),
    (
        iieu_propositions,
        "printed_second_moment",
        lambda mean, covariance, observed: observed**2,
        iieu_propositions.condition_of_corollary,
    ),
]


@pytest.mark.parametrize(("module", "name", "value", "check"), CORRECTED)
def test_corrected_input_is_accepted(monkeypatch, module, name, value, check):
    assert check().verdict == Verdict.INCONSISTENT
    monkeypatch.setattr(module, name, value)
    assert check().verdict == Verdict.RECOMPUTED_OK


@pytest.mark.parametrize(("module", "name", "value", "check"), BROKEN)
def test_broken_input_is_refused(monkeypatch, module, name, value, check):
    assert check().verdict == Verdict.RECOMPUTED_OK
    monkeypatch.setattr(module, name, value)
    assert check().verdict == Verdict.INCONSISTENT


def test_theorem3_is_an_equality_in_the_plane(monkeypatch):
    monkeypatch.setattr(theorem3_claims, "THETA", (1.0,))
    monkeypatch.setattr(theorem3_claims, "EPSILON", (0.3,))
    assert theorem3_claims.theorem3_equality().verdict == Verdict.RECOMPUTED_OK


def test_halved_kernels_fit_and_count_as_the_network():
    assert crelu_kernels.misfits(HALVED) == crelu_kernels.misfits(S11_HALVED) == []
    expected = crelu.parameters("convpool8_half", classes=crelu_kernels.CLASSES)
    assert crelu_kernels.count_printed(HALVED) == expected
    assert crelu_kernels.count_printed(S11_HALVED) == crelu.parameters("allcnn_all")


@pytest.mark.parametrize("name", ["BASELINE", "DOUBLE", "CRELU", "HALF"])
def test_tables_s1_and_s2_fit_together(name):
    assert crelu_kernels.misfits(getattr(crelu_kernels, name)) == []


PROBES = [
    ("saturated", FORMULAS["tanh"], True),
    ("saturated", FORMULAS["relu"], False),
    ("symmetric", Formula.smooth("square", X**2), True),
    ("symmetric", Formula("absolute", -X, X), True),
    ("symmetric", FORMULAS["tanh"], False),
    ("linear", Formula("leaky", X / 100, X), True),
    ("linear", Formula("shifted", sympy.Integer(0), X + 1), False),
    ("monotonic", Formula("falling", -X, X), False),
    ("monotonic", FORMULAS["selu"], True),
]


@pytest.mark.parametrize(("name", "formula", "expected"), PROBES)
def test_properties_of_known_functions(name, formula, expected):
    assert thesis_properties.PROPERTIES[name](formula)[0] is expected


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(0.6, Verdict.ORDER_HOLDS), (0.95, Verdict.ORDER_FAILS)]
)
def test_throughput_is_judged_by_order(ratio, verdict):
    measured = {"relu": 1.0, "silu": 0.9, "iieu_b": ratio}
    assert iieu_throughput.judge_below(measured).verdict == verdict


def test_a_number_that_no_counting_reaches_is_inconsistent(monkeypatch):
    assert tables3_5_6_claims.added_flops().verdict == Verdict.NOT_RUN_UNDERSPECIFIED
    monkeypatch.setattr(tables3_5_6_claims, "BRACKET", (7, 9))
    assert tables3_5_6_claims.added_flops().verdict == Verdict.INCONSISTENT
