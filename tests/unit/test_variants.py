"""Families of recipes are written out, and a mistake in one is named."""

import re
from pathlib import Path

import pytest
from reactivate.experiment.variants import named, write_out

FILE = Path("config/papers/toy.yaml")
AXES = [{"a": {}, "b": {"blend": "b"}}, {"s1": {"sparsity": 0.1}, "s2": {"sparsity": 0.2}}]


def family(**changes):
    whole = {"stage": "prune", "pruning": {"blend": "a"}, "each": {"pruning": AXES}}
    return {"pruned": {**whole, **changes}}


def written(recipes):
    write_out(recipes, "recipes", FILE)
    return recipes


def test_a_family_has_a_member_for_every_choice():
    found = written(family())
    assert list(found) == ["pruned_a_s1", "pruned_a_s2", "pruned_b_s1", "pruned_b_s2"]
    assert found["pruned_b_s2"] == {"stage": "prune", "pruning": {"blend": "b", "sparsity": 0.2}}
    assert found["pruned_a_s1"]["pruning"] == {"blend": "a", "sparsity": 0.1}


def test_a_family_may_be_like_another_recipe():
    found = written(
        {
            "base": {"stage": "x", "pruning": {}},
            "pruned": {"like": "base", "each": {"pruning": AXES}},
        }
    )
    assert found["pruned_b_s1"] == {"stage": "x", "pruning": {"blend": "b", "sparsity": 0.1}}
    assert len(found) == 5


def test_recipes_without_a_family_stay_as_they_are():
    assert written({"plain": {"epochs": 3}}) == {"plain": {"epochs": 3}}


@pytest.mark.parametrize(
    "each",
    [
        7,
        [],
        {},
        {"pruning": AXES, "lr": AXES},
        {"pruning": {"a": {}}},
        {"stage": AXES},
        {"pruning": [["a"]]},
        {"pruning": [{"a": 1}]},
        {"unknown": AXES},
    ],
    ids=str,
)
def test_a_family_of_another_form_is_named(each):
    message = re.escape(f"{FILE}: recipes.pruned.each is {each!r}; accepted: one of its keys")
    with pytest.raises(ValueError, match=message):
        written(family(each=each))


def test_a_member_that_is_there_already_is_named():
    with pytest.raises(ValueError, match=r"each makes pruned_a_s1, which is there already; give"):
        written({"pruned_a_s1": {}, **family()})


def test_a_limit_with_a_star_is_for_all_that_fit_and_the_last_one_counts():
    known = ["pruned_a_s1", "pruned_b_s1", "pruned_b_s2", "plain"]
    found = named({"pruned_b_s2": 1, "pruned_*": 2, "pruned_*_s1": 3, "plain": 4}, known)
    assert found == {"pruned_a_s1": 3, "pruned_b_s1": 3, "pruned_b_s2": 1, "plain": 4}


def test_a_limit_that_fits_nothing_is_kept_to_be_reported():
    assert named({"prund_*": 1, "other": 2}, ["pruned_a"]) == {"prund_*": 1, "other": 2}
