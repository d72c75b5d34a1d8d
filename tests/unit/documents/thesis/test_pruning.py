"""What is said of pruned networks, and their pictures."""

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13 as pruning_runs
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13_claims as pruning_statements
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13_picture as pruning_pictures
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.observed import Observations
from reactivate.stages.plot import save_png

SPARSITIES = {"s70": 0.7, "s80": 0.8, "s95": 0.95}
METHODS = ("weight", "entropy_weighted", "harmonic_mean", "normalised_product")
METHODS += ("standardised_product", "random", "weight_authors_code")
HOLDS, FAILS = Verdict.ORDER_HOLDS, Verdict.ORDER_FAILS


def at_end(**gains):
    """Made-up accuracies: 60 % at 0.7 and less beyond, plus the gain of a method."""
    rows = [
        (method, column, sparsity, seed, 60 - 20 * sparsity + gains.get(method, 0) + 0.1 * seed)
        for method in METHODS
        for column, sparsity in SPARSITIES.items()
        for seed in range(3)
    ]
    return pd.DataFrame(rows, columns=["row", "column", "sparsity", "seed", "top1"])


def frequencies(weight, nep):
    """Made-up accuracies by epochs between prunings; some seeds are missing."""
    rows = [
        (f"{blend}_every_{every}", blend, every, sparsity, seed, top1 - sparsity)
        for blend, values in (("weight", weight), ("entropy_weighted", nep))
        for every, top1 in zip((2, 5, 10, 15), values, strict=True)
        for sparsity in SPARSITIES.values()
        for seed in range(3 if every == 10 else 2)
    ]
    return pd.DataFrame(rows, columns=["row", "blend", "every", "sparsity", "seed", "top1"])


