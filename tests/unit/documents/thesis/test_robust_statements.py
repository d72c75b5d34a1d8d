"""What is said of networks with defences holds where it should, and fails where it should."""

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.thesis.chapter6 import equation6_12_claims as robust_equations
from reactivate.documents.thesis.chapter6 import figure6_1_claims as robust_path_statements
from reactivate.documents.thesis.chapter6 import figure6_5_claims as robust_slice_statements
from reactivate.documents.thesis.chapter6 import figures6_2_6_6_claims as robust_neuron_statements
from reactivate.documents.thesis.chapter6 import (
    figures6_3_6_4_claims as robust_lipschitz_statements,
)
from reactivate.evidence.judgement import Verdict

SEVEN = ["std", "noise_125", "noise_250", "fgsm_04", "fgsm_08", "pgd_04", "pgd_08"]
# as the thesis describes them
COSINES = dict(zip(SEVEN, [-0.95, -0.9, -0.85, -0.9, -0.6, -0.5, -0.5], strict=True))
FLOAT_COSINES = dict(zip(SEVEN, [-0.7, -0.6, -0.5, -0.6, -0.4, -0.4, -0.4], strict=True))
LENGTHS = dict(zip(SEVEN, [15.0, 12.0, 8.0, 10.0, 3.0, 2.0, 2.0], strict=True))
SHARES = dict(zip(SEVEN, [0.7, 0.15, 0.1, 0.2, 0.18, 0.19, 0.17], strict=True))
DEEP = dict(zip(SEVEN, [0.3, 0.15, 0.1, 0.08, 0.06, 0.05, 0.03], strict=True))
CONSTANTS = dict(zip(SEVEN, [50.0, 20.0, 15.0, 12.0, 5.0, 4.0, 3.0], strict=True))
FIXED = {"std": 0.72, "noise_050": 0.9, "noise_100": 0.93, "noise_250": 0.95}
IMAGES = 21
SPREAD = np.linspace(0.9, 1.1, IMAGES)  # median 1


def changes(**changed):
    """Figure 6.1; a change is by column and defence."""
    parts = []
    for protocol in ("document", "authors_code"):
        for name in SEVEN:
            columns = {
                "cosine_fixed": COSINES[name],
                "cosine_float": FLOAT_COSINES[name],
                "norm_fixed": 0.3,
                "norm_float": LENGTHS[name],
            }
            own = {key: changed.get(key, {}).get(name, value) for key, value in columns.items()}
            frame = pd.DataFrame({key: value * SPREAD for key, value in own.items()})
            parts.append(frame.assign(defence=name, protocol=protocol))
    return pd.concat(parts, ignore_index=True)


def layers(shallow=None, deep=None, depth=15):
    """Figure 6.2: shares of layers 0 to 4, and of deeper ones, which fall a little."""
    shallow, deep = {**SHARES, **(shallow or {})}, {**DEEP, **(deep or {})}
    falls = 1 + 0.01 * (depth / 2 - np.arange(depth))
    parts = []
    for name in SEVEN:
        share = np.where(np.arange(depth) <= 4, shallow[name], deep[name]) * falls
        parts.append(pd.DataFrame({"layer": range(depth), "float_share": share, "defence": name}))
    return pd.concat(parts, ignore_index=True).assign(neurons=100)


def constants(**changed):
    """Figures 6.3 and 6.4; a change is by column and defence."""
    parts = []
    for name, size in CONSTANTS.items():
        columns = {
            "lipschitz_mean": size,
            "distance_mean": size / 2,
            "lipschitz_variance": 100 if name == "std" else 5,
            "distance_variance": 90 if name == "std" else 2,
        }
        own = {key: changed.get(key, {}).get(name, value) for key, value in columns.items()}
        frame = pd.DataFrame({key: value * SPREAD for key, value in own.items()})
        parts.append(frame.assign(defence=name))
    return pd.concat(parts, ignore_index=True)


def shares(panels=((0.1, FIXED), (0.25, FIXED))):
    """Figure 6.6."""
    rows = [
        {"sigma": sigma, "defence": name, "fixed_share": share + step}
        for sigma, panel in panels
        for name, share in panel.items()
        for step in (-0.01, 0.01)
    ]
    return pd.DataFrame(rows)


