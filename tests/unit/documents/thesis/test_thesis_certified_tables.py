"""Tables of chapter 6 as transcribed, and checks of what is said of them."""

from statistics import fmean

import pytest
import torch
from reactivate.documents.shared import granularity, printed
from reactivate.documents.thesis.chapter6 import certified, table6_3_claims, tables6_4_6_6_claims
from reactivate.documents.thesis.chapter6 import section6_5_claims as thesis_certified_protocol
from reactivate.documents.thesis.chapter6 import table6_1_claims as thesis_table6_1
from reactivate.documents.thesis.chapter6 import tables6_2_6_5_claims as thesis_certified_tables
from reactivate.evidence.judgement import Verdict
from reactivate.experiment.loading import load_exhibit

# how many numbers each table prints, and their sum
TRANSCRIBED = {
    "table6_1": (42, 66_176.46),
    "table6_2": (42, 1_781.4),
    "table6_3": (32, 22.084),
    "table6_4": (156, 5_519.4),
    "table6_5": (78, 3_894.5),
    "table6_6": (416, 10_173.3),
}


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_a_table_keeps_its_numbers(name):
    numbers = printed.numbers_of(printed.printed_numbers("thesis", name))
    count, total = TRANSCRIBED[name]
    assert len(numbers) == count
    assert sum(numbers) == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("name", ["table6_2", "table6_4"])
def test_the_rows_that_are_summarised_are_those_of_one_method_at_all_noise_levels(name):
    exhibit = load_exhibit("thesis", name)
    rows = printed.printed_numbers("thesis", exhibit.of)
    for method, levels in exhibit.over.items():
        assert levels == [row for row in rows if row.rpartition("_")[0] == method]


def places(table, column, **numbers):
    """Other numbers for one column of a table, by row."""
    return {("thesis", table, row, column): number for row, number in numbers.items()}


CORRECTED = [
    (
        thesis_certified_tables,
        places("table6_2", "r025", smooth=66.9, scrfp2_000_010=70.4, scrfp2_001_010=69.4),
        "table6_2_highest",
    ),
    (thesis_certified_tables, {"TRAINING_GAINS": (-1.0, 2.9)}, "training_gains"),
    (
        thesis_certified_tables,
        places(
            "table6_5",
            "r025",
            smooth_025=63.0,
            scrfp2_000_010_025=67.0,
            smooth_050=54.3,
            scrfp2_000_010_050=58.9,
        ),
        "training_fades",
    ),
    (thesis_certified_protocol, {"EVERY_25TH": 1000}, "certified_images"),
    (thesis_certified_protocol, {"LABEL": 0.01}, "row_label"),
    (thesis_certified_protocol, {"PREVIOUS_SAMPLES": 10_000}, "samples_of_previous_works"),
    (thesis_certified_protocol, {"VARIANCE_POWER": 1.0}, "sigma_is_variance"),
    (
        table6_3_claims,
        places("table6_3", "acr", smooth_005_100=0.826),
        "smooth_acr_rises",
    ),
    (table6_3_claims, {"SMOOTHADV_GAIN": 0.06}, "smoothadv_acr"),
    (tables6_4_6_6_claims, {"EXTRA": (0.0, 3.0)}, "extra_accuracy"),
    (thesis_table6_1, places("table6_1", "std", clean=93.06), "accuracy_images"),
    (
        thesis_table6_1,
        {
            ("thesis", "table6_1", "float_vulnerable", name): 7000.0
            for name in ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
        },
        "definition9_counts",
    ),
    (thesis_table6_1, {"FIXED_IS_LOWER": False}, "fixed_neurons"),
    (thesis_table6_1, {"VARIANCE": {"the proof": "decreases"}}, "repressed_variance"),
    (thesis_table6_1, {"FIGURE6_2": {"the caption": "4/255 in l2"}}, "figure6_2_noise"),
]
BROKEN = [
    (thesis_certified_tables, places("table6_4", "clean", smooth=60.6), "table6_4_highest"),
    (thesis_certified_tables, places("table6_6", "r050", smooth_025=61.0), "falls_with_radius"),
    (thesis_certified_tables, places("table6_2", "r075", smooth=31.1), "prediction_gains"),
    (
        thesis_certified_tables,
        places("table6_2", "r050", scrfp2_002_010=47.5),
        "repression_improves",
    ),
    (
        thesis_certified_tables,
        places("table6_5", "r025", scrfp2_001_000_0125=64.0),
        "comparable_near_zero",
    ),
    (
        thesis_certified_tables,
        places("table6_5", "r050", scrfp2_000_010_025=47.0),
        "repression_at_every_noise",
    ),
    (thesis_certified_protocol, places("table6_6", "r175", smooth_050=10.0), "sample_size"),
    (table6_3_claims, places("table6_3", "acr", smooth_025=0.36), "acr_fits"),
    (table6_3_claims, places("table6_3", "acr", smoothmix_050=0.714), "smoothmix_acr"),
    (
        table6_3_claims,
        places("table6_3", "acr", smoothmix_005_100=0.925),
        "smoothmix_acr_rises",
    ),
    (table6_3_claims, places("table6_3", "acr", smooth_005_050=0.643), "acr_improves"),
    (
        table6_3_claims,
        places("table6_3", "acr", smooth_001_050=0.67),
        "acr_most_at_largest_noise",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_6", "r075", smoothadv_001_025=49.0),
        "improves_somewhere",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_6", "r300", smoothmix_001_100=17.0),
        "gain_grows_with_radius",
    ),
    (
        tables6_4_6_6_claims,
        {
            ("thesis", "table6_4", "smoothmix_001", "r150"): 36.0,
            ("thesis", "table6_4", "smoothmix_001", "r225"): 24.9,
        },
        "slight_boost",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "r300", smoothmix_010=17.8),
        "strong_repression",
    ),
    (tables6_4_6_6_claims, places("table6_4", "clean", smoothmix_010=57.3), "trade_off"),
    (thesis_table6_1, places("table6_1", "std", gap=85.1), "accuracy_gaps"),
    (thesis_table6_1, places("table6_1", "std", fixed_adversarial=85.0), "std_restored"),
    (thesis_table6_1, places("table6_1", "pgd_08", fixed_clean=50.0), "limited_on_clean"),
    (
        thesis_table6_1,
        places("table6_1", "noise_250", float_vulnerable=4900.0),
        "vulnerable_with_noise",
    ),
    (
        thesis_table6_1,
        places("table6_1", "fgsm_08", float_vulnerable=7999.0),
        "vulnerable_after_adversarial_training",
    ),
]


