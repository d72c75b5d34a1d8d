"""Thesis, Tables 6.4 and 6.6: with how many images their percentages can be had."""

from reactivate.documents.shared.granularity import is_possible, share_possible
from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import printed_cells
from reactivate.evidence.judgement import Judgement

CITED_IMAGES = 500  # of ImageNet, certified by the works that Table 6.4 compares with
SUMMARIES = {"6.4": "table6_4", "6.6": "table6_6"}


def imagenet_images() -> Judgement:
    """Tables 6.4 and 6.6 have as many images of ImageNet as the works they compare with."""
    possible = {}
    for label, name in SUMMARIES.items():
        table = printed_cells("thesis", name)
        # all images or none can be had with any number of them
        numbers = [n for row in table.values() for n in row.values() if 0 < n.value < 100]
        fits = sum(is_possible(number, CITED_IMAGES) for number in numbers)
        possible[label] = (fits, len(numbers), share_possible(numbers[0], CITED_IMAGES))
    said = "; ".join(
        f"Table {label}: {fits} of {total} (by chance {share * total:.0f})"
        for label, (fits, total, share) in possible.items()
    )
    return judge(
        all(fits == total for fits, total, _ in possible.values()),
        f"possible with {CITED_IMAGES} images: {said}; 1000 images give all of them",
    )
