"""The steps of a training after which parameters are removed, and how many go each time."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction


def removed(size: int, sparsity: float, done: int = 1, total: int = 1) -> int:
    """Parameters of a layer that are gone after some of the prunings.

    The same number goes each time, up to rounding down, so after the last one exactly
    ``floor(size * sparsity)`` are gone, whatever the number of prunings, and at least one stays.

    Args:
        size: Parameters of the layer.
        sparsity: Share to remove in the end, read as the decimal that is written.
        done: Prunings so far.
        total: Prunings of the whole training.

    Raises:
        ValueError: The sparsity leaves nothing, or makes no sense.

    Example:
        >>> [removed(100, 0.29, done, 3) for done in range(4)]
        [0, 9, 19, 29]
    """
    if not 0 <= sparsity < 1:
        raise ValueError(
            f"sparsity is {sparsity!r}; accepted: 0 up to but not including 1, the share of "
            "parameters to remove. Change the call, or `pruning` of the recipe"
        )
    return size * Fraction(str(sparsity)) * done // total


@dataclass(frozen=True)
class Plan:
    """The steps of a training after which its network is pruned.

    Attributes:
        moments: Numbers of finished steps after which parameters are removed, ascending.
        window: Steps before each of them whose batches are counted: one printed epoch.
        thinned: Of the window, one step in so many is counted, the last one always.
    """

    moments: tuple[int, ...]
    window: int
    thinned: int = 1

    def counts(self, step: int) -> bool:
        """Tells whether entropy is taken from the batch that follows ``step`` finished steps."""
        later = bisect_right(self.moments, step)
        if later == len(self.moments):
            return False
        ahead = self.moments[later] - step - 1
        return ahead < self.window and ahead % self.thinned == 0
