"""Thesis, section 6.5: numbers of samples and images that certified accuracies allow."""

from reactivate.documents.shared.granularity import fitting
from reactivate.documents.shared.printed import numbers_of, printed_numbers
from reactivate.documents.thesis.chapter6.certified import radius_of, sigma_of
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.judging.reach import radius_cap

CERTIFIED = ("table6_5", "table6_6")
ALPHA = 0.001
SAMPLES = 10_000  # N of sections 6.5.2 and 6.5.3
MORE_SAMPLES = 100_000  # of Cohen et al. 2019
EVERY_25TH = 400  # of CIFAR-10's test images: the default of the author's program
IMAGES = (EVERY_25TH, 500, 1000)


def misfits(samples: int) -> tuple[list[str], int]:
    """Places whose number, or whose lack of one, a number of samples does not allow.

    The second part is the number of all places.

    Args:
        samples: How many noisy copies certify an image.
    """
    odd, places = [], 0
    for name in CERTIFIED:
        table = printed_numbers("thesis", name)
        columns = dict.fromkeys(column for row in table.values() for column in row)
        places += len(table) * len(columns)
        for row, numbers in table.items():
            reach = radius_cap(samples, ALPHA, sigma_of(row))
            for column in columns:
                if (numbers.get(column, 0.0) > 0) != (radius_of(column) <= reach):
                    odd.append(f"{row} {column}")
    return odd, places


def sample_size() -> Judgement:
    """Sections 6.5.2 and 6.5.3: 10 000 samples and a failure probability of 0.001."""
    (ours, places), (others, _) = misfits(SAMPLES), misfits(MORE_SAMPLES)
    return checked(
        not ours,
        f"Tables 6.5 and 6.6 have numbers up to radius {radius_cap(SAMPLES, ALPHA, 1):.3f} sigma "
        f"and none or 0.0 beyond, but for {len(ours)} of {places} places; {len(others)} with "
        f"{MORE_SAMPLES:,} samples ({radius_cap(MORE_SAMPLES, ALPHA, 1):.3f} sigma)",
        cases=places,
    )


def certified_images() -> str:
    """Numbers of Table 6.5 that are possible with as many images as the program's default."""
    values = numbers_of(printed_numbers("thesis", "table6_5"))
    counts = {images: fitting(values, images, 0.05) for images in IMAGES}
    said = ", ".join(f"{count} with {images}" for images, count in counts.items())
    return f"of {len(values)} numbers of Table 6.5 so many are possible: {said} images"
