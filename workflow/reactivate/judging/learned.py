"""Learned first: which networks may enter a comparison, and what shows that one cannot learn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reactivate.judging.extremes import judge_always
from reactivate.judging.judgement import Judgement
from reactivate.judging.looks import SEQUENTIAL, LookPlan
from reactivate.judging.replicates import Runs
from reactivate.judging.verdicts import UNTRAINED

BY_CHANCE = 0.001  # probability below which an accuracy is not chance
PART_OF_THE_WAY = 1 / 3  # from chance to the best network of the table


@dataclass(frozen=True)
class Gate:
    """Accuracy that a classifier must reach before it is compared with others.

    Its accuracy must be above chance (exact binomial, p < 0.001), and at least a third of the
    way from chance to the best network of the same table at the same scale.

    Args:
        chance: Accuracy of guessing.
        best: Accuracy of the table's best network at this scale.
        images: Test images behind an accuracy.
    """

    chance: float
    best: float
    images: int

    def passes(self, accuracy: float) -> bool:
        """Whether a network with this accuracy has learned.

        Example:
            >>> Gate(chance=0.05, best=0.4, images=1000).passes(0.028)
            False
        """
        from scipy.special import bdtrc  # not needed by those who only read verdicts

        correct = round(accuracy * self.images)
        tail = float(bdtrc(correct - 1, self.images, self.chance)) if correct else 1.0
        return tail < BY_CHANCE and is_part_of_the_way(accuracy, self.chance, self.best)


def is_part_of_the_way(accuracy: float, chance: float, best: float) -> bool:
    """Whether an accuracy is at least a third of the way from chance to the table's best.

    Of printed accuracies it tells whether the printed network learned.
    """
    needed = PART_OF_THE_WAY * (best - chance) - 1e-9  # in binary, a third is seldom exact
    return accuracy > chance and accuracy - chance >= needed


def passes_regression(error: float, deviation: float) -> bool:
    """Whether a regression has learned: its RMSE is below the deviation of the target."""
    return error < deviation


def keep_learned(
    runs: Runs, learned: Mapping[int, bool], *, printed_learned: bool = True
) -> dict[int, float | None]:
    """The runs of an arm with None for those that did not learn, as effects count them.

    Args:
        runs: Replicate -> the number that is compared.
        learned: Replicate -> whether its network passed the gate.
        printed_learned: Whether the document's own network learned. Where it did not, the gate
            would leave out what the claim is about, and every run stays.
    """
    if not printed_learned:
        return dict(runs)
    return {replicate: x if learned[replicate] else None for replicate, x in runs.items()}


@dataclass(frozen=True)
class Control:
    """A network that the document prints as learning, run beside one that is said not to."""

    name: str
    scale: str
    printed_to_learn: bool
    learned: tuple[bool, ...]  # for each run

    @property
    def does_learn(self) -> bool:
        """Whether more than half of the control's runs learned."""
        return 2 * sum(self.learned) > len(self.learned)


def judge_no_convergence(
    learned: Mapping[int, bool],
    controls: Sequence[Control],
    scale: str,
    plan: LookPlan = SEQUENTIAL,
) -> Judgement:
    """Verdict on "fails to converge", which needs a control that does converge.

    Without a control that is printed to learn and does learn at the same scale, it is the
    setting that may not learn, and nothing can be compared.

    Args:
        learned: Replicate -> whether the network that is said not to converge learned.
        controls: Networks that were run beside it.
        scale: Scale of its runs.
        plan: When the runs are looked at.
    """
    fit = [c for c in controls if c.printed_to_learn and c.does_learn and c.scale == scale]
    if not fit:
        names = ", ".join(control.name for control in controls) or "none was run"
        return Judgement(
            UNTRAINED,
            f"no control that is printed to learn does learn at scale {scale} ({names})",
            n=len(learned),
            would_change=f"a control that learns at scale {scale}",
        )
    return judge_always({replicate: not found for replicate, found in learned.items()}, plan)
