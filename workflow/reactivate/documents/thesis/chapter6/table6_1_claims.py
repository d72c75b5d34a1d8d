"""Thesis, Table 6.1: what is said of it, and what its own numbers say."""

import math

from reactivate.documents.shared.granularity import fitting
from reactivate.documents.shared.printed import deviations, gains_over, numbers_of, printed_numbers
from reactivate.judging.charity import Plea, refute
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import Kind

ACCURACIES = ("clean", "fixed_clean", "adversarial", "fixed_adversarial")
NOISE = ("noise_125", "noise_250")
ADVERSARIAL = ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
TEST_IMAGES = 10_000
WINDOW = 20 * 128  # images of the last 20 batches: what the author's running mean covers
CONTROLS = {"3.2": "table3_2", "3.3": "table3_3", "5.1": "table5_1"}
CHANCE = 10.0  # accuracy of a network that learns nothing; any number of images gives it
HALF_UNIT = 0.005
SURE = 3.0  # standard errors


def accuracy_images() -> str:
    """Accuracies of Table 6.1 that are multiples of one image of the author's last 20 batches."""
    table = printed_numbers("thesis", "table6_1")
    values = [number for row in ACCURACIES for number in table[row].values() if number > 0]
    fit = fitting(values, WINDOW, HALF_UNIT)
    share = (WINDOW + 1) / (TEST_IMAGES + 1)
    controls = []
    for label, name in CONTROLS.items():
        others = [
            number for number in numbers_of(printed_numbers("thesis", name)) if number != CHANCE
        ]
        controls.append(f"{fitting(others, WINDOW, HALF_UNIT)} of {len(others)} in {label}")
    return (
        f"{fit} of {len(values)} numbers above 0 are roundings of multiples of 100/{WINDOW}, as "
        f"the last 20 batches of 128 images give; of {TEST_IMAGES:,} images {share:.0%} would be, "
        f"in other tables {', '.join(controls)} are"
    )


def accuracy_gaps() -> Judgement:
    """Table 6.1: the gap is what the fixed paths have more on adversarial examples."""
    table = printed_numbers("thesis", "table6_1")
    rounded = gains_over(table["adversarial"], table["fixed_adversarial"], digits=2)
    apart = {column: abs(rounded[column] - gap) for column, gap in table["gap"].items()}
    agree = sum(gap <= 3 * HALF_UNIT for gap in apart.values())  # of three rounded numbers
    return checked(
        agree == len(apart),
        f"{agree} of {len(apart)} gaps agree with the two rows above them, within rounding; the "
        f"largest difference is {max(apart.values()):.2f}",
        cases=len(apart),
    )


def std_restored() -> str:
    """Accuracy of STD under attack in Table 6.1, with and without its float paths."""
    table = printed_numbers("thesis", "table6_1")
    before, after = (table[row]["std"] for row in ("adversarial", "fixed_adversarial"))
    gaps = table["gap"].values()
    return (
        f"Table 6.1: STD has {before:.2f} and {after:.2f}; the gain is {min(gaps):.2f} to "
        f"{max(gaps):.2f} points"
    )


def limited_on_clean() -> Judgement:
    """Section 6.4.3.1: Table 6.1 shows that removing float paths costs less than it gains."""
    table = printed_numbers("thesis", "table6_1")
    costs = gains_over(table["fixed_clean"], table["clean"], digits=2)
    gains = gains_over(table["adversarial"], table["fixed_adversarial"], digits=2)
    more = sum(gains[column] > cost for column, cost in costs.items())
    return checked(
        more == len(costs),
        f"Table 6.1: removing float paths costs {min(costs.values())} to {max(costs.values())} "
        f"points on clean data and gains {min(gains.values())} to {max(gains.values())} on "
        f"attacked data, more than it costs in {more} of {len(costs)} models",
        cases=len(costs),
    )


def vulnerable_with_noise() -> str:
    """Robustness and float vulnerable images in Table 6.1, without noise and with it."""
    table = printed_numbers("thesis", "table6_1")
    before, *after = (table["adversarial"][column] for column in ("std", *NOISE))
    counts = [table["float_vulnerable"][column] for column in NOISE]
    return (
        f"Table 6.1: {before} % without, {after[0]} and {after[1]} % with noise; {counts[0]:.0f} "
        f"and {counts[1]:.0f} of {TEST_IMAGES:,} float vulnerable"
    )


def vulnerable_after_adversarial_training() -> str:
    """Float vulnerable images in Table 6.1 after adversarial training, and without defence."""
    counts = printed_numbers("thesis", "table6_1")["float_vulnerable"]
    trained = [counts[column] for column in ADVERSARIAL]
    return (
        f"Table 6.1: {min(trained):.0f} to {max(trained):.0f} of {TEST_IMAGES:,}, "
        f"{counts['std']:.0f} without defence"
    )


def definition9_counts() -> Judgement:
    """Table 6.1 counts float vulnerable images; by Definition 9 their prediction must change."""
    table, impossible = printed_numbers("thesis", "table6_1"), []
    counts = table["float_vulnerable"]
    for column, count in counts.items():
        shares = [table[row][column] / 100 for row in ("clean", "adversarial")]
        error = sum(math.sqrt(share * (1 - share) / WINDOW) for share in shares)
        same = max(sum(shares) - 1 - SURE * error, 0.0)  # right before and after the attack
        most = (1 - same) * TEST_IMAGES
        if count > most:
            impossible.append(f"{column} {count:.0f} of {most:.0f}")
    if not impossible:
        return checked(True, "the accuracies leave room for every count", cases=len(counts))
    found = refute(
        Kind.NUMBER,
        "the number of float vulnerable data points",
        "an image that is right before and after the attack cannot be one, and with "
        f"{SURE:g} standard errors the accuracies leave too few others: {', '.join(impossible)}",
        Plea(
            assumption="",
            convention="the attacked image of every data point counts as its adversarial example, "
            "as section 6.3.2 calls it, whether or not its prediction changes",
            right_form="",
        ),
        cases=len(counts),
    )
    assert found is not None  # a number that is right under a convention depends on it
    return found


def pgd_columns() -> str:
    """How far the columns of the two sizes of an attack are apart in Table 6.1."""
    table = printed_numbers("thesis", "table6_1")
    apart = {
        attack: [
            deviations(table[row][f"{attack}_04"], table[row][f"{attack}_08"], WINDOW)
            for row in ACCURACIES
        ]
        for attack in ("fgsm", "pgd")
    }
    said = "; ".join(
        f"{attack.upper()} {', '.join(f'{z:+.1f}' for z in gap)}" for attack, gap in apart.items()
    )
    return f"4/255 minus 8/255, in standard errors of {WINDOW} images, by row: {said}"
