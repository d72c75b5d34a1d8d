"""Thesis, section 6.5: numbers of samples and images that certified accuracies allow."""

from scipy.stats import norm

from reactivate.documents.shared.granularity import fitting
from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import numbers_of, printed_numbers
from reactivate.documents.thesis.chapter6.certified import radius_of, sigma_of
from reactivate.evidence.judgement import Judgement

CERTIFIED = ("table6_5", "table6_6")
ALPHA = 0.001
SAMPLES = 10_000  # N of sections 6.5.2 and 6.5.3
PREVIOUS_SAMPLES = 100_000  # of Cohen et al. 2019, which section 6.5.2 follows
EVERY_25TH = 400  # of CIFAR-10's test images: the default of the author's program
IMAGES = (EVERY_25TH, 500, 1000)
VARIANCE_POWER = 0.5  # of sigma, for the deviation, if sigma is the variance
LABEL = 1.0  # eta 1 of the row "SCRFP-2(1, 0)" of Table 6.5
FACTORS = (-1.0, 1.0)  # where section 6.5.1 has eta


def largest_radius(deviation: float, samples: int) -> float:
    """The radius that certification gives where all samples have the same class.

    Example:
        >>> round(largest_radius(1.0, 10_000), 4)
        3.1986
    """
    return deviation * float(norm.ppf(ALPHA ** (1 / samples)))


def misfits(samples: int, power: float = 1.0) -> list[str]:
    """Places whose number, or whose lack of one, a number of samples does not allow.

    Args:
        samples: How many noisy copies certify an image.
        power: The power of sigma that is the deviation of the noise; one half for a variance.
    """
    odd = []
    for name in CERTIFIED:
        table = printed_numbers("thesis", name)
        columns = dict.fromkeys(column for row in table.values() for column in row)
        for row, numbers in table.items():
            reach = largest_radius(sigma_of(row) ** power, samples)
            for column in columns:
                if (numbers.get(column, 0.0) > 0) != (radius_of(column) <= reach):
                    odd.append(f"{row} {column}")
    return odd


def sample_size() -> Judgement:
    """Sections 6.5.2 and 6.5.3: 10 000 samples and a failure probability of 0.001."""
    ours, previous = misfits(SAMPLES), misfits(PREVIOUS_SAMPLES)
    return judge(
        not ours,
        f"Tables 6.5 and 6.6 have numbers up to radius {largest_radius(1, SAMPLES):.3f} sigma and "
        f"none or 0.0 beyond, but for {len(ours)} places; {len(previous)} with "
        f"{PREVIOUS_SAMPLES:,} samples ({largest_radius(1, PREVIOUS_SAMPLES):.3f} sigma)",
    )


def samples_of_previous_works() -> Judgement:
    """Section 6.5.2: 10 000 samples, following previous works."""
    reach, theirs = (largest_radius(1, n) for n in (SAMPLES, PREVIOUS_SAMPLES))
    return judge(
        SAMPLES == PREVIOUS_SAMPLES,
        f"Cohen et al. 2019 draw {PREVIOUS_SAMPLES:,}, which certifies up to {theirs:.2f} sigma "
        f"instead of {reach:.2f}",
    )


def sigma_is_variance() -> Judgement:
    """Sections 6.3.3 and 6.5.1: the noise is N(0, sigma I), its variance sigma."""
    wrong = misfits(SAMPLES, VARIANCE_POWER)
    return judge(
        not wrong,
        f"a deviation of sqrt(sigma) certifies up to {largest_radius(0.5, SAMPLES):.2f} at sigma "
        f"0.25, where Table 6.6 has 0.0 from 1.0 on: {len(wrong)} places of Tables 6.5 and 6.6 "
        f"contradict it, {len(misfits(SAMPLES))} a deviation of sigma, as in Eq. 6.15",
    )


def certified_images() -> Judgement:
    """The author's program certifies every 25th test image of CIFAR-10, that is 400."""
    values = numbers_of(printed_numbers("thesis", "table6_5"))
    counts = {images: fitting(values, images, 0.05) for images in IMAGES}
    said = ", ".join(f"{count} with {images}" for images, count in counts.items())
    return judge(
        counts[EVERY_25TH] == len(values),
        f"of {len(values)} numbers of Table 6.5 so many are possible: {said} images",
    )


def row_label() -> Judgement:
    """Table 6.5: a row at sigma 0.25 is SCRFP-2(1, 0)."""
    number = printed_numbers("thesis", "table6_2")["scrfp2_001_000"]["r050"]
    rows = [
        r for r, row in printed_numbers("thesis", "table6_5").items() if row.get("r050") == number
    ]
    return judge(
        FACTORS[0] < LABEL < FACTORS[1],
        f"section 6.5.1 has eta within {FACTORS}, without its ends; Table 6.2 takes the {number} "
        f"of (0.01, 0) at radius 0.5 from this row ({', '.join(rows)} here)",
    )
