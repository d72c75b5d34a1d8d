"""What the thesis says beside its definitions: true as printed, refused once it is changed."""

from itertools import pairwise

import pytest
import torch
from reactivate.documents.thesis.chapter4 import definitions1_to_3_claims as regions
from reactivate.documents.thesis.chapter5 import definitions5_6_claims as measures
from reactivate.documents.thesis.chapter6 import algorithm3_claims as prediction
from reactivate.documents.thesis.chapter6 import definition8_claims as paths
from reactivate.documents.thesis.small_networks import codes, dense
from reactivate.patterns.breakpoints import encode
from torch import nn

FEW = {"NETWORKS": 4}
CURVED = {"random_dense": lambda sizes, stream: tanh_network(sizes)}

VERDICTS = [
    (regions, "pattern_example", "confirmed(exhaustive)"),
    (regions, "same_side", "confirmed(proof)"),
    (regions, "components_share_pattern", "confirmed(sampled(779))"),
    (regions, "linear_in_region", "confirmed(sampled(867))"),
    (regions, "releasing_merges", "confirmed(exhaustive)"),
    (measures, "similarity_is_proportion", "confirmed(exhaustive)"),
    (measures, "zero_entropy", "confirmed(proof)"),
    (paths, "fixed_path_is_linear", "confirmed(sampled(1614))"),
    (prediction, "algorithm3_represses", "confirmed(sampled(2400))"),
]
CHANGED = [
    (regions, {"SEPARATION": (-3.0, 2.0)}, "pattern_example"),
    (regions, {"interval": lambda i, points: (points[i - 1], points[i % 2])}, "pattern_example"),
    (regions, {"encode": lambda z, points: encode(z, points[:1])}, "same_side"),
    (regions, {"encode": lambda z, points: encode(z + 0.01, points)}, "same_side"),
    (
        regions,
        {**FEW, "codes": lambda network, x: encode(network(x), (0.1,))},
        "components_share_pattern",
    ),
    (regions, {**FEW, **CURVED}, "linear_in_region"),
    (regions, {**FEW, "same_region": lambda a, b: (a == a).all(dim=-1)}, "linear_in_region"),
    (regions, {"within": lambda codes, pattern, rest: codes[:, 0] == 0}, "releasing_merges"),
    (
        regions,
        {"within": lambda codes, pattern, rest: regions.same_region(codes, pattern)},
        "releasing_merges",
    ),
    (measures, {"intersection_share": lambda a, b: float(a == b)}, "similarity_is_proportion"),
    (measures, {"entropy_of": lambda counts: (counts[0] > 0).double()}, "zero_entropy"),
    (paths, {**FEW, "is_fixed": lambda path, keeps: True}, "fixed_path_is_linear"),
    (
        prediction,
        {**FEW, "fixed_paths": lambda network, x, noisy: (0 * network(x), 0 * network(noisy))},
        "algorithm3_represses",
    ),
    (
        prediction,
        {**FEW, "Repressed": lambda network, eta2: prediction.Plain(network)},
        "algorithm3_represses",
    ),
]


def tanh_network(sizes):
    """A network whose activation has no straight piece."""
    layers = [
        ([[0.3 * (i + j + 1) for i in range(before)] for j in range(after)], [0.1] * after)
        for before, after in pairwise(sizes)
    ]
    return dense(*layers, activation=nn.Tanh)


@pytest.mark.parametrize(("module", "check", "verdict"), VERDICTS)
def test_a_statement_gets_its_verdict_in_one_line(module, check, verdict):
    judgement = getattr(module, check)()
    assert str(judgement.verdict) == verdict
    assert "\n" not in judgement.reason


@pytest.mark.parametrize(("module", "changes", "check"), CHANGED)
def test_what_is_changed_is_refused(change, module, changes, check):
    change(module, changes)
    assert str(getattr(module, check)().verdict) == "refuted"


def test_the_value_of_a_path_is_what_its_own_weights_and_slopes_say():
    network = dense(
        ([[1.0, 0.0, 2.0], [-1.0, 1.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.5] * 4),
        ([[1.0, 2.0, 3.0, 4.0]] * 4, [-0.5] * 4),
        ([[1.0, -1.0, 2.0, 5.0], [0.0, 0.0, 0.0, 7.0]], [0.0, 0.0]),
    )
    x = torch.tensor([[2.0, 1.0, 3.0], [-2.0, 1.0, 3.0]], dtype=torch.float64)
    assert paths.value(network, (0, 2, 3, 1), x, codes(network, x)).tolist() == [
        2.0 * 3 * 3 * 7,
        0.0,
    ]
    assert len(paths.paths()) == 3 * 4 * 4 * 2
    keeps = torch.tensor([True, True, False, True, True, True, True, False])
    assert not paths.is_fixed((0, 2, 0, 0), keeps)
    assert not paths.is_fixed((0, 1, 3, 0), keeps)
    assert paths.is_fixed((2, 3, 2, 1), keeps)
