"""Artifacts: claims about one published network that is at hand, where n = 1 is complete."""

from collections.abc import Sequence
from enum import StrEnum

from reactivate.judging.intervals import Interval, exact_share
from reactivate.judging.judgement import Judgement
from reactivate.judging.looks import fixed
from reactivate.judging.numbers import ACCUSE, AGREE, PrintedNumber, decide, largest_tolerance
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED

LEVELS = fixed(1)  # the images of a test set are one look, fixed beforehand


class Origin(StrEnum):
    """Who made a network: its authors, who published the weights, or we, who trained it."""

    PUBLISHED = "published"
    TRAINED_HERE = "trained here"


def judge_value(effect: float, origin: Origin) -> Judgement:
    """Verdict on the weights of a published network, which are judged by value.

    Args:
        effect: What the document states of the weights as one number, positive as stated.
        origin: Who made the network; one that we trained is never an artifact.
    """
    if origin is not Origin.PUBLISHED:
        return _one_of_many()
    verdict = HOLDS if effect > 0 else FAILS if effect < 0 else UNDECIDED
    return Judgement(
        verdict,
        f"{effect:.4g} in the published network",
        mean=effect,
        n=1,
        would_change="other published weights",
    )


def judge_images(wins: int, losses: int, images: int, origin: Origin) -> Judgement:
    """Verdict on two classifications of the same images by a published network (McNemar).

    Images on which both are right or both are wrong say nothing; among the others, the exact
    interval of the share of wins must lie above a half (95 %) or below it (98 %).

    Args:
        wins: Images that only the side that the document puts ahead gets right.
        losses: Images that only the other side gets right.
        images: All images.
        origin: Who made the network; the images of one that we trained say nothing of seeds.
    """
    if origin is not Origin.PUBLISHED:
        return _one_of_many()
    return _judge_share(
        wins, wins + losses, f"{wins} wins and {losses} losses", (wins - losses) / images, images
    )


def judge_most(successes: int, images: int, origin: Origin) -> Judgement:
    """Verdict on "most images": the exact interval of a published network's share against 1/2."""
    if origin is not Origin.PUBLISHED:
        return _one_of_many()
    text = f"{successes} of {images} images"
    return _judge_share(successes, images, text, successes / images - 0.5, images)


def judge_accuracy(
    correct: int, images: int, printed: PrintedNumber, column: Sequence[float], origin: Origin
) -> Judgement:
    """Verdict on the printed accuracy of a published network, measured on other images.

    It is reproduced if the printed accuracy is inside the exact 95 % interval over images, and
    the interval tells it from the others of its column; it differs outside 99.5 %.
    """
    if origin is not Origin.PUBLISHED:
        return _one_of_many()
    intervals = []
    for level in (AGREE, ACCUSE):
        found = exact_share(correct, images, level)
        moved = Interval(found.low - printed.value, found.high - printed.value, level)
        intervals.append(moved.widened(printed.reach))
    mean = correct / images - printed.value
    largest = largest_tolerance(printed, column)
    verdict = decide(intervals[0], intervals[1], abs(mean) <= printed.reach, largest)
    return Judgement(
        verdict,
        f"{correct} of {images} images; ours minus printed {mean:.4g}, {intervals[0]}",
        mean=mean,
        intervals=tuple(intervals),
        n=1,
        cases=images,
        would_change="more images",
    )


def _judge_share(successes: int, cases: int, text: str, mean: float, images: int) -> Judgement:
    intervals = (
        tuple(exact_share(successes, cases, level) for level in (LEVELS.holds, LEVELS.fails))
        if cases
        else (Interval(0.0, 1.0, LEVELS.holds), Interval(0.0, 1.0, LEVELS.fails))
    )
    verdict = UNDECIDED
    if intervals[0].low > 0.5:
        verdict = HOLDS
    elif intervals[1].high < 0.5:
        verdict = FAILS
    return Judgement(
        verdict,
        f"{text}; share {intervals[0]}",
        mean=mean,
        intervals=intervals,
        n=1,
        cases=images,
        would_change="other images, with which the share's interval lies on another side of 1/2",
    )


def _one_of_many() -> Judgement:
    return Judgement(
        UNDECIDED,
        "the images of one network that we trained say nothing of other seeds",
        n=1,
        would_change="three replicates or more",
    )
