"""What layers do over training is thinned as asked, and statements hold or fail by the numbers."""

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter3 import figures3_7_to_3_18_claims as layers
from reactivate.documents.thesis.chapter3.figures3_7_to_3_18 import over_training
from reactivate.documents.thesis.dynamics import thinned
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.observed import Observations

FOUR = ("sigmoid", "tanh", "relu", "gelu")
STEPS = (0, 40, 80, 120)


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


FALLING, RISING = (4.0, 3.0, 2.0, 1.0), (1.0, 2.0, 3.0, 4.0)
SATURATED_ABOVE = {"sigmoid": 3.0, "tanh": 2.0, "relu": 0.1, "gelu": 0.2}
TANH_BELOW = {**SATURATED_ABOVE, "tanh": 0.15}
OF_LAYERS = {
    "sigmoid_post_activations": (
        frame({"sigmoid": 0.05}, "variance", mean=0.5),
        frame({"sigmoid": 0.05}, "variance", mean=0.7),
    ),
    "relu_post_activations": (
        frame({"relu": FALLING}, "variance"),
        frame({"relu": RISING}, "variance"),
    ),
    "late_gradients_of_sigmoid_are_larger": (
        frame({"sigmoid": RISING, "relu": FALLING}),
        frame({"sigmoid": FALLING, "relu": RISING}),
    ),
    "sigmoid_ratio_varies_more": (
        frame({"sigmoid": 2.0, "relu": 1.0}, "variance"),
        frame({"sigmoid": 1.0, "relu": 2.0}, "variance"),
    ),
    "relu_ratio_settles": (
        frame({"relu": FALLING}, "variance"),
        frame({"relu": RISING}, "variance"),
    ),
    "saturated_ratios_vary_more": (
        frame(SATURATED_ABOVE, "variance"),
        frame(TANH_BELOW, "variance"),
    ),
    "sigmoid_ratio_varies_most": (
        frame(SATURATED_ABOVE, "variance"),
        frame({**SATURATED_ABOVE, "tanh": 4.0}, "variance"),
    ),
    "pre_activations_are_centred": (
        frame(dict.fromkeys(FOUR, 0.2)),
        frame({**dict.fromkeys(FOUR, 0.2), "gelu": -0.6}),
    ),
    "saturated_pre_activations_vary_more": (
        frame(SATURATED_ABOVE, "variance"),
        frame(TANH_BELOW, "variance"),
    ),
    "deep_weights_vary_less": (
        pd.concat([frame({"relu": 2.0}, "variance"), frame({"relu": 1.0}, "variance", layer=15)]),
        pd.concat([frame({"relu": 1.0}, "variance"), frame({"relu": 2.0}, "variance", layer=15)]),
    ),
    "gradients_settle_without_saturation": (
        frame({"sigmoid": RISING, "tanh": 1.0, "relu": FALLING, "gelu": FALLING}),
        frame({"sigmoid": FALLING, "tanh": 1.0, "relu": FALLING, "gelu": FALLING}),
    ),
    "sigmoid_weights_are_alike": tuple(
        pd.concat(
            [
                frame({"sigmoid": 1.0 + a * n, "relu": 1.0 + b * n}, layer=n).assign(layer=n)
                for n in range(1, 6)
            ]
        )
        for a, b in ((0.1, 0.5), (0.5, 0.1))
    ),
}


@pytest.mark.parametrize("name", sorted(OF_LAYERS))
def test_a_statement_about_layers_holds_and_fails(name):
    holding, failing = OF_LAYERS[name]
    judge = getattr(layers, name)
    assert judge(holding).verdict == Verdict.ORDER_HOLDS
    assert judge(failing).verdict == Verdict.ORDER_FAILS
