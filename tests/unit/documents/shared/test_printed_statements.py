"""Statements judged from printed tables: put right they are confirmed, broken they are refused."""

from functools import partial

import pandas as pd
import pytest
import torch
from reactivate.documents.crelu import tables1_to_5_claims as crelu_tables
from reactivate.documents.crelu import tables_s1_to_s12_claims as crelu_architectures
from reactivate.documents.gmp import tables1_to_3_claims as gmp_tables
from reactivate.documents.iieu import tables1_to_7_claims as iieu_tables
from reactivate.documents.shared import printed
from reactivate.documents.thesis.chapter3 import figures3_7_to_3_18_claims
from reactivate.documents.thesis.chapter3 import tables3_2_3_3_claims as thesis_chapter3
from reactivate.documents.thesis.chapter5 import (
    algorithm1_claims,
    figure5_3_claims,
    figure5_9_claims,
    section5_4_claims,
)
from reactivate.documents.thesis.chapter5 import experiments_claims as thesis_chapter5
from reactivate.documents.thesis.chapter6 import algorithm2_claims, section6_4_1_claims
from reactivate.documents.thesis.chapter6 import tables6_4_6_6_claims as granularity
from reactivate.evidence.judgement import Verdict
from reactivate.experiment.printed import Printed
from reactivate.models import MODELS
from reactivate.patterns.preactivations import preactivations_of


def cell(paper, table, row, column, text):
    """Another number at one place of a table."""
    return {(paper, table, row, column): text}


def in_rows(paper, table, column, **texts):
    """Other numbers in one column, by row."""
    return {(paper, table, row, column): text for row, text in texts.items()}


thesis = partial(in_rows, "thesis")
crelu = partial(in_rows, "crelu")
gmp = partial(in_rows, "gmp")
iieu = partial(in_rows, "iieu")

