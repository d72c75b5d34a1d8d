"""Thesis, section 5.4: scores and numbers of prunings, recomputed."""

import torch

from reactivate.experiment.recipes import Pruning
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.pruning.blends import importance
from reactivate.training.pruning.plan import make_plan
from reactivate.training.schedules import Clock

PRINTED_PRUNINGS = {2: 49, 5: 19, 10: 9, 15: 6}
EPOCHS, FINE_TUNING = 120, 20
WEIGHTS, ENTROPIES = (0.0, 4.0, 5.0, 5.0, 6.0), (0.0, 0.4, 0.5, 0.5, 0.6)


def normalised_product() -> str:
    """What the product of two normalized scores is where both are far below their means."""
    scores = importance(torch.tensor(WEIGHTS), torch.tensor(ENTROPIES), "normalised_product")
    return (
        f"of five parameters the one with the smallest weight ({WEIGHTS[0]:g}) and entropy "
        f"({ENTROPIES[0]:g}) scores {scores[0]:.2f}, that with the largest of both {scores[4]:.2f}"
    )


def pruning_iterations() -> Judgement:
    """Section 5.4.4.3: pruning every 2, 5, 10 or 15 epochs makes 49, 19, 9 and 6 prunings."""
    clock = Clock(EPOCHS, EPOCHS, 1)
    prunings = {}
    for every in PRINTED_PRUNINGS:
        pruning = Pruning(blend="weight", sparsity=0.8, every=every, fine_tune=FINE_TUNING)
        prunings[every] = len(make_plan(pruning, clock).moments)
    listed = ", ".join(f"every {every}: {count}" for every, count in prunings.items())
    return checked(
        prunings == PRINTED_PRUNINGS,
        f"{listed}, at the multiples below {EPOCHS - FINE_TUNING}",
        cases=len(prunings),
    )
