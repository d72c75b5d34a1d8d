"""CReLU: what is recomputed or read from its own tables, and how a changed input changes it."""

from fractions import Fraction
from functools import partial

import pytest
import torch
from reactivate.documents.crelu import (
    figures1_2_5_claims,
    kernels,
    lemmas_claims,
    section2_2_claims,
    tables1_5,
    tables1_5_claims,
    tables1_to_5_claims,
    tables_s1_to_s12_claims,
    theorem4_1_claims,
    theorem_a6_claims,
)
from reactivate.documents.crelu.kernels import Kernel
from reactivate.experiment.loading import load_paper
from reactivate.foundation.registry import load_function

PAPER = load_paper("crelu")
TABLES = tables1_to_5_claims
HALVED = [
    *kernels.HALF[:2],
    Kernel(3, 96, 96, True),
    Kernel(3, 192, 96, True),
    *kernels.HALF[4:],
]
S11_HALVED = [*kernels.ALL[:10], Kernel(1, 1024, 512, True), Kernel(1, 1024, 500, True)]
VERDICTS = {
    "doubled_parameters": "confirmed(exhaustive)",
    "random_slightly_negative": "confirmed(sampled(100))",
    "last_pooling": "confirmed(exhaustive)",
    "more_or_fewer_parameters": "confirmed(exhaustive)",
    "fewer_in_vgg": "confirmed(exhaustive)",
    "responses_conserved": "confirmed(proof)",
    "number_of_shifts": "confirmed(proof)",
    "layer_as_matrix": "confirmed(sampled(205))",
    "proposition_2_1": "confirmed(sampled(100))",
    "theorem_2_2": "confirmed(sampled(2244))",
    "lemma_a_4": "confirmed(sampled(50))",
    "lemma_b_1": "refuted",
    "theorem_4_1": "refuted",
    "network_layer_bound": "confirmed(sampled(120))",
    "theorem_a6": "refuted",
    "projected_square": "confirmed(proof)",
}


def at(table, column, **texts):
    """Other numbers in one column of a table, by row."""
    return {("crelu", table, row, column): text for row, text in texts.items()}


def test_every_exact_check_gives_its_verdict():
    functions = {
        name: claim.check.function
        for name, claim in PAPER.claims.items()
        if claim.check and claim.check.function
    }
    assert {name: str(load_function(f)().verdict) for name, f in functions.items()} == VERDICTS


KIND = torch.tensor([[1.0, 1.0]])  # nothing negative: CReLU changes nothing


@pytest.mark.parametrize(
    ("module", "changes", "check", "verdict"),
    [
        (tables1_5_claims, {"table1": lambda: doubled(2.2)}, "doubled_parameters", "refuted"),
        (tables_s1_to_s12_claims, {"IMAGE": 227}, "last_pooling", "refuted"),
        (tables_s1_to_s12_claims, {"SMALL_IMAGE": 28}, "last_pooling", "refuted"),
        (tables_s1_to_s12_claims, {"FEWER": ("conv1_4",)}, "more_or_fewer", "refuted"),
        (tables_s1_to_s12_claims, {"MORE": ("all",)}, "more_or_fewer", "refuted"),
        (tables_s1_to_s12_claims, {"VARIANTS": ("conv1_3", "conv1")}, "fewer_in_vgg", "refuted"),
        (section2_2_claims, {"EXACT": 0.0}, "reconstructs_projection", "refuted"),
        (
            section2_2_claims,
            {"bound": lambda smallest, largest: 0 * smallest},
            "theorem_2_2",
            "refuted",
        ),
        (lemmas_claims, {"ROUNDING": -0.5}, "lemma_a_4", "refuted"),
        (lemmas_claims, {"CLASSES": (((1, 2),),)}, "lemma_b_1", "confirmed(sampled(1))"),
        (
            theorem4_1_claims,
            {"OPPOSITE": KIND, "random_classes": lambda: [KIND, 3 * KIND]},
            "theorem_4_1",
            "confirmed(sampled(3))",
        ),
        (
            theorem4_1_claims,
            {"OPPOSITE": KIND, "random_classes": lambda: [KIND, torch.tensor([[1.0, -1.0]])]},
            "theorem_4_1",
            "refuted",
        ),
        (theorem4_1_claims, {"sqrt": lambda d: 1.0}, "layer_bound", "refuted"),
        (theorem_a6_claims, {"PLACES": ((3, 3),)}, "theorem_a6", "confirmed(exhaustive)"),
        (
            theorem_a6_claims,
            {"expected_share": lambda part, total, power: 0.4},
            "projected_square",
            "refuted",
        ),
        (
            figures1_2_5_claims,
            {"CONV1": (96, 3, 1, 1)},
            "random_slightly_negative",
            "not_run(underspecified)",
        ),
        (
            figures1_2_5_claims,
            {"random_filters": lambda like, random: torch.ones_like(like)},
            "random_slightly_negative",
            "refuted",
        ),
    ],
)
def test_a_changed_input_changes_the_verdict(change, module, changes, check, verdict):
    change(module, changes)
    assert str(getattr(module, check)().verdict) == verdict


