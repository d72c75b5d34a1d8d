"""Certification that stops early against a fixed number of samples, in simulated votes.

Images have radii that are normal around 0.335 with deviation 0.235, at sigma 0.25: 10,000 samples
each then certify a fifth of the images at radius 0.5 and 2 % at 0.75, about as many as of a VGG16.
The peer is a confidence sequence, which may stop after any sample (Robbins 1970; for smoothing
Voráček 2024, arXiv:2406.17830), here with as many samples at most and looked at after every block.
"""

import sys

import numpy as np
from numpy.typing import NDArray
from reactivate.smoothing.anytime import BLOCK, Decisions, Plan
from reactivate.smoothing.sampling import Sampling
from scipy.special import betaincinv, betaln, ndtr, xlog1py, xlogy

from benchmarks.timing import report

IMAGES, NULLS = 20_000, 100_000
MEAN, DEVIATION = 0.335, 0.235
GRID = (0.0, 0.25, 0.5, 0.75)
SAVINGS = {0.25: 7.6, 0.5: 7.6, 0.75: 7.6}  # least times fewer samples, at one radius
LOST = 0.005  # share of all images that may lose their certificate
PRIOR = 0.5  # both parameters of the peer's Beta mixture (Jeffreys)

Votes = NDArray[np.int64]


def draw(random: np.random.Generator, probability: NDArray[np.float64], n: int) -> Votes:
    """Votes of images after every block of samples, ``(images, blocks)``."""
    return random.binomial(BLOCK, probability[:, None], (len(probability), n // BLOCK)).cumsum(1)


def anytime(plan: Plan, votes: Votes) -> tuple[NDArray[np.bool], NDArray[np.int64]]:
    """Radii that are certified, and samples that were drawn, of every image."""
    decisions, drawn = Decisions(plan, votes.shape[:1]), np.zeros(len(votes), dtype=np.int64)
    drawing = np.ones(len(votes), dtype=bool)
    for block, so_far in enumerate(votes.T, start=1):
        drawn[drawing] = BLOCK * block
        drawing = decisions.hear(BLOCK * block, so_far)
    return decisions.certified, drawn


def sequence(sampling: Sampling, votes: Votes, radius: float) -> tuple[float, float]:
    """Share that a confidence sequence certifies to a radius, and its mean samples.

    The likelihood of the votes, mixed over all probabilities, is 1 / alpha times that of any
    probability that is excluded (Ville's inequality).
    """
    needed = ndtr(radius / sampling.sigma)
    draws = BLOCK * np.arange(1, votes.shape[1] + 1)
    missed = draws - votes
    mixed = betaln(votes + PRIOR, missed + PRIOR) - betaln(PRIOR, PRIOR) + np.log(sampling.alpha)
    excluded = xlogy(votes, needed) + xlog1py(missed, -needed) < mixed
    first = np.where(excluded.any(1), excluded.argmax(1), votes.shape[1] - 1)
    rows = np.arange(len(votes))
    above = votes[rows, first] > needed * draws[first]
    return float((excluded.any(1) & above).mean()), float(draws[first].mean())


def savings(sampling: Sampling) -> bool:
    """Samples and certified images at one radius, and of a grid of radii at once."""
    random = np.random.default_rng(0)
    radii = random.normal(MEAN, DEVIATION, IMAGES)
    votes = draw(random, ndtr(radii / sampling.sigma), sampling.n)
    bounds = betaincinv(votes[:, -1], sampling.n - votes[:, -1] + 1, sampling.alpha)
    passed = []
    for asked in [*((radius,) for radius in SAVINGS), GRID]:
        fixed = [float((bounds >= ndtr(radius / sampling.sigma)).mean()) for radius in asked]
        certified, drawn = anytime(Plan(sampling, asked), votes)
        found = certified.mean(0).tolist()
        kept = all(b - a <= LOST for a, b in zip(found, fixed, strict=True))
        extra = {"certified": found, "with_all_samples": fixed, "samples": float(drawn.mean())}
        if len(asked) == 1:
            accuracy, samples = sequence(sampling, votes, asked[0])
            extra |= {"sequence_certified": accuracy, "sequence_samples": samples}
        name = f"fewer_samples_at_{'_'.join(f'{radius:g}' for radius in asked)}"
        bar = SAVINGS.get(asked[0], 1.0) if len(asked) == 1 else 1.0
        passed += [
            report(
                name,
                float(sampling.n / drawn.mean()),
                bar,
                "higher",
                peer="n samples for every image",
                **extra,
            ),
            kept,
        ]
    return all(passed)


def errors(sampling: Sampling) -> bool:
    """False certificates of images that are just short of a radius, over alpha."""
    passed = []
    for number, radius in enumerate(GRID):
        random, false, plan = np.random.default_rng(number), 0, Plan(sampling, GRID)
        probability = np.full(NULLS // 10, ndtr(radius / sampling.sigma) - 1e-9)
        for _ in range(10):
            votes = draw(random, probability, sampling.n)
            false += int(anytime(plan, votes)[0][:, number:].any(1).sum())
        name = f"false_certificates_over_alpha_at_{radius:g}"
        passed.append(
            report(
                name,
                false / NULLS / sampling.alpha,
                1.0,
                peer="alpha",
                images=NULLS,
                alpha=sampling.alpha,
            )
        )
    return all(passed)


def main() -> int:
    """Runs all simulations; 1 if a bar is missed."""
    passed = [
        savings(Sampling(sigma=0.25)),
        errors(Sampling(sigma=0.25, n=1000, alpha=0.01)),
        errors(Sampling(sigma=0.25, n=1000)),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
