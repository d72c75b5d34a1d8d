"""Thesis, section 5.4: scores and numbers of prunings, recomputed."""

import torch

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.experiment.recipes import Pruning
from reactivate.pruning.blends import importance
from reactivate.pruning.posterior import spread
from reactivate.training.pruning.plan import make_plan
from reactivate.training.schedules import Clock

PRINTED_PRUNINGS = {2: 49, 5: 19, 10: 9, 15: 6}
EPOCHS, FINE_TUNING = 120, 20
SIGNED = True  # whether the prior score of Eq. 5.24 keeps the sign of the weight


def equation5_26() -> Judgement:
    """As printed the score of row k is a mean over all neurons, so it tells no rows apart."""
    entropy = torch.tensor([0.0, 0.6])  # the first neuron is dead
    weight = torch.tensor([[2.0, 3.0], [1.0, 0.5]])
    printed = torch.full_like(entropy, float(entropy.mean()))
    scores = [
        importance(weight, spread(posterior, weight), "entropy_weighted")
        for posterior in (printed, entropy)
    ]
    first = [divmod(int(score.argmin()), 2)[0] for score in scores]
    return judge(
        first == [0, 0],
        f"neurons with entropy 0 and 0.6: the printed mean is {float(printed[0]):g} for both, so "
        f"a weight of row {first[0] + 1} goes first, the live one; with the entropy of neuron k "
        f"one of row {first[1] + 1} does",
    )


def normalised_product() -> Judgement:
    """The product of z-scores is large for two strongly negative ones."""
    weight = torch.tensor([0.0, 4.0, 5.0, 5.0, 6.0])
    entropy = torch.tensor([0.0, 0.4, 0.5, 0.5, 0.6])
    scores = importance(weight, entropy, "normalised_product")
    return judge(
        bool(scores[0] < scores[4]),
        f"of five parameters the one with the smallest weight ({weight[0]:g}) and entropy "
        f"({entropy[0]:g}) scores {scores[0]:.2f}, that with the largest of both {scores[4]:.2f}",
    )


def pruning_iterations() -> Judgement:
    """Prunings every k epochs are as many as the multiples of k below 100."""
    clock = Clock(EPOCHS, EPOCHS, 1)
    prunings = {}
    for every in PRINTED_PRUNINGS:
        pruning = Pruning(blend="weight", sparsity=0.8, every=every, fine_tune=FINE_TUNING)
        prunings[every] = len(make_plan(pruning, clock).moments)
    listed = ", ".join(f"every {every}: {count}" for every, count in prunings.items())
    last = EPOCHS - FINE_TUNING
    return judge(prunings == PRINTED_PRUNINGS, f"{listed}, at the multiples below {last}")


def prior_score() -> Judgement:
    """Eq. 5.24: the prior score of a parameter is W, and lower absolute values matter less."""
    weight = torch.tensor([-3.0, 0.1, 2.0])
    prior = weight if SIGNED else weight.abs()
    first, meant = int(prior.argmin()), int(importance(weight, weight, "weight").argmin())
    return judge(
        first == meant,
        f"of the weights {', '.join(f'{w:g}' for w in weight)} the score W has "
        f"{weight[first]:g} removed first, its absolute value {weight[meant]:g}",
    )
