"""Effects between networks with defences are those of what is made up."""

from math import log

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.thesis.chapter6 import figure6_1_claims as robust_paths
from reactivate.documents.thesis.chapter6 import figure6_5_claims as robust_slices
from reactivate.documents.thesis.chapter6 import figures6_2_6_6_claims as robust_neurons
from reactivate.documents.thesis.chapter6 import figures6_3_6_4_claims as robust_lipschitz
from reactivate.experiment.choices import marked
from reactivate.experiment.loading import load_paper
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

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
            parts.append(frame.assign(defence=name, protocol=protocol, seed=0))
    return pd.concat(parts, ignore_index=True)


def layers(shallow=None, deep=None, depth=15):
    """Figure 6.2: shares of layers 0 to 4, and of deeper ones, which fall a little."""
    shallow, deep = {**SHARES, **(shallow or {})}, {**DEEP, **(deep or {})}
    falls = 1 + 0.01 * (depth / 2 - np.arange(depth))
    parts = []
    for name in SEVEN:
        share = np.where(np.arange(depth) <= 4, shallow[name], deep[name]) * falls
        parts.append(pd.DataFrame({"layer": range(depth), "float_share": share, "defence": name}))
    return pd.concat(parts, ignore_index=True).assign(neurons=100, seed=0)


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
        parts.append(frame.assign(defence=name, seed=0))
    return pd.concat(parts, ignore_index=True)


def shares(panels=((0.1, FIXED), (0.25, FIXED))):
    """Figure 6.6."""
    rows = [
        {"sigma": sigma, "defence": name, "fixed_share": share + step}
        for sigma, panel in panels
        for name, share in panel.items()
        for step in (-0.01, 0.01)
    ]
    return pd.DataFrame(rows).assign(seed=0)


def seeds(*frames):
    """Networks of several seeds, in the order of their frames."""
    return pd.concat([own.assign(seed=seed) for seed, own in enumerate(frames)])


def numbers(found):
    """Effects as numbers, whatever they are nested in."""
    if isinstance(found, Readings):
        return {name: numbers(own) for name, own in found.found.items()}
    if isinstance(found, dict):
        return {name: numbers(own) for name, own in found.items()}
    return found.mean if isinstance(found, Effect) else found


def near(found):
    return pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("paths", ["document", "authors_code"])
def test_cosines_are_measured_from_where_they_are_said_to_be(paths):
    fixed = numbers(robust_paths.fixed_against_label(changes()))[paths]
    assert fixed == near({"std": 0.05, "noise_125": 0.1, "fgsm_04": 0.1})
    moved = changes(cosine_float={"fgsm_08": -0.6})
    around = numbers(robust_paths.float_around_04(moved))[paths]
    assert around == near({"fgsm_08": -0.2, "pgd_04": 0.0, "pgd_08": 0.0})


def test_cosines_rise_with_the_robustness_of_table_6_1():
    found = numbers(robust_paths.similarities_rise(changes()))["document"]
    assert min(found.values()) > 0.8
    turned = {name: -1 - cosine for name, cosine in COSINES.items()}
    found = numbers(robust_paths.similarities_rise(changes(cosine_fixed=turned)))["document"]
    assert found["fixed"] < -0.8
    assert found["float"] > 0.8


def test_robustness_is_that_of_the_printed_table(change):
    places = {("thesis", "table6_1", "adversarial", name): 50.0 for name in SEVEN}
    change(robust_paths, places)
    assert set(numbers(robust_paths.similarities_rise(changes()))["document"].values()) == {0.0}


def test_shares_of_images_are_those_of_which_it_is_true():
    inside = numbers(robust_paths.fixed_within_1(changes(norm_fixed={"pgd_08": 1.0})))["document"]
    below = sum(SPREAD < 1) / IMAGES
    assert inside == near({**dict.fromkeys(SEVEN, 0.5), "pgd_08": below - 0.5})
    longer = robust_paths.float_is_longer(changes(norm_float={"pgd_08": 0.2}))
    assert numbers(longer)["document"] == near({"fgsm_08": 0.5, "pgd_04": 0.5, "pgd_08": -0.5})


