"""Similarity and neuron entropy over training: what is shown of them, and what is said."""

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter5 import figures5_4_to_5_6_claims as similarities
from reactivate.documents.thesis.chapter5 import figures5_8_5_10_claims as entropies
from reactivate.documents.thesis.chapter5.figures5_4_to_5_6 import similarity
from reactivate.documents.thesis.chapter5.figures5_8_to_5_10 import by_batch_size, during_training
from reactivate.documents.thesis.chapter5.pattern_readings import BREAKPOINTS, SATURATED
from reactivate.evidence.observed import Observations
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

STEPS = (0, 40, 800, 1200)


def observations(tmp_path, **tables):
    """Made-up tables of one network."""
    for name, rows in tables.items():
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
    return Observations({("fcnn", "relu", "document"): tmp_path})


def test_similarity_stops_where_asked_and_carries_the_final_accuracy(tmp_path):
    rows = [
        {
            "step": s,
            "printed_step": 10 * s,
            "similarity": 0.5,
            "distance_mean": 1,
            "distance_variance": 2,
        }
        for s in range(5)
    ]
    tried = [
        {"step": s, "breakpoints": points, "similarity": s / 10 + extra}
        for s in range(5)
        for points, extra in (("-1, 1", 0.0), ("-2, 2", 0.05))
    ]
    history = [{"test_top1": 10}, {"test_top1": 90}]
    seen = observations(tmp_path, network=rows, history=history, similarities=tried)
    found = similarity(seen, every=10, until=25)
    assert found["step"].tolist() == [0, 0, 1, 1, 2, 2]
    assert found["breakpoints"].tolist() == ["-1, 1", "-2, 2"] * 3
    assert found["similarity"].tolist() == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2, 0.25])
    assert set(found["accuracy"]) == {90}
    with pytest.raises(ValueError, match="no similarity was recorded for relu; name its break"):
        similarity(observations(tmp_path, similarities=tried[2:]), every=10)


def test_entropy_is_shown_by_layer_with_the_accuracies(tmp_path):
    rows = [
        {"step": 0, "layer": n, "entropy_mean": 0.1 * n, "entropy_variance": 0.01} for n in (1, 2)
    ]
    history = [{"epoch": 1, "train_top1": 50.0, "test_top1": 40.0}]
    seen = observations(tmp_path, activations=rows, history=history)
    found = by_batch_size(seen, layers="2").set_index("quantity")["value"]
    assert found.to_dict() == {
        "entropy_mean layer 2": 0.2,
        "entropy_variance layer 2": 0.01,
        "train_top1": 50.0,
        "test_top1": 40.0,
    }


def test_histograms_become_shares(tmp_path):
    rows = [{"step": 0, "layer": 2, **{f"bin{n}": 4 if n < 2 else 0 for n in range(20)}}]
    found = during_training(observations(tmp_path, entropies=rows), layers="2").iloc[0]
    assert (found["bin0"], found["bin1"], found["bin2"]) == (0.5, 0.5, 0)


def means(found, reading=0):
    """The mean effect of every case under one reading."""
    if isinstance(found, Readings):
        found = list(found.found.values())[reading]
    if isinstance(found, Effect):
        return found.mean
    return {name: round(effect.mean, 6) for name, effect in found.items()}


def similar(values, row="fcnn", seeds=1, **columns):
    """Similarities by activation, one per step, alike in every reading; other columns too."""
    return pd.DataFrame(
        {
            "row": row + ending,
            "column": name,
            "breakpoints": points,
            "seed": seed,
            "step": step,
            "printed_step": step,
            "similarity": value,
            "distance_mean": float(step),
            **{key: numbers[name] for key, numbers in columns.items()},
        }
        for ending in ("", "_without_bn")
        for seed in range(seeds)
        for name, series in values.items()
        for points in (BREAKPOINTS if name in SATURATED else ["0"])
        for step, value in zip(STEPS, series, strict=True)
    )


DIP, FALL = (0.8, 0.7, 0.9, 0.95), (0.8, 0.5, 0.52, 0.47)
FOUR = {"sigmoid": DIP, "tanh": DIP, "relu": FALL, "gelu": (0.9, 0.6, 0.45, 0.5)}


def test_the_saturated_fall_rise_and_end_around_a_number():
    found = similarities.saturated_become_alike(similar(FOUR, seeds=2))
    assert means(found) == {
        f"{name} {what}": pytest.approx(number)
        for name in ("sigmoid", "tanh")
        for what, number in (("falls", 0.1), ("rises", 0.25), ("ends around 0.95", 0.095))
    }
    assert means(found, 6)["tanh ends around 0.95"] == pytest.approx(0.0475)
    assert means(found, 12)["tanh ends around 0.95"] == pytest.approx(0.19)
    assert len(found.found) == 18
    low = similarities.saturated_become_alike(similar({**FOUR, "tanh": FALL}))
    assert means(low)["tanh ends around 0.95"] == pytest.approx(0.095 - 0.48)
    assert next(iter(found.found.values()))["tanh falls"].n == 2


def test_the_others_are_measured_where_they_are_farthest_from_a_half():
    found = similarities.others_stay_at_half(similar(FOUR))
    assert means(found) == {"relu": pytest.approx(-0.03), "gelu": pytest.approx(-0.05)}


