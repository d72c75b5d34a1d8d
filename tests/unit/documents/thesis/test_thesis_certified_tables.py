"""Tables of chapter 6 as transcribed, and checks of what is said of them."""

from statistics import fmean

import pytest
import torch
from reactivate.documents.shared import granularity, printed
from reactivate.documents.thesis.chapter6 import (
    certified,
    section6_5_claims,
    table6_1_claims,
    table6_3_claims,
    tables6_2_6_5_claims,
    tables6_4_6_6_claims,
)
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


CHECKED = [
    (table6_1_claims, places("table6_1", "std", gap=85.1), "accuracy_gaps"),
    (table6_1_claims, places("table6_1", "pgd_08", fixed_clean=50.0), "limited_on_clean"),
    (section6_5_claims, places("table6_6", "r175", smooth_050=10.0), "sample_size"),
    (section6_5_claims, {"SAMPLES": 100_000}, "sample_size"),
]
TOLD = [  # what a sentence says before a number is changed, and what it says then
    (
        table6_1_claims,
        places("table6_1", "std", clean=93.06),
        "accuracy_images",
        "27 of 27",
        "26 of 27",
    ),
    (
        table6_1_claims,
        places("table6_1", "std", fixed_adversarial=85.0),
        "std_restored",
        "0.00 and 85.08",
        "0.00 and 85.00",
    ),
    (
        table6_1_claims,
        places("table6_1", "noise_250", float_vulnerable=4900.0),
        "vulnerable_with_noise",
        "and 9686 of",
        "and 4900 of",
    ),
    (
        table6_1_claims,
        places("table6_1", "fgsm_08", float_vulnerable=7999.0),
        "vulnerable_after_adversarial_training",
        "8091 to 9069",
        "7999 to 9069",
    ),
    (
        table6_1_claims,
        places("table6_1", "pgd_08", adversarial=54.0),
        "pgd_columns",
        "PGD +0.4, +1.3, +0.5",
        "PGD +0.4, +1.3, -3.4",
    ),
    (
        section6_5_claims,
        places("table6_5", "clean", smooth_0125=87.2),
        "certified_images",
        "43 with 400",
        "44 with 400",
    ),
    (
        table6_3_claims,
        places("table6_3", "acr", smooth_025=0.36),
        "acr_fits",
        "32 of 32",
        "31 of 32",
    ),
    (
        table6_3_claims,
        places("table6_3", "acr", smoothmix_050=0.714),
        "smoothmix_acr",
        "+0.008",
        "+0.009",
    ),
    (
        table6_3_claims,
        places("table6_3", "acr", smoothmix_005_100=0.925),
        "acr_rises",
        "0.924 with 0.05",
        "0.925 with 0.05",
    ),
    (
        table6_3_claims,
        places("table6_3", "acr", smooth_005_050=0.643),
        "acr_improves",
        "6 higher, 2 equal, 0 lower",
        "6 higher, 1 equal, 1 lower",
    ),
    (
        table6_3_claims,
        places("table6_3", "acr", smooth_001_050=0.67),
        "acr_most_at_largest_noise",
        "smooth_001 +0.016 at 1.0",
        "smooth_001 +0.026 at 0.5",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_4", "clean", smooth=60.6),
        "highest_is_printed",
        "156 of 156",
        "155 of 156",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_2", "r025", smooth=66.9),
        "highest_is_printed",
        "39 of 42",
        "40 of 42",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_6", "r050", smooth_025=61.0),
        "falls_with_radius",
        "68 of 68",
        "67 of 68",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_2", "r075", smooth=31.1),
        "prediction_gains",
        "+9.9 at 0.75",
        "+9.8 at 0.75",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_2", "r050", scrfp2_002_010=47.5),
        "repression_improves",
        "+5.3 to",
        "+0.3 to",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_5", "r025", scrfp2_001_000_0125=64.0),
        "comparable_near_zero",
        "+0.7 to +6.4",
        "-0.5 to +6.4",
    ),
    (
        tables6_2_6_5_claims,
        places("table6_5", "r050", scrfp2_000_010_025=47.0),
        "repression_at_every_noise",
        "+3.5 to",
        "-0.2 to",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "clean", smooth=68.5),
        "imagenet_images",
        "82 of 156",
        "81 of 156",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "r300", smoothmix_010=20.0),
        "extra_accuracy",
        "smoothmix 1.4",
        "smoothmix 2.2",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_6", "r075", smoothadv_001_025=49.0),
        "improves_somewhere",
        "+0.3 to",
        "+0.0 to",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_6", "r300", smoothmix_001_100=17.0),
        "gain_grows_with_radius",
        "24 of 24",
        "23 of 24",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "r150", smoothmix_001=36.0),
        "slight_boost",
        "lower at 3",
        "lower at 4",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "r300", smoothmix_010=17.8),
        "strong_repression",
        "+0.2 at 3.0",
        "+0.0 at 3.0",
    ),
    (
        tables6_4_6_6_claims,
        places("table6_4", "clean", smoothmix_010=57.3),
        "trade_off",
        "-0.8, -0.8 at radius 0",
        "-0.8, +0.1 at radius 0",
    ),
]


@pytest.mark.parametrize(("module", "changes", "check"), CHECKED)
def test_a_statement_is_confirmed_by_the_numbers_as_they_are(verdicts, module, changes, check):
    before, after = verdicts(module, changes, check)
    assert (str(before), str(after)) == ("confirmed(exhaustive)", "refuted")


def test_counts_depend_on_what_is_counted_while_they_are_too_many(verdicts):
    fewer = {
        ("thesis", "table6_1", "float_vulnerable", name): 7000.0
        for name in ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
    }
    before, after = verdicts(table6_1_claims, fewer, "definition9_counts")
    assert (str(before), str(after)) == ("depends", "confirmed(exhaustive)")
    assert "true if" not in table6_1_claims.definition9_counts().reason


@pytest.mark.parametrize(("module", "changes", "tell", "before", "after"), TOLD)
def test_a_table_is_told_as_it_is_printed(change, module, changes, tell, before, after):
    function = getattr(module, tell)
    assert before in function()
    change(module, changes)
    assert after in function()


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