CORRECTED = [
    (crelu_tables, {"NETWORK": "vote"}, "votes_compared"),
    (
        crelu_tables,
        {
            **crelu("table4", "top1_10crop", crelu_conv1_4_7="36.30"),
            **crelu("table4", "top5_10crop", crelu_conv1_4_7="15.80"),
        },
        "first_layers_best",
    ),
    (gmp_tables, {"WIDE_RESNET": (28, 10)}, "small_beats_large"),
    (iieu_tables, {"RECIPES": {"D.1": {"cfg-1", "cfg-l"}, "E.1": {"cfg-1"}}}, "curves_recipe"),
    (iieu_tables, {"LAST_RATES": {"cfg-1": (10, -5)}}, "last_rates"),
    (
        thesis_chapter3,
        {
            **thesis("table3_2", "tanh", init="61.00"),
            **thesis("table3_3", "tanh", init="59.00"),
        },
        "tanh_around_60",
    ),
    (
        thesis_chapter3,
        {
            **thesis("table3_2", "relu", benchmark="11.00"),
            **thesis("table3_2", "gelu", benchmark="11.00", init="88.00"),
            **thesis("table3_3", "relu", benchmark="11.00"),
            **thesis("table3_3", "gelu", benchmark="11.00"),
        },
        "rectified_are_better",
    ),
    (
        thesis_chapter3,
        {
            **thesis("table3_2", "gelu", init="88.00"),
            **thesis("table3_3", "sigmoid", bn="84.20"),
        },
        "sigmoid_is_worst",
    ),
    (
        thesis_chapter3,
        {
            **thesis("table3_2", "gelu", init="87.00"),
            **thesis("table3_2", "sigmoid", bn="84.60"),
            **thesis("table3_3", "tanh", init="86.00"),
        },
        "resnet_slightly_lower",
    ),
    (
        thesis_chapter3,
        {
            **thesis("table3_3", "tanh", init="10.00", bn="10.00", bn_init="10.00"),
            **thesis("table3_3", "sigmoid", bn="10.00", bn_init="10.00"),
        },
        "saturated_fail_when_deep",
    ),
    (thesis_chapter3, {"DEEP_DATA": "CIFAR10"}, "deep_networks_on_mnist"),
    (thesis_chapter3, {"LISTED_RELU": {(1, 1), (15, 1), (15, 0)}}, "listed_toy_models"),
    (thesis_chapter5, {"SHOWN_NEURONS": 2048}, "first_4096_neurons"),
    (thesis_chapter5, {"BEST_EVERY": 15}, "frequency_orders"),
    (thesis_chapter5, thesis("table5_1", "mnist", relu="99.00"), "relu_follows_closely"),
    (algorithm1_claims, {"COUNTED": 1}, "counter_counts"),
    (section5_4_claims, {"SIGNED": False}, "prior_score"),
    (algorithm2_claims, {"ACTIVATED": True}, "amplified_pass"),
    (section6_4_1_claims, {"CONFIDENCE": 0.999}, "confidence_level"),
    (granularity, {"CITED_IMAGES": 1000}, "imagenet_images"),
]
BROKEN = [
    (crelu_tables, crelu("table1", "cifar100_vote", crelu="28.34"), "same_neurons"),
    (crelu_tables, crelu("table1", "params", crelu_half="1.0M"), "same_neurons"),
    (crelu_tables, crelu("table1", "cifar10_train", crelu="0.30"), "smaller_gap"),
    (crelu_tables, crelu("table1", "cifar100_vote", crelu="29.94"), "larger_is_better"),
    (crelu_tables, crelu("table2", "cifar10_vote", conv1="5.43"), "deeper_networks_improve"),
    (crelu_tables, crelu("table4", "top5_10crop", crelu_conv1_4="15.31"), "ten_crops_best"),
    (crelu_tables, crelu("table4", "top1", crelu_conv1_9="39.81"), "deeper_does_not_help"),
    (crelu_tables, crelu("table5", "top5", allconvb="19.75"), "tables_agree"),
    (crelu_tables, {"SPRINGENBERG": 40.0}, "better_than_reported"),
    (crelu_tables, crelu("table5", "top5", crelu_all="19.70"), "beats_small_networks"),
    (
        crelu_architectures,
        {"PRINTED": {"S11": crelu_architectures.crelu_kernels.ALL}},
        "tables_fit",
    ),
    (crelu_architectures, {"IMAGE": 227}, "last_pooling"),
    (crelu_architectures, {"SMALL_IMAGE": 28}, "last_pooling"),
    (crelu_architectures, {"FEWER": ("conv1_4",)}, "more_or_fewer"),
    (crelu_architectures, {"VARIANTS": ("conv1_3", "conv1")}, "fewer_in_vgg"),
    (gmp_tables, gmp("table2", "top1_512", gmp_imn="43.00±0.08"), "beats_wide_resnet"),
    (gmp_tables, gmp("table3", "yacht", wn="0.583±0.076"), "best_as_printed"),
    (gmp_tables, gmp("table2", "top5_512", bn="67.77±0.25"), "best_as_printed"),
    (gmp_tables, gmp("table1", "top5", bn="92.11±0.25"), "imagenet_significant"),
    (gmp_tables, gmp("table2", "top1_1024", gmp="42.60±0.08"), "imn_improves"),
    (iieu_tables, cell("iieu", "table1", "loss_min", "smu", "2.49"), "thresholds_fit"),
    (iieu_tables, cell("iieu", "table2", "epoch_below_2_5", "relu", "67"), "thresholds_fit"),
    (iieu_tables, cell("iieu", "table2", "epoch_loss_min", "iieu_b", "131"), "thresholds_fit"),
    (iieu_tables, cell("iieu", "table1", "epoch_below_3_0", "iieu_b", "80"), "fewer_epochs"),
    (iieu_tables, cell("iieu", "table2", "loss_min", "iieu_b", "2.06"), "lower_losses"),
    (iieu_tables, cell("iieu", "table2", "top1", "silu", "75.9"), "repeated_numbers"),
    (
        iieu_tables,
        cell("iieu", "table3", "iieu_b_params", "resnet26", "16.1M"),
        "repeated_numbers",
    ),
    (iieu_tables, cell("iieu", "table4", "top1", "group_norm_2", "77.3±0.3"), "normalisations"),
    (iieu_tables, cell("iieu", "table4", "top1", "affine", "75.3±0.3"), "normalisations"),
    (iieu_tables, iieu("table5", "throughput", iieu_b="4500.0"), "heavier_decrease"),
    (iieu_tables, iieu("table6", "map", smu="38.3"), "detector_gains"),
    (iieu_tables, iieu("table7", "miou", meta_acon="42.4"), "segmenter_gains"),
    (thesis_chapter3, thesis("table3_3", "tanh", bn_init="89.60"), "depth_drops"),
    (thesis_chapter3, thesis("table3_3", "relu", init="79.42"), "relu_needs_either"),
    (thesis_chapter3, thesis("table3_2", "relu", bn="86.90"), "gelu_leads_relu"),
    (thesis_chapter3, {"CLOSE_TO_0": 1e-40}, "low_variance_is_proportional"),
    (thesis_chapter5, {"POINTS": 51}, "pairs_and_points"),
]


@pytest.mark.parametrize(("module", "changes", "check"), CORRECTED)
def test_a_statement_that_is_put_right_is_confirmed(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.INCONSISTENT, Verdict.RECOMPUTED_OK)


@pytest.mark.parametrize(("module", "changes", "check"), BROKEN)
def test_a_statement_that_is_broken_is_refused(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.RECOMPUTED_OK, Verdict.INCONSISTENT)


def test_independent_gradients_never_have_ratios_of_one_value():
    assert thesis_chapter3.low_variance_is_independent().verdict == Verdict.INCONSISTENT