def epochs(drop=lambda number: number, every=4, count=20):
    """Made-up histories: accuracy rises by 1 and falls at every pruning."""
    rows = []
    for method in ("weight", "entropy_weighted"):
        for seed in range(2):
            accuracy = 30.0
            for epoch in range(1, count + 1):
                pruned = int(epoch % every == 0)
                accuracy += 1 - (1 + drop(epoch // every)) * pruned
                rows.append((method, "s80", seed, epoch, accuracy + 2, accuracy, pruned))
    names = ["row", "column", "seed", "epoch", "train_top1", "test_top1", "prunings"]
    return pd.DataFrame(rows, columns=names)


GOOD = {"entropy_weighted": 5, "harmonic_mean": 2, "normalised_product": 1}


@pytest.mark.parametrize(
    ("name", "frame", "verdict"),
    [
        ("nep_beats_weight", at_end(**GOOD), HOLDS),
        ("nep_beats_weight", at_end(entropy_weighted=-1), FAILS),
        ("nep_gains_3_to_8", at_end(**GOOD), HOLDS),
        ("nep_gains_3_to_8", at_end(entropy_weighted=9), FAILS),
        ("nep_gains_3_to_8", at_end(entropy_weighted=1), FAILS),
        ("most_blends_beat_weight", at_end(**GOOD), HOLDS),
        ("most_blends_beat_weight", at_end(entropy_weighted=5, harmonic_mean=1), FAILS),
        ("nep_is_best", at_end(**GOOD, random=30), HOLDS),
        ("nep_is_best", at_end(harmonic_mean=1), FAILS),
        ("harmonic_and_normalised_follow", at_end(**GOOD), HOLDS),
        ("harmonic_and_normalised_follow", at_end(**{**GOOD, "weight": 4}), FAILS),
        ("drops_and_recovers", epochs(), HOLDS),
        ("drops_and_recovers", epochs(drop=lambda number: -1), FAILS),
        ("drops_and_recovers", epochs(every=1), Verdict.NOT_COMPARABLE),
        ("later_prunings_hurt_more", epochs(), HOLDS),
        ("later_prunings_hurt_more", epochs(drop=lambda number: 9 - number), FAILS),
        ("later_prunings_hurt_more", epochs(every=1), Verdict.NOT_COMPARABLE),
        ("weight_prefers_10", frequencies([40, 41, 48, 42], [9, 8, 7, 6]), HOLDS),
        ("weight_prefers_10", frequencies([40, 41, 42, 48], [9, 8, 7, 6]), FAILS),
        ("frequent_is_worse_for_weight", frequencies([40, 41, 43, 42], [9, 8, 7, 6]), HOLDS),
        ("frequent_is_worse_for_weight", frequencies([44, 43, 42, 41], [9, 8, 7, 6]), FAILS),
        ("frequent_is_better_for_nep", frequencies([9] * 4, [50, 48, 47, 44]), HOLDS),
        ("frequent_is_better_for_nep", frequencies([9] * 4, [44, 47, 48, 50]), FAILS),
        ("nep_gains_12", frequencies([38, 39, 40, 37], [52, 51, 50, 49]), HOLDS),
        ("nep_gains_12", frequencies([38, 39, 40, 37], [42, 41, 40, 39]), FAILS),
    ],
)
def test_judges_of_pruning_tell_what_holds(name, frame, verdict):
    judgement = getattr(pruning_statements, name)(frame)
    assert judgement.verdict == verdict, judgement.reason
    assert "\n" not in judgement.reason


def test_one_seed_can_be_judged():
    judgement = pruning_statements.nep_beats_weight(at_end(**GOOD).query("seed == 0"))
    assert judgement.verdict == HOLDS
    assert "0.7: +5.00" in judgement.reason


def check_size(figure, folder):
    save_png(figure, folder / "figure.png")
    assert (folder / "figure.png").stat().st_size < 200_000


def test_every_method_is_drawn_with_its_spread(tmp_path):
    figure = pruning_pictures.by_sparsity(at_end(**GOOD))
    (axis,) = figure.axes
    assert [line.get_label() for line in axis.get_lines()][-1] == "weight, as coded"
    assert len(axis.get_lines()) == len(axis.collections) == len(METHODS)
    check_size(figure, tmp_path)


def test_frequencies_are_drawn_for_every_score(tmp_path):
    figure = pruning_pictures.by_frequency(frequencies([40, 41, 48, 42], [9, 8, 7, 6]))
    assert [len(axis.get_lines()) for axis in figure.axes] == [4, 4]
    check_size(figure, tmp_path)


def test_epochs_are_drawn_for_training_and_validation(tmp_path):
    figure = pruning_pictures.over_epochs(epochs(count=120))
    assert [len(axis.get_lines()) for axis in figure.axes] == [2, 2]
    check_size(figure, tmp_path)


@pytest.fixture
def runs(tmp_path):
    """What two seeds of two runs left."""
    folders = {}
    for row in ("weight_every_2", "weight_every_10"):
        for seed in range(2):
            folder = tmp_path / row / str(seed)
            folder.mkdir(parents=True)
            (folder / "metrics.csv").write_text(f"seed,top1,diverged_at\n{seed},{40 + seed},\n")
            history = "epoch,train_top1,test_top1\n1,20,21\n2,30,31\n3,35,30\n"
            (folder / "history.csv").write_text(history)
            masks = [
                "pruning,step,epoch,layer,size,remaining",
                "1,5,0.5,a,10,8",
                "1,5,0.5,b,30,24",
                "2,10,1.0,a,10,6",
                "2,10,1.0,b,30,18",
                "3,21,2.1,a,10,5",
                "3,21,2.1,b,30,15",
            ]
            (folder / "masks.csv").write_text("\n".join(masks))
            folders[row, "s50", "document", seed] = folder
    return Observations(folders)


def test_accuracies_and_what_is_left_are_told_by_seed(runs):
    found = pruning_runs.by_sparsity(runs)
    assert found["top1"].tolist() == [40, 41, 40, 41]
    assert found["seed"].tolist() == [0, 1, 0, 1]
    assert set(found["sparsity"]) == set(found["left"]) == {0.5}
    assert not found["diverged"].any()


def test_blend_and_frequency_are_told_apart(runs):
    found = pruning_runs.by_frequency(runs)
    assert found["blend"].unique().tolist() == ["weight"]
    assert found["every"].unique().tolist() == [2, 10]


def test_prunings_are_counted_in_the_epoch_they_end(runs):
    found = pruning_runs.over_epochs(runs)
    assert found["prunings"].tolist() == [2, 0, 1] * 4
    assert np.array_equal(found["epoch"], [1, 2, 3] * 4)
