"""Layers over training: thinned as asked; effects are positive as stated, and change sign."""

from math import log

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter3 import figures3_7_to_3_18_claims as layers
from reactivate.documents.thesis.chapter3.figures3_7_to_3_18 import over_training
from reactivate.documents.thesis.dynamics import thinned
from reactivate.evidence.observed import Observations
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

FOUR = ("sigmoid", "tanh", "relu", "gelu")
STEPS = (0, 30, 95, 120)  # two of the first quarter, two of the last
FALLING, RISING = (4.0, 3.0, 2.0, 1.0), (1.0, 2.0, 3.0, 4.0)
SATURATED_ABOVE = {"sigmoid": 3.0, "tanh": 2.0, "relu": 0.1, "gelu": 0.2}
TANH_BELOW = {**SATURATED_ABOVE, "tanh": 0.15}
CALM, WILD = (4.0, 3.0, 1.0, 1.01), (1.0, 4.0, 2.0, 8.0)


def observations(tmp_path, **tables):
    """Made-up tables of one network."""
    for name, rows in tables.items():
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
    return Observations({("fcnn", "relu", "document"): tmp_path})


def frame(values, quantity="mean", layer=3, **others):
    """Rows of layers over training: ``values`` by activation, one per step, or one for all."""
    rows = []
    for name, series in values.items():
        series = series if isinstance(series, tuple) else (series,) * len(STEPS)
        for step, value in zip(STEPS, series, strict=True):
            row = {"row": "fcnn", "column": name, "step": step, "layer": layer, **others}
            rows.append({"mean": 0.1, "variance": 1.0, **row, quantity: value})
    return pd.DataFrame(rows)


def by_layer(values, **columns):
    """One frame of several layers: a dictionary of values for each."""
    return pd.concat([frame(own, layer=n, **columns) for n, own in values.items()])


def posts(mean=0.5, inner=0.049, last=0.051):
    variances = {1: 0.0505, 2: inner, 3: inner, 4: last}
    return by_layer(
        {n: {"sigmoid": v} for n, v in variances.items()}, quantity="variance", mean=mean
    )


def weights(sigmoid, relu, bump):
    """Hidden layers 2 to 5; those of ReLU are higher where layer 2 may be."""
    return by_layer(
        {
            n: {"sigmoid": 1.0 + sigmoid * n, "relu": 1.0 + relu * n + bump * (n in (2, 3))}
            for n in range(1, 7)
        }
    )


AS_STATED = {
    "sigmoid_post_activations": (
        posts(),
        {
            "means": posts(mean=0.7),
            "variances": posts(last=0.09),
            "layers 8 and 0": posts(inner=0.0508),
        },
    ),
    "relu_post_activations": (
        frame({"relu": FALLING}, "variance"),
        {
            "mean": frame({"relu": FALLING}, "variance", mean=0.4),
            "variance": frame({"relu": RISING}, "variance"),
        },
    ),
    "sigmoid_weights_are_alike": (
        weights(0.001, 0.0, 0.5),
        {"alike": weights(0.9, 0.0, 0.5), "layer 2": weights(0.001, 0.0, -0.5)},
    ),
    "late_gradients_of_sigmoid_are_larger": (
        frame({"sigmoid": RISING, "relu": FALLING}),
        {"": frame({"sigmoid": FALLING, "relu": RISING})},
    ),
    "sigmoid_ratio_varies_more": (
        frame({"sigmoid": 2.0, "relu": 1.0}, "variance"),
        {"": frame({"sigmoid": 1.0, "relu": 2.0}, "variance")},
    ),
    "relu_ratio_settles": (
        frame({"relu": FALLING}, "variance"),
        {"": frame({"relu": RISING}, "variance")},
    ),
    "saturated_ratios_vary_more": (
        frame(SATURATED_ABOVE, "variance"),
        {"tanh above gelu": frame(TANH_BELOW, "variance")},
    ),
    "sigmoid_ratio_varies_most": (
        frame(SATURATED_ABOVE, "variance"),
        {"above tanh": frame({**SATURATED_ABOVE, "tanh": 4.0}, "variance")},
    ),
    "pre_activations_are_centred": (
        frame(dict.fromkeys(FOUR, -0.05)),
        {"gelu": frame({**dict.fromkeys(FOUR, 0.05), "gelu": -0.6})},
    ),
    "saturated_pre_activations_vary_more": (
        frame(SATURATED_ABOVE, "variance"),
        {"tanh above gelu": frame(TANH_BELOW, "variance")},
    ),
    "deep_weights_vary_less": (
        by_layer({3: {"relu": 2.0}, 15: {"relu": 1.0}}, quantity="variance"),
        {"relu": by_layer({7: {"relu": 1.0}, 11: {"relu": 2.0}}, quantity="variance")},
    ),
    "gradients_settle_without_saturation": (
        frame({"sigmoid": WILD, "tanh": WILD, "relu": CALM, "gelu": CALM}),
        {
            "relu falls": frame({"sigmoid": WILD, "tanh": WILD, "relu": RISING, "gelu": CALM}),
            "tanh above gelu": frame({"sigmoid": WILD, "tanh": CALM, "relu": CALM, "gelu": WILD}),
        },
    ),
    "gradients_of_sigmoid_rise": (
        frame({"sigmoid": WILD, "tanh": WILD, "relu": CALM, "gelu": CALM}),
        {
            "sigmoid rises": frame(
                {"sigmoid": (9.0, 4.0, 2.0, 8.0), "tanh": WILD, "relu": CALM, "gelu": CALM}
            ),
            "tanh stays high": frame(
                {"sigmoid": WILD, "tanh": (1.0, 1.0, 0.1, 0.5), "relu": CALM, "gelu": CALM}
            ),
        },
    ),
}