def test_the_largest_float_change_is_that_of_under_defended_models():
    found = robust_paths.float_up_to_16(changes(norm_float={"pgd_08": 90.0, "fgsm_04": 40.0}))
    assert numbers(found)["document"] == near({0: 44.0})


def test_paths_are_told_apart_by_their_protocol():
    frame = changes()
    frame.loc[frame["protocol"] == "authors_code", "cosine_fixed"] = -1.0
    found = numbers(robust_paths.fixed_against_label(frame))
    assert found["authors_code"]["std"] == near(0.0)
    assert found["document"]["std"] == near(0.05)


def test_float_neurons_of_the_whole_network_are_compared_with_std():
    frame = layers()
    found = numbers(robust_neurons.std_floats_most(frame))
    assert len(found) == 6
    assert min(found.values()) > 0
    more = layers(shallow={"pgd_04": 0.9}, deep={"pgd_04": 0.9})
    assert numbers(robust_neurons.std_floats_most(more))["std over pgd_04"] < 0
    frame.loc[frame["layer"] > 0, "neurons"] = 0  # the first layer alone
    first = numbers(robust_neurons.std_floats_most(frame))["std over noise_125"]
    assert first == near(log(0.7 / 0.15))


def test_layers_are_counted_from_0_or_from_1():
    frame = layers()
    frame.loc[(frame["defence"] == "std") & (frame["layer"] == 1), "float_share"] = 0.35
    frame.loc[(frame["defence"] == "std") & (frame["layer"] == 0), "float_share"] = 0.7
    found = numbers(robust_neurons.std_layer_1(frame))
    assert found == near({"layers counted from 0": -0.5, "layers counted from 1": 0.0})


@pytest.mark.parametrize(("deep", "rho"), [({}, 1.0), ({"std": 2.0}, -1.0)])
def test_float_neurons_fall_with_depth_by_rank(deep, rho):
    found = robust_neurons.falls_with_depth(layers(deep=deep)).mean
    assert found == near(1.0) if rho == 1 else found < 0


def test_shares_over_layers_are_relative_to_what_is_stated():
    flat = layers(shallow={"noise_125": 0.15, "noise_250": 0.2}, deep={"noise_250": 0.2})
    found = numbers(robust_neurons.noise_15_and_10(flat))
    assert found["noise_125"] == pytest.approx(0.0, abs=0.02)
    assert found["noise_250"] == pytest.approx(1.0, abs=0.02)


def test_minor_defences_are_compared_by_a_factor():
    found = numbers(robust_neurons.defences_float_less(layers()))
    assert [set(own) for own in found.values()] == [{"noise_125", "fgsm_04", "pgd_04"}] * 3
    two, less, three = (own["noise_125"] for own in found.values())
    assert two - less == near(log(1.5 / 2))
    assert two - three == near(log(3 / 2))
    whole = numbers(robust_neurons.std_floats_most(layers()))["std over noise_125"]
    assert two == near(whole - log(2))


@pytest.mark.parametrize(
    ("judge", "depth", "sign"),
    [
        ("adversarial_float_more_in_shallow", "shallow", 1),
        ("adversarial_float_less_in_deep", "deep", -1),
    ],
)
def test_adversarial_training_and_noise_are_compared_by_depth(judge, depth, sign):
    found = numbers(getattr(robust_neurons, judge)(layers()))
    assert len(found) == 8
    assert min(found.values()) > 0
    changed = layers(**{depth: {"pgd_08": 0.09 if sign > 0 else 0.9}})
    moved = numbers(getattr(robust_neurons, judge)(changed))
    assert sum(value < 0 for value in moved.values()) == 2
    other = layers(**{"deep" if depth == "shallow" else "shallow": {"pgd_08": 0.5}})
    assert numbers(getattr(robust_neurons, judge)(other)) == near(found)


def test_deep_layers_of_pgd_are_those_after_12():
    found = numbers(robust_neurons.pgd_below_5(layers(deep={"pgd_04": 0.06})))
    assert found["pgd_04"] < 0 < found["pgd_08"]
    frame = layers()
    frame.loc[frame["layer"] <= 12, "float_share"] = 0.9
    assert numbers(robust_neurons.pgd_below_5(frame))["pgd_08"] > 0
    short = robust_neurons.pgd_below_5(layers(depth=9))
    assert str(short.verdict) == "not_comparable(network)"


