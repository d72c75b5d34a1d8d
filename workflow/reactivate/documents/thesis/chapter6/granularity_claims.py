"""Which printed percentages can be a number of images out of so many."""

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import printed_cells
from reactivate.evidence.judgement import Judgement
from reactivate.experiment.printed import Printed

ROUNDING = 1e-9
CITED_IMAGES = 500  # of ImageNet, certified by the works that Table 6.4 compares with
SUMMARIES = {"6.4": "table6_4", "6.6": "table6_6"}


def is_possible(printed: Printed, images: int, runs: int = 1) -> bool:
    """Whether a percentage can be printed for a mean over runs, each of whole images.

    Reference:
        Brown & Heathers 2017, the GRIM test (doi:10.1177/1948550616673876).

    Args:
        printed: The percentage, with as many digits as printed.
        images: How many each run is measured with.
        runs: How many the mean is over.

    Example:
        >>> is_possible(Printed.parse("64.5"), 400), is_possible(Printed.parse("64.6"), 400)
        (True, False)
    """
    step = 100 / (images * runs)
    nearest = round(printed.value / step) * step
    return abs(nearest - printed.value) <= printed.half_unit + ROUNDING


def share_possible(printed: Printed, images: int, runs: int = 1) -> float:
    """Share of the percentages with as many digits that are possible; 1 if none can be refused.

    Example:
        >>> round(share_possible(Printed.parse("64.5"), 500), 2)
        0.5
    """
    printable = 50 / printed.half_unit
    return min(1.0, (images * runs + 1) / (printable + 1))


def imagenet_images() -> Judgement:
    """Tables 6.4 and 6.6: of as many images of ImageNet as the works they compare with."""
    found = {}
    for label, name in SUMMARIES.items():
        table = printed_cells("thesis", name)
        # all images or none can be had with any number of them
        numbers = [n for row in table.values() for n in row.values() if 0 < n.value < 100]
        fits = sum(is_possible(number, CITED_IMAGES) for number in numbers)
        found[label] = (fits, len(numbers), share_possible(numbers[0], CITED_IMAGES))
    said = "; ".join(
        f"Table {label}: {fits} of {total} (by chance {share * total:.0f})"
        for label, (fits, total, share) in found.items()
    )
    return judge(
        all(fits == total for fits, total, _ in found.values()),
        f"possible with {CITED_IMAGES} images: {said}; 1000 images give all of them",
    )