def effects(found):
    """Mean effects under every reading, by case; one case has no name."""
    each = found.found.values() if isinstance(found, Readings) else [found]
    each = [{"": part} if isinstance(part, Effect) else part for part in each]
    return {case: [part[case].mean for part in each] for case in each[0]}


@pytest.mark.parametrize("name", sorted(AS_STATED))
def test_an_effect_is_positive_where_the_numbers_are_as_stated(name):
    found = getattr(layers, name)(AS_STATED[name][0])
    for case, means in effects(found).items():
        assert max(means) > 0, case  # of margins the narrowest may be exceeded
    assert counts(found) == {1}  # one network is one replicate


def seeds(numbers, *factors):
    """The same values for several seeds, each times a factor."""
    parts = [
        numbers.assign(seed=seed, mean=factor * numbers["mean"], variance=numbers["variance"])
        for seed, factor in enumerate(factors)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("name", sorted(AS_STATED))
def test_a_seed_of_every_network_is_a_replicate(name):
    stated = AS_STATED[name][0]
    one, three = getattr(layers, name)(stated), getattr(layers, name)(seeds(stated, 1, 1, 1))
    assert counts(three) == {3}
    for case, means in effects(one).items():
        assert effects(three)[case] == pytest.approx(means, abs=1e-12)
    marked = seeds(stated, 1, 1, 1)
    lost = marked.assign(learned=marked["seed"] != 1)
    assert counts(getattr(layers, name)(lost)) == {2}


def test_seeds_are_measured_one_by_one():
    numbers = seeds(frame({"sigmoid": RISING, "relu": FALLING}), 1.0, 10.0)
    second_relu = (numbers["column"] == "relu") & (numbers["seed"] == 1)
    numbers.loc[second_relu, "mean"] /= 10.0
    effect = layers.late_gradients_of_sigmoid_are_larger(numbers)
    assert effect.stated == pytest.approx((log(3.5), log(35.0)))
    assert effect.other == pytest.approx((log(1.5), log(1.5)))


def counts(found):
    """The numbers of replicates of all cases."""
    parts = found.found.values() if isinstance(found, Readings) else [found]
    return {c.n for p in parts for c in (p.values() if isinstance(p, dict) else [p])}


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name, (_, odd) in AS_STATED.items() for case in odd]
)
def test_an_effect_is_negative_where_they_are_not(name, case):
    found = effects(getattr(layers, name)(AS_STATED[name][1][case]))
    assert max(found[case]) < 0


def test_margins_are_half_and_twice_as_wide():
    means = effects(layers.sigmoid_post_activations(posts(mean=0.53)))["means"]
    assert means == pytest.approx([0.02, -0.005, 0.07])


def test_records_closer_than_asked_are_left_out():
    steps = [0, 5, 10, 100, 199.6, 300]
    table = pd.DataFrame({"row": "fcnn", "column": "relu", "printed_step": steps})
    assert thinned(table, 100)["printed_step"].tolist() == [0, 100, 199.6, 300]
    assert thinned(table, 1)["printed_step"].tolist() == steps


def test_some_layers_of_a_quantity_are_shown(tmp_path):
    rows = [
        {"step": s, "printed_step": 10 * s, "layer": n, "ratio_mean": s + n, "ratio_variance": 2}
        for s in (0, 1, 2)
        for n in (1, 2, 3)
    ]
    seen = observations(tmp_path, weights=rows)
    found = over_training(seen, "weights", "ratio", layers="1 3", every=20)
    assert found["step"].tolist() == [0, 0, 2, 2]
    assert found["mean"].tolist() == [1, 3, 3, 5]
    with pytest.raises(ValueError, match=r"layers names \[4\], but the networks have 1 to 3"):
        over_training(seen, "weights", "ratio", layers="4")


def test_every_seed_keeps_its_own_records(tmp_path):
    table = {"step": [0, 1], "printed_step": [0, 10], "layer": 1, "pre_mean": 1, "pre_variance": 2}
    for seed in (0, 1):
        folder = tmp_path / str(seed)
        folder.mkdir()
        pd.DataFrame(table).to_csv(folder / "activations.csv", index=False)
    every = {("fcnn", "relu", "document", seed): tmp_path / str(seed) for seed in (0, 1)}
    found = over_training(Observations(every), "activations", "pre")
    assert found["seed"].tolist() == [0, 0, 1, 1]
    assert found["step"].tolist() == [0, 1, 0, 1]
