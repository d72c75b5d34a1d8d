"""Thesis, Table 6.1, and statements of sections 6.3 and 6.4 that other places contradict."""

import math

from reactivate.documents.shared.granularity import fitting
from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import deviations, gains_over, numbers_of, printed_numbers
from reactivate.evidence.judgement import Judgement, Verdict

ACCURACIES = ("clean", "fixed_clean", "adversarial", "fixed_adversarial")
NOISE = ("noise_125", "noise_250")
ADVERSARIAL = ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
TEST_IMAGES = 10_000
WINDOW = 20 * 128  # images of the last 20 batches: what the author's running mean covers
CONTROLS = {"3.2": "table3_2", "3.3": "table3_3", "5.1": "table5_1"}
CHANCE = 10.0  # accuracy of a network that learns nothing; any number of images gives it
HALF_UNIT = 0.005
RESTORED = (0.0, 85.08)  # STD with its float paths, and without
MOST = 0.5
STILL = 0.8  # of the test images
SIGNIFICANT = 1.96
SURE = 3.0  # standard errors
FIXED_NEURONS = {"without": 72, "with": 90}  # percent, without noise and with it
FIXED_IS_LOWER = True  # with noise, section 6.4.3.2
VARIANCE = {"section 6.4.4": "increases", "the proof": "decreases"}
FIGURE6_2 = {"the caption": "4/255 in l2", "section 6.3.3.1": "8/255 in l-inf"}


def accuracy_images() -> Judgement:
    """Table 6.1 has accuracies on the test set, as section 6.3.2 describes the experiment."""
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
    return judge(
        fit < len(values),
        f"{fit} of {len(values)} numbers above 0 are roundings of multiples of 100/{WINDOW}, as "
        f"the last 20 batches of 128 images give; of {TEST_IMAGES:,} images {share:.0%} would be "
        f"(all by chance: p = {share ** len(values):.0e}), in other tables "
        f"{', '.join(controls)} are",
    )


def accuracy_gaps() -> Judgement:
    """Table 6.1: the gap is what the fixed paths have more on adversarial examples."""
    table, step = printed_numbers("thesis", "table6_1"), 100 / WINDOW
    counted = {
        name: {column: round(number / step) * step for column, number in table[name].items()}
        for name in ("adversarial", "fixed_adversarial")
    }
    exact = gains_over(counted["adversarial"], counted["fixed_adversarial"], digits=2)
    rounded = gains_over(table["adversarial"], table["fixed_adversarial"], digits=2)
    agree = sum(exact[column] == gap for column, gap in table["gap"].items())
    others = [column for column, gap in table["gap"].items() if rounded[column] != gap]
    return judge(
        agree == len(exact),
        f"{agree} of {len(exact)} agree from numbers of images of {WINDOW}; from the rounded "
        f"accuracies all but {', '.join(others)}, by 0.01",
    )


def std_restored() -> Judgement:
    """Section 6.3.2: STD rises from 0.0 % to 85.08 % by removing the float paths."""
    table = printed_numbers("thesis", "table6_1")
    accuracies = (table["adversarial"]["std"], table["fixed_adversarial"]["std"])
    return judge(accuracies == RESTORED, f"Table 6.1: {accuracies[0]:.2f} and {accuracies[1]:.2f}")


def limited_on_clean() -> Judgement:
    """Section 6.4.3.1: removing float paths costs little on clean data, gains much on others."""
    table = printed_numbers("thesis", "table6_1")
    costs = gains_over(table["fixed_clean"], table["clean"], digits=2)
    gains = gains_over(table["adversarial"], table["fixed_adversarial"], digits=2)
    more = sum(gains[column] > cost for column, cost in costs.items())
    return judge(
        more == len(costs),
        f"Table 6.1: costs {min(costs.values())} to {max(costs.values())} points, gains "
        f"{min(gains.values())} to {max(gains.values())}, more than it costs in {more} of "
        f"{len(costs)}",
    )


def vulnerable_with_noise() -> Judgement:
    """Section 6.3.2: noise improves robustness, but most samples remain float vulnerable."""
    table = printed_numbers("thesis", "table6_1")
    before, *after = (table["adversarial"][column] for column in ("std", *NOISE))
    counts = [table["float_vulnerable"][column] for column in NOISE]
    return judge(
        min(after) > before and min(counts) > MOST * TEST_IMAGES,
        f"Table 6.1: {before} % without, {after[0]} and {after[1]} % with noise; {counts[0]:.0f} "
        f"and {counts[1]:.0f} of {TEST_IMAGES:,} float vulnerable",
    )


def vulnerable_after_adversarial_training() -> Judgement:
    """Section 6.3.2: adversarial training leaves fewer float vulnerable, still over 80 %."""
    counts = printed_numbers("thesis", "table6_1")["float_vulnerable"]
    trained, noise = ([counts[c] for c in columns] for columns in (ADVERSARIAL, NOISE))
    return judge(
        max(trained) < min(noise) and min(trained) > STILL * TEST_IMAGES,
        f"Table 6.1: {min(trained):.0f} to {max(trained):.0f} of {TEST_IMAGES:,}, "
        f"{min(noise):.0f} or more with noise",
    )


def definition9_counts() -> Judgement:
    """Table 6.1 counts the float vulnerable of Definition 9: their prediction must change."""
    table, impossible = printed_numbers("thesis", "table6_1"), []
    for column, count in table["float_vulnerable"].items():
        shares = [table[row][column] / 100 for row in ("clean", "adversarial")]
        error = sum(math.sqrt(share * (1 - share) / WINDOW) for share in shares)
        same = max(sum(shares) - 1 - SURE * error, 0.0)  # right before and after the attack
        most = (1 - same) * TEST_IMAGES
        if count > most:
            impossible.append(f"{column} {count:.0f} of {most:.0f}")
    return judge(
        not impossible,
        "an image that is right before and after the attack cannot be one; with "
        f"{SURE:g} standard errors the accuracies leave too few others: {', '.join(impossible)}; "
        "the author's program counts all images, by a signed difference of the true class",
    )


def pgd_columns() -> Judgement:
    """Table 6.1: the PGD columns are two defences, with epsilon 4/255 and 8/255."""
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
    finding = f"4/255 minus 8/255, in standard errors of {WINDOW} images, by row: {said}"
    if max(map(abs, apart["pgd"])) > SIGNIFICANT:
        return judge(True, finding)
    return Judgement(
        Verdict.NOT_RUN_UNDERSPECIFIED,
        f"{finding}; the PGD columns cannot be told apart, and the author's program takes 8/255 "
        "for both",
    )


def fixed_neurons() -> Judgement:
    """Section 6.4.3.2: with noise patterns are more stable, as fewer neurons are fixed."""
    return judge(
        (FIXED_NEURONS["with"] < FIXED_NEURONS["without"]) == FIXED_IS_LOWER,
        f"the next sentence: {FIXED_NEURONS['without']} % fixed without noise, "
        f"{FIXED_NEURONS['with']} % with sigma 0.05",
    )


def repressed_variance() -> Judgement:
    """Section 6.4.4: repressing float paths increases the variance of the prediction."""
    said = ", ".join(f"{word} in {place}" for place, word in VARIANCE.items())
    return judge(len(set(VARIANCE.values())) == 1, f"the variance {said}")


def figure6_2_noise() -> Judgement:
    """Figure 6.2 perturbs by 4/255 in l2."""
    said = ", ".join(f"{size} in {place}" for place, size in FIGURE6_2.items())
    return judge(len(set(FIGURE6_2.values())) == 1, f"perturbation: {said}")
