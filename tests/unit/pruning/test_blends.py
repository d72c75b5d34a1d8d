"""Importance is defined for every layer, and what has no meaning is named."""

import pytest
import torch
from reactivate.pruning.blends import BLENDS, importance
from reactivate.pruning.masks import ranked
from reactivate.pruning.posterior import coded_entropy, spread, unit_entropy

WEIGHTS = torch.tensor([[-3.0, 0.5], [2.0, -1.0], [0.0, 0.25]])
OF_UNITS = torch.tensor([0.2, 0.6, 0.4])
NONE = torch.zeros(3, 2)


def order(weights, entropies, blend):
    """Positions from the least important on, ties by weight as masks break them."""
    flat = weights.flatten()
    scores = importance(flat, entropies.flatten(), blend)
    return ranked(scores, flat.abs()).argsort().tolist()


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("entropy", [0.0, 0.3])
def test_where_entropy_says_nothing_weight_decides(blend, entropy):
    same = torch.full_like(WEIGHTS, entropy)
    assert order(WEIGHTS, same, blend) == WEIGHTS.flatten().abs().argsort().tolist()


@pytest.mark.parametrize("blend", [b for b in BLENDS if b not in ("weight", "harmonic_mean")])
def test_where_weights_say_nothing_entropy_decides(blend):
    same = torch.full_like(WEIGHTS, -0.7)
    assert order(same, spread(OF_UNITS, WEIGHTS), blend) == [0, 1, 4, 5, 2, 3]


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("shape", [(1, 4), (3, 1), (1, 1), (2, 3, 1, 1)])
def test_small_layers_have_finite_scores(blend, shape):
    weights = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    entropies = torch.linspace(0, 0.6, shape[0])
    found = importance(weights, entropies, blend)
    assert found.shape == (weights.numel(),)
    assert found.isfinite().all()


@pytest.mark.parametrize("blend", [b for b in BLENDS if b != "standardised_product"])
@pytest.mark.parametrize("shape", [(1, 4), (3, 1), (1, 1), (2, 3, 1, 1)])
def test_small_layers_have_finite_scores_in_the_program_too(blend, shape):
    weights = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    entropies = torch.linspace(0.1, 0.6, shape[0])
    assert importance(weights, entropies, blend, "authors_code").isfinite().all()


@pytest.mark.parametrize("blend", BLENDS)
def test_a_layer_without_parameters_left_has_no_scores(blend):
    assert importance(torch.empty(0), torch.empty(0), blend).shape == (0,)
    assert importance(WEIGHTS, OF_UNITS, blend, kept=torch.zeros(3, 2)).shape == (0,)


@pytest.mark.parametrize("blend", BLENDS)
def test_by_the_document_only_what_remains_counts(blend):
    kept = torch.tensor([[True, False], [True, True], [False, True]])
    found = importance(WEIGHTS, OF_UNITS, blend, kept=kept)
    alone = importance(WEIGHTS[kept], spread(OF_UNITS, WEIGHTS)[kept], blend)
    assert found.tolist() == alone.tolist()


def test_a_unit_without_entropy_goes_before_any_other():
    entropies = spread(torch.tensor([0.0, 0.6, 0.4]), WEIGHTS)
    assert set(order(WEIGHTS[:2], entropies[:2], "entropy_weighted")[:2]) == {0, 1}
    assert set(order(WEIGHTS[:2], entropies[:2], "harmonic_mean")[:2]) == {0, 1}


def test_two_strongly_negative_scores_rank_as_important():
    """Errata T-18: the smallest weight of the deadest unit outranks one above both means."""
    weights = torch.tensor([0.0, 4.0, 5.0, 5.0, 6.0])
    entropies = torch.tensor([0.0, 0.4, 0.5, 0.5, 0.6])
    scores = importance(weights, entropies, "normalised_product")
    assert scores[0] > scores[4] > 0


def test_the_program_keeps_signs_and_masks_by_absolute_value():
    weights, entropies = torch.tensor([-2.0, 1.0]), torch.tensor([0.1, 0.5])
    product = importance(weights, entropies, "entropy_weighted", "authors_code")
    assert product.tolist() == pytest.approx([0.2, 0.5])
    mean = importance(weights, entropies, "harmonic_mean", "authors_code")
    terms = [1 / (0.1 + 1e-8) + 1 / (-2 + 1e-4), 1 / (0.5 + 1e-8) + 1 / (1 + 1e-4)]
    assert mean.tolist() == pytest.approx([1 / abs(terms[0]), 1 / terms[1]], rel=1e-6)
    assert importance(weights, entropies, "weight", "authors_code").tolist() == [2.0, 1.0]


def test_the_programs_offset_is_what_a_unit_without_entropy_counts():
    weights, entropies = torch.tensor([0.5, 3.0]), torch.zeros(2)
    found = importance(weights, entropies, "harmonic_mean", "authors_code")
    assert found.tolist() == pytest.approx([1e-8, 1e-8], rel=1e-6)


def test_the_programs_entropy_is_not_symmetric():
    counts = torch.tensor([[10, 0, 90, 10, 0], [0, 10, 10, 90, 0]])
    found = coded_entropy(counts)
    assert found[0] == found[1] == found[4] == 0
    assert found[3] > 2 * found[2]


@pytest.mark.parametrize("neurons", [(3, 4, 5), (60,)])
def test_the_entropy_of_a_channel_is_the_mean_over_its_positions(neurons):
    entropy = torch.rand(neurons, generator=torch.Generator().manual_seed(0))
    wanted = entropy.reshape(3, 20).mean(dim=1)
    assert torch.equal(unit_entropy(entropy, 3), wanted)


def test_an_unknown_blend_is_named_with_the_known_ones():
    with pytest.raises(
        ValueError, match=r"unknown blend 'entropy_wieghted'; did you mean entropy_weighted"
    ):
        importance(WEIGHTS, NONE, "entropy_wieghted")


def test_an_unknown_protocol_is_named():
    with pytest.raises(ValueError, match=r"protocol is 'code'; accepted: document, authors_code"):
        importance(WEIGHTS, NONE, "weight", "code")


def test_a_blend_that_the_program_does_not_have_is_named():
    with pytest.raises(ValueError, match=r"no blend 'standardised_product'; accepted: .*recipe"):
        importance(WEIGHTS, NONE, "standardised_product", "authors_code")