def test_stronger_defences_are_those_of_table_6_1():
    found = numbers(robust_neurons.stronger_float_less(layers()))
    assert list(found) == ["whole network", "deep layers"]
    assert found["deep layers"] > 0.8
    turned = {name: 1 - share for name, share in DEEP.items()}
    found = numbers(robust_neurons.stronger_float_less(layers(deep=turned)))
    assert found["deep layers"] < -0.8


def test_fixed_neurons_are_compared_under_either_noise():
    lower = {name: 1 - share for name, share in FIXED.items()}
    found = numbers(robust_neurons.noise_fixes_neurons(shares(((0.1, FIXED), (0.25, lower)))))
    assert len(found) == 6
    assert found["noise_050 at sigma 0.1"] == near(0.18)
    assert found["noise_050 at sigma 0.25"] == near(-0.18)
    stated = numbers(robust_neurons.fixed_72_to_90(shares(((0.1, FIXED), (0.25, lower)))))
    assert stated["panel of sigma 0.1"] == near({"std": 0.0, "noise_050": 0.0})
    assert stated["panel of sigma 0.25"]["std"] == near(0.28 / 0.72 - 1)


def test_constants_and_distances_of_std_are_compared_with_all_others():
    found = numbers(robust_lipschitz.std_is_highest(constants(distance_mean={"fgsm_04": 60})))
    assert len(found) == 12
    assert [name for name, value in found.items() if value < 0] == [
        "distance_mean std over fgsm_04"
    ]
    assert found["lipschitz_mean std over noise_125"] == near(log(50 / 20))


def test_under_defended_models_are_compared_with_each_defended_one():
    moved = constants(distance_mean={"pgd_04": 7})
    found = numbers(robust_lipschitz.under_defended_move_further(moved))
    assert len(found) == 9
    assert [name for name, value in found.items() if value < 0] == ["fgsm_04 over pgd_04"]


@pytest.mark.parametrize(
    ("judge", "column"),
    [("distances_vary_less", "distance_variance"), ("constants_vary_less", "lipschitz_variance")],
)
def test_variances_tend_to_be_lower_by_the_share_of_models(judge, column):
    function = getattr(robust_lipschitz, judge)
    assert function(constants()).mean == near(0.5)
    found = function(constants(**{column: {"noise_250": 101, "pgd_08": 101}}))
    assert found.mean == near(4 / 6 - 0.5)
    assert found.grain == near(1 / 6)


def test_constants_fall_by_a_factor():
    found = numbers(robust_lipschitz.constants_fall(constants(lipschitz_mean={"noise_125": 30})))
    assert list(found) == ["by a factor of 2", "by a factor of 1.3", "by a factor of 4"]
    assert found["by a factor of 2"]["noise_125"] == near(log(50 / 30 / 2))
    assert found["by a factor of 1.3"]["noise_125"] > 0 > found["by a factor of 2"]["noise_125"]


def test_noise_has_higher_constants_of_variances_alike():
    apart = constants(
        lipschitz_mean={"noise_250": 4.5},
        lipschitz_variance={"pgd_08": 0.4},
        distance_variance={"noise_125": 30},
    )
    found = numbers(robust_lipschitz.noise_has_higher_constants(apart))
    assert len(found) == 18
    assert {name for name, value in found.items() if value < 0} == {
        "constant of noise_250 over fgsm_08",
        "lipschitz_variance of noise_125 and pgd_08",
        "lipschitz_variance of noise_250 and pgd_08",
        "distance_variance of noise_125 and fgsm_08",
        "distance_variance of noise_125 and pgd_04",
        "distance_variance of noise_125 and pgd_08",
    }
    assert found["lipschitz_variance of noise_125 and pgd_04"] == near(log(10))