@pytest.mark.parametrize(("module", "changes", "check"), CORRECTED)
def test_a_statement_that_is_put_right_is_confirmed(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.INCONSISTENT, Verdict.RECOMPUTED_OK)


@pytest.mark.parametrize(("module", "changes", "check"), BROKEN)
def test_a_statement_that_is_broken_is_refused(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.RECOMPUTED_OK, Verdict.INCONSISTENT)


def test_columns_that_differ_by_more_than_chance_are_two_defences(change):
    assert thesis_table6_1.pgd_columns().verdict == Verdict.NOT_RUN_UNDERSPECIFIED
    change(thesis_table6_1, places("table6_1", "pgd_08", adversarial=54.0))
    assert thesis_table6_1.pgd_columns().verdict == Verdict.RECOMPUTED_OK


def test_a_blank_place_has_no_number():
    table = printed.printed_numbers("thesis", "table6_5")
    assert list(table["smooth_0125"]) == ["clean", "r025"]
    assert list(table["smooth_050"])[-1] == "r150"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("reach", [0.8, 1.6, 3.2])
def test_a_mean_radius_lies_between_the_bounds_of_its_certified_accuracies(seed, reach):
    stream = torch.Generator().manual_seed(seed)
    drawn = torch.rand(500, generator=stream, dtype=torch.float64) * 2 * reach - reach / 2
    radii = [min(max(radius, 0.0), reach) for radius in drawn.tolist()]
    shares = {
        column: 100
        * fmean(radius > 0 and radius >= certified.radius_of(column) for radius in radii)
        for column in ("clean", *(f"r{25 * step:03d}" for step in range(1, 13)))
    }
    low, high = table6_3_claims.acr_bounds(shares, reach)
    assert low <= fmean(radii) <= high
    assert high - low < 0.25 + 2 * reach * table6_3_claims.HALF_SHARE


@pytest.mark.parametrize("images", [400, 500, 2560])
def test_percentages_that_fit_are_the_roundings_of_all_counts(images):
    possible = {round(100 * count / images, 2) for count in range(images + 1)}
    every = [hundredth / 100 for hundredth in range(10_001)]
    found = {value for value in every if granularity.fitting([value], images, 0.005)}
    # a count half-way between two roundings fits both
    assert possible <= found
    assert all(any(abs(v - p) < 0.0101 for p in possible) for v in found - possible)
    assert granularity.fitting(every, images, 0.005) == len(found)


@pytest.mark.parametrize("samples", [100, 10_000])
def test_the_largest_radius_is_that_of_a_class_that_all_samples_have(samples):
    radius = thesis_certified_protocol.largest_radius(0.5, samples)
    share = torch.distributions.Normal(0.0, 0.5).cdf(torch.tensor(radius, dtype=torch.float64))
    assert share.item() ** samples == pytest.approx(thesis_certified_protocol.ALPHA)