@pytest.mark.parametrize(("column", "reading"), [("distance_variance", 0), ("distance_mean", 1)])
def test_variances_are_compared_by_their_logs(column, reading):
    numbers = similar(FOUR, distance_variance=dict.fromkeys(FOUR, 1.0))
    rising = {"relu": 1.0, "gelu": 10.0, "tanh": 100.0, "sigmoid": 10.0}
    wave = numbers["step"].map(dict(zip(STEPS, (-1, 1, -1, 1), strict=True)))
    scale = numbers["column"].map(rising)
    numbers[column] = scale if reading == 0 else scale**0.5 * wave
    found = means(similarities.relu_distance_varies_least(numbers), 2 * reading)
    assert list(found.values()) == pytest.approx([2.302585, 2.302585, -2.302585])
    assert list(found) == ["relu below gelu", "gelu below tanh", "tanh below sigmoid"]


def test_gelu_is_compared_with_every_other_network():
    found = similarities.gelu_ends_lowest(similar(FOUR, row="vgg16"))
    expected = {"sigmoid": 0.45, "tanh": 0.45, "relu": -0.03}
    assert means(found) == pytest.approx(expected)


@pytest.mark.parametrize(("relu", "rho"), [(96.0, 1.0), (98.0, 0.8)])
def test_accuracy_mirrors_similarity_as_a_rank_correlation(relu, rho):
    ends = {"sigmoid": 0.9, "tanh": 0.8, "relu": 0.7, "gelu": 0.6}
    accuracy = {"sigmoid": 94.0, "tanh": 95.0, "relu": relu, "gelu": 97.0}
    flat = {name: (end,) * 4 for name, end in ends.items()}
    numbers = similar(flat, row="vgg16", accuracy=accuracy, seeds=3)
    found = next(iter(similarities.accuracy_mirrors_similarity(numbers).found.values()))
    assert found.stated == pytest.approx((rho,) * 3)
    assert found.grain == pytest.approx(0.2)


def test_speed_is_the_step_at_which_most_of_the_fall_is_done():
    values = {
        "relu": (1.0, 0.5, 0.5, 0.5),
        "gelu": (1.0, 0.8, 0.5, 0.5),
        "tanh": (1.0, 0.5, 0.5, 0.5),
        "sigmoid": (1.0, 0.9, 0.8, 0.5),
    }
    found = means(similarities.relu_settles_first(similar(values)))
    assert found["relu before gelu"] == pytest.approx(2.995732)  # ln(800 / 40)
    assert found["relu before tanh"] == 0
    assert found["gelu before sigmoid"] == pytest.approx(0.405465)  # ln(1200 / 800)
    assert len(found) == 5


def test_the_early_minimum_is_compared_with_a_half():
    found = similarities.early_similarity_reaches_half(similar(FOUR))
    assert means(found) == pytest.approx(
        {"sigmoid": 0.2, "tanh": 0.2, "relu": -0.03, "gelu": -0.05}
    )


@pytest.mark.parametrize(("third", "room"), [(0.995, 0.005), (0.9, -0.09)])
def test_the_first_three_records_of_vgg_are_at_100_percent(third, room):
    numbers = similar({"sigmoid": (1.0, 1.0, third, 0.5)}, row="vgg16")
    assert means(similarities.sigmoid_vgg_starts_alike(numbers)) == pytest.approx(room)


def batches(accuracy, deep, wobble):
    """Accuracies and entropies by batch size; larger batches have more epochs."""
    rows = []
    for size, value in accuracy.items():
        epochs = size
        for epoch in range(epochs):
            for part, offset in (("train_top1", 5.0), ("test_top1", 0.0)):
                number = value + offset + wobble[size] * (epoch % 2 - (epoch == epochs - 1))
                rows.append((f"batch_{size}", epoch, part, number))
        rows.append((f"batch_{size}", 9, "entropy_mean layer 1", 0.6 + size / 1000))
        rows.append((f"batch_{size}", 9, "entropy_mean layer 11", deep[size]))
    return pd.DataFrame(rows, columns=["column", "step", "quantity", "value"])


UP, DOWN = {16: 50.0, 64: 60.0, 128: 70.0}, {16: 3.0, 64: 2.0, 128: 1.0}


def test_trends_with_the_batch_size():
    found = means(entropies.larger_batches_are_more_accurate(batches(UP, UP, DOWN)))
    assert found == dict.fromkeys(
        ["train_top1 rises", "test_top1 rises", "train_top1 is steadier", "test_top1 is steadier"],
        1,
    )
    found = means(entropies.larger_batches_are_more_accurate(batches(DOWN, UP, UP)))
    assert set(found.values()) == {-1}


def test_entropy_of_the_entry_layer_is_compared_for_each_batch_size():
    found = means(entropies.entry_entropy(batches(UP, UP, DOWN)))
    assert found == pytest.approx({"batch_16": -0.004, "batch_64": 0.044, "batch_128": 0.108})


@pytest.mark.parametrize(("deep", "rho"), [(UP, 1), (DOWN, -1)])
def test_deep_entropy_and_accuracy_are_ranked(deep, rho):
    found = means(entropies.deep_entropy_goes_with_accuracy(batches(UP, deep, DOWN)))
    assert found == {"train_top1": rho, "test_top1": rho}


@pytest.mark.parametrize(
    ("name", "layer", "bins"),
    [("deep_neurons_die", 11, {"bin0"}), ("entry_neurons_are_volatile", 2, {"bin18", "bin19"})],
)
def test_shares_of_neurons_at_the_end_are_compared_with_a_half(name, layer, bins):
    names = [f"bin{n}" for n in range(20)]
    shares = {bin: 0.7 / len(bins) if bin in bins else 0.3 / (20 - len(bins)) for bin in names}
    rows = [{"step": 5, "layer": layer, **shares}]
    rows += [
        {"step": step, "layer": n, **dict.fromkeys(names, 0.05)}
        for step, n in ((0, layer), (5, 8))
    ]
    assert means(getattr(entropies, name)(pd.DataFrame(rows))) == pytest.approx(0.2)