@pytest.mark.parametrize(
    ("deviation", "verdict"), [("0.9", Verdict.INCONSISTENT), ("0.001", Verdict.RECOMPUTED_OK)]
)
def test_what_both_readings_of_a_spread_say_is_judged(change, deviation, verdict):
    assert gmp_tables.uci_significant().verdict == Verdict.NOT_RUN_UNDERSPECIFIED
    table = printed.printed_numbers("gmp", "table3")
    texts = {
        ("gmp", "table3", row, column): f"{value:.3f}±{deviation}"
        for row, numbers in table.items()
        for column, value in numbers.items()
    }
    change(gmp_tables, texts)
    assert gmp_tables.uci_significant().verdict == verdict, gmp_tables.uci_significant().reason


def lines(single, combined):
    """Two curves of Figure 5.3: all pairs up to a threshold, none beyond."""
    return pd.DataFrame(
        [
            ("relu", "0", "trained", kind, threshold / 10, float(threshold / 10 <= until))
            for kind, until in (("single", single), ("combined", combined))
            for threshold in range(11)
        ],
        columns=["activation", "separation", "state", "set", "threshold", "share"],
    )


@pytest.mark.parametrize(
    ("single", "combined", "verdict"),
    [(0.7, 0.5, Verdict.ORDER_FAILS), (0.5, 0.7, Verdict.ORDER_HOLDS)],
)
def test_one_label_is_less_similar_if_its_curve_falls_first(single, combined, verdict):
    curves = lines(single, combined)
    assert figure5_3_claims.same_label_is_less_similar(curves).verdict == verdict


@pytest.mark.parametrize(
    ("relu", "verdict"), [(0.5, Verdict.ORDER_FAILS), (2.0, Verdict.ORDER_HOLDS)]
)
def test_gradients_rise_if_they_do_in_both_networks(relu, verdict):
    numbers = pd.DataFrame(
        [
            (name, layer, step, 1.0 if step < 50 else last)
            for name, last in (("sigmoid", 3.0), ("relu", relu))
            for layer in (3, 7)
            for step in range(0, 101, 10)
        ],
        columns=["column", "layer", "step", "mean"],
    )
    assert figures3_7_to_3_18_claims.relu_gradients_rise(numbers).verdict == verdict


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ({11: 0.6, 12: 0.7, 13: 0.8, 14: 0.9}, Verdict.ORDER_HOLDS),
        ({11: 0.6, 12: 0.7, 13: 0.8, 14: 0.1}, Verdict.ORDER_FAILS),
        ({11: 0.6, 12: 0.7, 13: 0.8}, Verdict.ORDER_FAILS),
    ],
)
def test_neurons_die_in_layers_if_a_majority_does_in_each(shares, verdict):
    rows = [("test", layer, share) for layer, share in shares.items()]
    frame = pd.DataFrame(rows, columns=["part", "layer", "constant"])
    assert figure5_9_claims.dying_in_layers_11_to_14(frame).verdict == verdict


def test_percentages_that_are_possible_are_the_roundings_of_all_counts():
    images, runs = 64, 3
    total = images * runs
    possible = {f"{100 * count / total:.1f}" for count in range(total + 1)}
    every = [f"{tenth / 10:.1f}" for tenth in range(1001)]
    found = {text for text in every if granularity.is_possible(Printed.parse(text), images, runs)}
    assert possible <= found  # a count half-way between two roundings fits both
    halves = {n for n in range(total + 1) if (2000 * n) % (2 * total) == total}
    assert len(found - possible) <= len(halves)
    share = granularity.share_possible(Printed.parse("1.0"), images, runs)
    assert share == pytest.approx(len(possible) / len(every))


def test_with_as_many_images_as_printed_steps_nothing_can_be_refused():
    assert granularity.share_possible(Printed.parse("92.60"), 10_000) == 1.0
    assert all(
        granularity.is_possible(Printed.parse(f"{hundredth / 100:.2f}"), 10_000)
        for hundredth in range(0, 10_001, 7)
    )


def test_the_layers_of_vgg16_have_the_neurons_of_its_pre_activations():
    narrow = MODELS.load("vgg16")(width=1 / 16).eval()
    seen = preactivations_of(narrow, torch.zeros(1, 3, 32, 32)).values()
    expected = [16 * z[0].numel() for z in seen]
    assert list(thesis_chapter5.layer_neurons().values())[: len(expected)] == expected
    assert len(expected) >= 13


def test_pooled_sides_are_those_of_maps():
    pool, x = torch.nn.MaxPool2d(2), torch.zeros(1, 1, 32, 32)
    for side in thesis_chapter3.pooled_sides(32):
        x = pool(x)
        assert x.shape[-1] == side
    with pytest.raises(RuntimeError, match="too small"):
        torch.nn.Sequential(*[pool] * 5)(torch.zeros(1, 1, 28, 28))