@pytest.mark.parametrize(("eta", "step"), [(0.5, 1.5), (0.0, 1.0), (2.0, 3.0)])
def test_a_plane_is_stable_where_neighbours_differ_less(eta, step):
    u, v = (part.flatten() for part in np.meshgrid(np.arange(5.0), np.arange(5.0)))
    frame = pd.DataFrame({"u": u, "v": v, "prediction": 2 * (u + v), "reformed": step * (u + v)})
    effect = robust_slices.reformed_is_stable(frame.assign(eta=eta, defence="std", seed=0))
    assert effect.mean == near(log(2 / step))
    assert effect.paired


STATEMENTS = [
    (robust_paths.fixed_against_label, changes),
    (robust_paths.float_around_04, changes),
    (robust_paths.similarities_rise, changes),
    (robust_paths.fixed_within_1, changes),
    (robust_paths.float_is_longer, changes),
    (robust_neurons.std_floats_most, layers),
    (robust_neurons.std_layer_1, layers),
    (robust_neurons.falls_with_depth, layers),
    (robust_neurons.noise_15_and_10, layers),
    (robust_neurons.defences_float_less, layers),
    (robust_neurons.adversarial_float_more_in_shallow, layers),
    (robust_neurons.adversarial_float_less_in_deep, layers),
    (robust_neurons.pgd_below_5, layers),
    (robust_neurons.stronger_float_less, layers),
    (robust_neurons.noise_fixes_neurons, shares),
    (robust_neurons.fixed_72_to_90, shares),
    (robust_lipschitz.std_is_highest, constants),
    (robust_lipschitz.under_defended_move_further, constants),
    (robust_lipschitz.distances_vary_less, constants),
    (robust_lipschitz.constants_vary_less, constants),
    (robust_lipschitz.constants_fall, constants),
    (robust_lipschitz.noise_has_higher_constants, constants),
]


def effects(found):
    """All effects, whatever they are nested in."""
    if isinstance(found, Readings):
        found = found.found
    if isinstance(found, Effect):
        return [found]
    return [effect for own in found.values() for effect in effects(own)]


@pytest.mark.parametrize(("judge", "made"), STATEMENTS)
def test_every_seed_is_a_replicate_that_shares_nothing(judge, made):
    single, found = effects(judge(made())), effects(judge(seeds(made(), made(), made())))
    assert {effect.n for effect in single} == {1}
    assert {effect.n for effect in found} == {3}
    assert [effect.mean for effect in found] == near([effect.mean for effect in single])
    assert not any(effect.paired for effect in found if effect.other is not None)


@pytest.mark.parametrize(("judge", "made"), STATEMENTS)
def test_seeds_without_a_network_that_learned_leave_the_mean(judge, made):
    frame = seeds(made(), made(), made())
    frame["learned"] = frame["seed"] != 1
    for effect in effects(judge(frame)):
        assert (effect.n, effect.attempted) == (2, 3)


@pytest.mark.parametrize(("judge", "made"), STATEMENTS)
def test_values_without_seeds_are_of_one_network_each(judge, made):
    frame = made()
    assert numbers(judge(frame.drop(columns="seed"))) == numbers(judge(frame))


def test_the_largest_float_change_is_told_of_every_seed():
    frame = seeds(changes(), changes(norm_float={"std": 20.0}), changes())
    assert numbers(robust_paths.float_up_to_16(frame))["document"] == near(
        {0: 16.5, 1: 22, 2: 16.5}
    )
    frame["learned"] = frame["seed"] != 1
    assert list(numbers(robust_paths.float_up_to_16(frame))["document"]) == [0, 2]


def test_networks_of_one_seed_stay_together():
    fewer, more = layers(), layers(shallow={"pgd_08": 0.9}, deep={"pgd_08": 0.9})
    found = robust_neurons.stronger_float_less(seeds(fewer, more))["whole network"]
    apart = [
        robust_neurons.stronger_float_less(own)["whole network"].mean for own in (fewer, more)
    ]
    assert found.samples == [near(apart)]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("path_similarities_rise", robust_paths.similarities_rise(changes())),
        ("std_layer_1", robust_neurons.std_layer_1(layers())),
    ],
)
def test_readings_that_were_added_later_are_among_those_computed(claim, found):
    later = marked(load_paper("thesis").claims[claim].choices, "afterwards")
    assert later
    assert later < set(found.found)