def doubled(factor):
    """Parameters of Table 1 in which CReLU does not double them."""
    counts = {"baseline": 1.0, "crelu": factor, "crelu_half": 0.5}
    return [tables1_5.Value(row, "params", count, "") for row, count in counts.items()]


table1, table2 = partial(at, "table1"), partial(at, "table2")
table4, table5 = partial(at, "table4"), partial(at, "table5")


@pytest.mark.parametrize(
    ("check", "said", "changes", "after"),
    [
        ("same_neurons", "in 12 of 12", table1("cifar100_vote", crelu="28.34"), "in 11 of 12"),
        ("same_neurons", "with 0.50", table1("params", crelu_half="1.0M"), "with 0.71"),
        ("same_filters", "in 3 of 3", table1("cifar10_vote", crelu="7.60"), "in 2 of 3"),
        ("smaller_gap", "on 2 of 2", table1("cifar10_train", crelu="0.30"), "on 1 of 2"),
        ("larger_is_better", "in 6 of 6", table1("cifar100_vote", crelu="29.94"), "in 5 of 6"),
        ("deeper_networks", "in 18 of 18", table2("cifar10_vote", conv1="5.43"), "in 17 of 18"),
        (
            "first_layers_best",
            "top1 crelu_conv1_4 39.82",
            table4("top1", crelu_all="39.00"),
            "top1 crelu_all 39.00",
        ),
        (
            "ten_patches_best",
            "top5_10crop crelu_conv1_4_7 15.32",
            table4("top5_10crop", crelu_conv1_4="15.31"),
            "top5_10crop crelu_conv1_4 15.31",
        ),
        ("deeper_does_not_help", "in 8 of 8", table4("top1", crelu_conv1_9="39.81"), "in 7 of 8"),
        ("better_than_reported", "4.4 standard", {"SPRINGENBERG": 39.82}, "0.0 standard"),
        ("beats_small_networks", "in 5 of 5", table5("top5", crelu_all="19.70"), "in 4 of 5"),
        ("votes_compared", "4 of 4 numbers", table2("cifar10_vote", vgg="5.5"), "3 of 4 numbers"),
        (
            "votes_compared",
            "still below",
            table2("cifar10_single", conv1_3="6.20"),
            "not below",
        ),
    ],
)
def test_what_is_told_of_own_tables_follows_from_their_numbers(
    change, check, said, changes, after
):
    function = getattr(TABLES, check)
    assert said in function()
    change(TABLES, changes)
    assert after in function()


def test_every_own_table_and_finding_is_told_in_a_sentence():
    targets = [*PAPER.own_tables.values()]
    targets += [f.check.function for f in PAPER.findings.values() if f.check and f.check.function]
    for target in targets:
        said = load_function(target)()
        assert said.endswith(".")
        assert "\n" not in said


def test_table_1_is_told_beside_the_layers_as_printed(change):
    said = tables1_5_claims.table1_as_printed()
    assert "baseline 1.30M against 1.4M (1.39M)" in said
    row = {"baseline": ("convpool9", {}, kernels.DOUBLE, "1.4")}
    change(tables1_5_claims, {"TABLE1": row})
    assert "baseline 5.17M" in tables1_5_claims.table1_as_printed()


def test_the_smallest_model_is_told_halved_and_as_printed(change):
    assert "4.69M parameters with every layer halved, and 4.42M" in (
        tables1_5_claims.smallest_model()
    )
    change(tables1_5_claims, {"ALL": S11_HALVED})
    assert "and 4.69M as Table S11" in tables1_5_claims.smallest_model()


def test_layers_that_do_not_fit_are_told(change):
    assert tables_s1_to_s12_claims.tables_fit().endswith("all fit.")
    change(tables_s1_to_s12_claims, {"PRINTED": {"S11": kernels.ALL}})
    assert tables_s1_to_s12_claims.tables_fit().endswith("S11 at layers [11, 12].")


def test_halved_kernels_fit_and_count_as_the_network():
    assert kernels.misfits(HALVED) == kernels.misfits(S11_HALVED) == []
    expected = tables1_5.parameters("convpool8_half", classes=kernels.CLASSES)
    assert kernels.count_printed(HALVED) == expected
    assert kernels.count_printed(S11_HALVED) == tables1_5.parameters("allcnn_all")


def test_random_filters_recover_less_where_positions_are_alike():
    said = section2_2_claims.random_structure(images=3)
    ratios = [float(part.split(" positions ")[1][:6]) for part in said.split(";")[:4]]
    assert all(0.9 < apart < alike < 1 for apart, alike in (ratios[:2], ratios[2:]))


def test_the_complexity_of_two_functions_by_hand():
    """Up to the sign of all, |sums| are 2, 0, 2, 4 before ReLU and 3, 1, 2, 3 after; times 2/3."""
    functions = [tuple(map(Fraction, f)) for f in lemmas_claims.CLASSES[1]]
    assert lemmas_claims.rademacher(functions) == Fraction(8, 4) * Fraction(2, 3)
    rectified = lemmas_claims._rectified(functions)
    assert lemmas_claims.rademacher(rectified) == Fraction(9, 4) * Fraction(2, 3)