LOWER = {name: 1 - share for name, share in FIXED.items()}
PATHS = [
    ("fixed_against_label", {}, True),
    ("fixed_against_label", {"cosine_fixed": {"noise_125": -0.7}}, False),
    ("similarities_rise", {}, True),
    ("similarities_rise", {"cosine_float": {"pgd_08": -1, "pgd_04": -1}}, False),
    ("float_around_04", {}, True),
    ("float_around_04", {"cosine_float": {"fgsm_08": -0.6}}, False),
    ("fixed_within_1", {}, True),
    ("fixed_within_1", {"norm_fixed": {"pgd_08": 1.0}}, False),
    ("float_up_to_16", {}, True),
    ("float_up_to_16", {"norm_float": {"std": 40.0}}, False),
    ("float_up_to_16", {"norm_float": {"fgsm_04": 1.0}}, False),
    ("float_is_longer", {}, True),
    ("float_is_longer", {"norm_float": {"pgd_08": 0.2}}, False),
]
NEURONS = [
    ("std_floats_most", {}, True),
    ("std_floats_most", {"shallow": {"pgd_04": 0.9}, "deep": {"pgd_04": 0.9}}, False),
    ("std_layer_1", {}, True),
    ("std_layer_1", {"shallow": {"std": 0.5}}, False),
    ("falls_with_depth", {}, True),
    ("falls_with_depth", {"deep": {"std": 0.9}}, False),
    ("noise_15_and_10", {}, True),
    ("noise_15_and_10", {"deep": {"noise_250": 0.2}}, False),
    ("defences_float_less", {}, True),
    ("defences_float_less", {"deep": {"fgsm_04": 0.3}}, False),
    ("adversarial_float_more_in_shallow", {}, True),
    ("adversarial_float_more_in_shallow", {"shallow": {"pgd_08": 0.12}}, False),
    ("adversarial_float_less_in_deep", {}, True),
    ("adversarial_float_less_in_deep", {"deep": {"fgsm_04": 0.12}}, False),
    ("pgd_below_5", {}, True),
    ("pgd_below_5", {"deep": {"pgd_04": 0.06}}, False),
    ("pgd_below_5", {"depth": 9}, False),
    ("stronger_float_less", {}, True),
    ("stronger_float_less", {"deep": {"fgsm_04": 0.05}}, False),
]
LIPSCHITZ = [
    ("std_is_highest", {}, True),
    ("std_is_highest", {"distance_mean": {"fgsm_04": 60}}, False),
    ("under_defended_move_further", {}, True),
    ("under_defended_move_further", {"distance_mean": {"pgd_04": 7}}, False),
    ("distances_vary_less", {}, True),
    ("distances_vary_less", {"distance_variance": {"noise_250": 91}}, False),
    ("constants_vary_less", {}, True),
    ("constants_vary_less", {"lipschitz_variance": {"pgd_08": 101}}, False),
    ("constants_fall", {}, True),
    ("constants_fall", {"lipschitz_mean": {"noise_125": 30}}, False),
    ("noise_has_higher_constants", {}, True),
    ("noise_has_higher_constants", {"lipschitz_mean": {"noise_250": 4.5}}, False),
    ("noise_has_higher_constants", {"lipschitz_variance": {"pgd_08": 0.4}}, False),
    ("noise_varies_alike", {}, True),
    ("noise_varies_alike", {"distance_variance": {"noise_125": 30}}, False),
]
FIXED_NEURONS = [
    ("noise_fixes_neurons", {}, True),
    ("noise_fixes_neurons", {"panels": [(0.1, FIXED), (0.25, LOWER)]}, False),
    ("noise_lowers_fixed_share", {}, False),
    ("noise_lowers_fixed_share", {"panels": [(0.1, {"std": 0.9, "noise_050": 0.8})]}, True),
    ("fixed_72_to_90", {}, True),
    ("fixed_72_to_90", {"panels": [(0.1, LOWER), (0.25, FIXED)]}, True),
    ("fixed_72_to_90", {"panels": [(0.1, {"std": 0.72, "noise_050": 0.8})]}, False),
]
CASES = [
    pytest.param(module, make, *case, id=f"{case[0]}-{case[2]}-{number}")
    for module, make, cases in [
        (robust_path_statements, changes, PATHS),
        (robust_neuron_statements, layers, NEURONS),
        (robust_lipschitz_statements, constants, LIPSCHITZ),
        (robust_neuron_statements, shares, FIXED_NEURONS),
    ]
    for number, case in enumerate(cases)
]


@pytest.mark.parametrize(("module", "make", "name", "changed", "holds"), CASES)
def test_judges_tell_what_holds(module, make, name, changed, holds):
    judgement = getattr(module, name)(make(**changed))
    assert judgement.verdict == (Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS)
    assert any(character.isdigit() for character in judgement.reason)
    assert "\n" not in judgement.reason


def test_reasons_keep_the_order_of_the_defences():
    reason = robust_path_statements.fixed_against_label(changes()).reason
    places = [reason.index(f"{name} ") for name in SEVEN]
    assert places == sorted(places)
    assert "as in the author's program: std -0.950" in reason


@pytest.mark.parametrize(("eta", "rough", "holds"), [(0.5, 1.0, True), (0.5, -1.0, False)])
def test_a_plane_is_stable_where_neighbours_differ_less(eta, rough, holds):
    u, v = (part.flatten() for part in np.meshgrid(np.arange(5.0), np.arange(5.0)))
    fixed, floating = -rough * u * v, 2 * np.maximum(0, rough) * u * v + (rough < 0) * (-u * v)
    frame = pd.DataFrame({"u": u, "v": v, "fixed": fixed, "float": floating, "eta": eta})
    frame = frame.assign(prediction=fixed + floating, reformed=fixed + eta * floating)
    verdict = robust_slice_statements.reformed_is_stable(frame).verdict
    assert verdict == (Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS)


def test_equation_6_12_does_not_add_up_with_its_own_terms():
    judgement = robust_equations.equation6_12()
    assert judgement.verdict == Verdict.INCONSISTENT
    assert "error up to" in judgement.reason
