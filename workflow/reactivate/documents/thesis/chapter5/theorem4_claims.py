"""Thesis, section 5.1.3: distances of predictions and transitions (Theorem 4, Eq. 5.12)."""

import torch

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import QUADRANTS
from reactivate.documents.thesis.planar_regions import circle, rectangle, regions
from reactivate.documents.thesis.segments import ratios
from reactivate.documents.thesis.small_networks import codes, dense
from reactivate.evidence.judgement import Judgement
from reactivate.patterns.crossings import count_transitions

ROUNDING = 1e-9
# a = x and b = 0.8 x + 0.6 y, f = 2 relu(b) - relu(a)
SLANTED = dense(([[1.0, 0.0], [0.8, 0.6]], [0.0, 0.0]), ([[-1.0, 2.0]], [0.0]))
SLANTED_ENDS = ((-1.0, -1.0), (2.0, -1.0))
CORNER = (1.0, 1.0)  # x of Theorem 4, in QUADRANTS
ALIKE, DIFFERENT = ((1.0, 1.0), (2.0, 1.0)), ((-1.0, -1.0), (-1.0, 0.5))  # two sets of inputs


def union_constant() -> Judgement:
    """Eq. 5.12: the constant of an incomplete region is the largest of those a segment crosses."""
    ends = torch.tensor(SLANTED_ENDS, dtype=torch.float64)
    places = torch.linspace(0, 1, 101, dtype=torch.float64).unsqueeze(1)
    crossed = {tuple(p) for p in codes(SLANTED, torch.lerp(ends[0], ends[1], places)).tolist()}
    steep = {r.pattern: r.steepness for r in regions(SLANTED, rectangle(-4.0, 4.0))}
    own = {pattern: value for pattern, value in steep.items() if pattern in crossed}
    other = max(steep, key=lambda pattern: steep[pattern])
    return judge(
        abs(max(own.values()) - steep[other]) < ROUNDING,
        "2 relu(0.8 x + 0.6 y) - relu(x): both neurons float on the segment from "
        f"{SLANTED_ENDS[0]} to {SLANTED_ENDS[1]}, so the incomplete region is the plane; the "
        f"regions crossed have constants up to {max(own.values()):.3f}, the region {other}, not "
        f"crossed, has {steep[other]:.3f}",
    )


def theorem4() -> Judgement:
    """Theorem 4: where a segment crosses more regions, predictions can be farther apart."""
    x = torch.tensor([CORNER], dtype=torch.float64)
    near, far = x + 0.5 * circle(360), -x + 0.5 * circle(360)  # in x's own region, and opposite
    few, many = (
        count_transitions(QUADRANTS, x, end).regions.item() for end in (near[:1], far[:1])
    )
    close, wide = (ratios(QUADRANTS, x, points).max().item() for points in (near, far))
    return judge(
        few <= many and close <= wide + ROUNDING,
        f"relu(x) - relu(y) at {CORNER}: {few} transitions to points of its own region, where "
        f"predictions differ by up to {close:.3f} per unit of distance; {many} to points with "
        f"x, y < 0, which pass the same region, and where they differ by {wide:.3f}",
    )


def theorem4_datasets() -> Judgement:
    """Theorem 4 for data sets: fewer transitions on average, closer predictions on average."""
    measured = []
    for points in (ALIKE, DIFFERENT):
        a, b = torch.tensor(points, dtype=torch.float64).unsqueeze(1)
        measured.append(
            (count_transitions(QUADRANTS, a, b).regions.item(), ratios(QUADRANTS, a, b))
        )
    (few, close), (many, wide) = measured
    return judge(
        few <= many and bool(close <= wide),
        f"relu(x) - relu(y): the pair {ALIKE} has {few} transitions and R = {close.item():.3f}, "
        f"the pair {DIFFERENT} {many} and R = {wide.item():.3f}",
    )
