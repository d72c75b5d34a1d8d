"""What layers do over training is thinned as asked, and statements hold or fail by the numbers."""

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter3.figures3_7_to_3_18 import over_training
from reactivate.documents.thesis.chapter5 import figures5_4_to_5_6_claims as similarities
from reactivate.documents.thesis.chapter5 import figures5_8_5_10_claims as entropies
from reactivate.documents.thesis.chapter5.figures5_4_to_5_6 import similarity
from reactivate.documents.thesis.chapter5.figures5_8_to_5_10 import by_batch_size, during_training
from reactivate.documents.thesis.dynamics import thinned
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.observed import Observations

STEPS = (0, 40, 80, 120)


def observations(tmp_path, **tables):
    """Made-up tables of one network."""
    for name, rows in tables.items():
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
    return Observations({("fcnn", "relu", "document"): tmp_path})


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
    seen = observations(tmp_path, network=rows, history=[{"test_top1": 10}, {"test_top1": 90}])
    found = similarity(seen, every=10, until=25)
    assert found["step"].tolist() == [0, 1, 2]
    assert set(found["accuracy"]) == {90}


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


def similar(values, row="fcnn", accuracy=None, variance=None):
    """Similarities by activation, one per step."""
    return pd.DataFrame(
        {
            "row": row,
            "column": name,
            "step": step,
            "similarity": value,
            "distance_variance": (variance or {}).get(name, 1.0),
            "accuracy": (accuracy or {}).get(name, 1.0),
        }
        for name, series in values.items()
        for step, value in zip(STEPS, series, strict=True)
    )


DIP, FALL = (0.8, 0.7, 0.9, 0.95), (0.8, 0.5, 0.5, 0.5)
USUAL = {"sigmoid": DIP, "tanh": DIP, "relu": FALL, "gelu": FALL}
RANKS = {"sigmoid": 1.0, "tanh": 2.0, "relu": 3.0, "gelu": 4.0}
SPREAD = {name: (1.0 - 0.1 * rank,) * 4 for name, rank in RANKS.items()}
FIRST = {
    "relu": (1.0, 0.5, 0.5, 0.5),
    "gelu": (1.0, 0.8, 0.5, 0.5),
    "tanh": (1.0, 0.9, 0.8, 0.5),
}
OF_SIMILARITY = {
    "saturated_become_alike": (similar(USUAL), similar({**USUAL, "tanh": FALL})),
    "others_stay_at_half": (similar(USUAL), similar({**USUAL, "gelu": DIP})),
    "relu_distance_varies_least": (
        similar(USUAL, variance={"relu": 1.0, "gelu": 2.0, "tanh": 3.0, "sigmoid": 4.0}),
        similar(USUAL, variance={"relu": 2.0, "gelu": 1.0, "tanh": 3.0, "sigmoid": 4.0}),
    ),
    "gelu_ends_lowest": (similar(SPREAD), similar({**SPREAD, "relu": (0.1,) * 4})),
    "accuracy_mirrors_similarity": (
        similar(SPREAD, accuracy=RANKS),
        similar(SPREAD, accuracy={**RANKS, "relu": 5.0}),
    ),
    "relu_settles_first": (
        similar({**FIRST, "sigmoid": (1.0, 1.0, 1.0, 0.9)}).assign(),
        similar({**FIRST, "sigmoid": (1.0, 0.5, 0.5, 0.5)}),
    ),
    "early_similarity_reaches_half": (similar({"relu": FALL}), similar({"relu": DIP})),
    "sigmoid_vgg_starts_alike": (
        similar({"sigmoid": (1.0, 1.0, 0.995, 0.5)}, row="vgg16"),
        similar({"sigmoid": (1.0, 0.9, 0.8, 0.5)}, row="vgg16"),
    ),
}


@pytest.mark.parametrize("name", sorted(OF_SIMILARITY))
def test_a_statement_about_similarity_holds_and_fails(name):
    holding, failing = OF_SIMILARITY[name]
    judge = getattr(similarities, name)
    assert judge(failing).verdict == Verdict.ORDER_FAILS
    if name == "relu_settles_first":  # tanh and sigmoid end in the same step here
        holding = pd.concat([holding, late_sigmoid()])
    assert judge(holding).verdict == Verdict.ORDER_HOLDS


def late_sigmoid():
    """A later record, at which the Sigmoid network has settled."""
    return similar({"sigmoid": (0.9, 0.9, 0.9, 0.2)}).assign(step=[130, 140, 150, 160])


def entropy_rows(accuracy, deep=None, entry=0.62):
    rows = []
    for size, value in accuracy.items():
        found = {"test_top1": value, "entropy_mean layer 1": entry}
        found["entropy_mean layer 11"] = value / 100 if deep is None else deep[size]
        for name, number in found.items():
            rows.append({"column": f"batch_{size}", "step": 1, "quantity": name, "value": number})
    return pd.DataFrame(rows)


UP, DOWN = {16: 50.0, 64: 60.0, 512: 70.0}, {16: 70.0, 64: 60.0, 512: 50.0}
OF_ENTROPY = {
    "larger_batches_are_more_accurate": (entropy_rows(UP), entropy_rows(DOWN)),
    "entry_entropy": (entropy_rows(UP), entropy_rows(UP, entry=0.5)),
    "deep_entropy_goes_with_accuracy": (entropy_rows(UP), entropy_rows(UP, deep=DOWN)),
    "deep_neurons_die": tuple(
        pd.DataFrame({"step": [0, 1], "layer": 11, "bin0": [1 - share, share]})
        for share in (0.7, 0.3)
    ),
    "entry_neurons_are_volatile": tuple(
        pd.DataFrame(
            [{"step": 1, "layer": 2, **{f"bin{n}": share if n == 19 else 0 for n in range(20)}}]
        )
        for share in (0.7, 0.3)
    ),
}


@pytest.mark.parametrize("name", sorted(OF_ENTROPY))
def test_a_statement_about_entropy_holds_and_fails(name):
    holding, failing = OF_ENTROPY[name]
    judge = getattr(entropies, name)
    assert judge(holding).verdict == Verdict.ORDER_HOLDS
    assert judge(failing).verdict == Verdict.ORDER_FAILS
