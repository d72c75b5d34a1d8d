"""What is said of pruned networks, and their pictures."""

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13 as pruning_runs
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13_claims as pruning_statements
from reactivate.documents.thesis.chapter5 import figures5_11_to_5_13_picture as pruning_pictures
from reactivate.evidence.observed import Observations

SPARSITIES = {"s70": 0.7, "s80": 0.8, "s95": 0.95}
METHODS = ("weight", "entropy_weighted", "harmonic_mean", "normalised_product")
METHODS += ("standardised_product", "random", "weight_authors_code")


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


def judged(name, frame):
    return getattr(pruning_statements, name)(frame)


@pytest.mark.parametrize("gain", [5, -1])
def test_the_gain_of_a_seed_is_one_replicate(gain):
    found = judged("nep_beats_weight", at_end(entropy_weighted=gain))
    assert found.samples == [pytest.approx([gain] * 3)]
    assert found.paired
    assert found.grain == pytest.approx(0.01)  # one of 10,000 test images, in points


def test_a_network_that_has_not_learned_leaves_and_is_counted():
    frame = at_end(**GOOD)
    worst = (frame["row"] == "weight") & (frame["seed"] == 1) & (frame["column"] == "s95")
    frame.loc[worst, "top1"] = 17.0  # of 45.7 at this sparsity: not a third of the way from 10
    found = judged("nep_beats_weight", frame)
    assert (found.n, found.unlearned) == (2, 1)
    frame.loc[worst, "top1"] = 22.5
    assert judged("nep_beats_weight", frame).n == 3


@pytest.mark.parametrize(
    ("gains", "share"),
    [(GOOD, 0.25), ({"entropy_weighted": 5}, -0.25), ({**GOOD, "standardised_product": 1}, 0.5)],
)
def test_the_share_of_blends_above_weight(gains, share):
    assert judged("most_blends_beat_weight", at_end(**gains)).stated == (share,) * 3


def test_blends_that_have_not_learned_are_no_cases():
    frame = at_end(**GOOD)
    frame.loc[frame["row"] == "standardised_product", "top1"] = 9.0
    assert judged("most_blends_beat_weight", frame).stated == (0.5,) * 3
    frame.loc[(frame["row"] == "weight") & (frame["seed"] == 0), "top1"] = 9.0
    assert judged("most_blends_beat_weight", frame).stated == (None, 0.5, 0.5)


def test_the_best_blend_is_compared_with_the_other_blends_alone():
    found = judged("nep_is_best", at_end(**GOOD, random=30, weight=20))
    means = {name: effect.mean for name, effect in found.items()}
    assert means == pytest.approx(
        {"harmonic_mean": 3, "normalised_product": 4, "standardised_product": 5}
    )


def test_either_product_may_be_the_normalized_one():
    found = judged("harmonic_and_normalised_follow", at_end(**GOOD)).found
    means = [{name: round(effect.mean, 6) for name, effect in r.items()} for r in found.values()]
    assert means == [
        {"harmonic_mean": 2, "normalised_product": 1},
        {"harmonic_mean": 1, "standardised_product": -1},
    ]


@pytest.mark.parametrize(
    ("drop", "shares", "trends"),
    [
        (lambda number: number, (0.5, 0.5), (1, -1)),
        (lambda number: 9 - number, (0.5, 0.5), (-1, 1)),
        (lambda number: -1, (-0.5, 0.5), (0, 0)),
    ],
)
def test_drops_and_recoveries_are_told_by_seed(drop, shares, trends):
    frame = epochs(drop=drop, count=19)
    frame.loc[frame["row"] == "weight", "test_top1"] += 1  # of other methods the drops are alike
    found = judged("drops_and_recovers", frame)
    assert tuple(effect.stated for effect in found.values()) == tuple((x,) * 2 for x in shares)
    later = judged("later_prunings_hurt_more", recovering(frame, drop))
    assert tuple(effect.mean for effect in later.values()) == pytest.approx(trends)


def recovering(frame, drop):
    """The same histories, with as much more won back as is lost; 3 epochs after each pruning."""
    since = frame["epoch"] % 4
    lost = (frame["epoch"] // 4).map(drop).astype(float)
    return frame.assign(test_top1=frame["test_top1"] + lost * (since == 3))


def test_prunings_without_epochs_between_them_show_nothing():
    for name in ("drops_and_recovers", "later_prunings_hurt_more"):
        assert str(judged(name, epochs(every=1)).verdict) == "not_comparable(unreachable)"


@pytest.mark.parametrize(("weight", "gain"), [([40, 41, 48, 42], 7), ([40, 41, 42, 48], -1)])
def test_every_10_epochs_is_compared_with_the_mean_of_the_others(weight, gain):
    found = judged("weight_prefers_10", frequencies(weight, [49, 48, 47, 46]))
    assert found.samples == [pytest.approx([gain] * 2)]  # the seeds that all have


@pytest.mark.parametrize(("weight", "rho"), [([40, 41, 43, 42], 0.8), ([44, 43, 42, 41], -1)])
def test_accuracy_is_ranked_by_the_epochs_between_prunings(weight, rho):
    found = judged("frequent_is_worse_for_weight", frequencies(weight, [49, 48, 47, 46]))
    assert found.stated == pytest.approx((rho,) * 2)


def test_a_curve_with_a_network_that_has_not_learned_is_left_out():
    frame = frequencies([40, 41, 43, 42], [49, 48, 47, 46])
    frame.loc[(frame["row"] == "weight_every_5") & (frame["seed"] == 0), "top1"] = 9.0
    assert judged("frequent_is_worse_for_weight", frame).stated == (None, pytest.approx(0.8))
    assert judged("weight_prefers_10", frame).n == 1


@pytest.mark.parametrize(("nep", "gain"), [([50, 48, 47, 44], 6), ([44, 47, 48, 50], -6)])
def test_the_shortest_interval_is_compared_with_the_longest(nep, gain):
    found = judged("frequent_is_better_for_nep", frequencies([45] * 4, nep))
    assert found.samples == [pytest.approx([gain] * 2)]


def test_gains_at_equal_and_at_the_best_frequencies():
    found = judged("nep_gains_12", frequencies([38, 39, 40, 37], [52, 51, 50, 49])).found
    assert {name: effect.mean for name, effect in found.items()} == pytest.approx(
        {"at equal frequencies": 12, "each at its best frequency": 12}
    )
    found = judged("nep_gains_12", frequencies([38, 39, 40, 37], [42, 41, 30, 43])).found
    assert {name: effect.mean for name, effect in found.items()} == pytest.approx(
        {"at equal frequencies": 0.5, "each at its best frequency": 3}
    )


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
