"""Families of recipes are written out, and a mistake in one is named."""

import re
from pathlib import Path

import pytest
from reactivate.experiment.variants import named, write_out

FILE = Path("config/papers/toy/paper.yaml")
EACH = {"pruning": {"blend": ["a", "b"], "sparsity": [0.1, 0.2]}}


def family(**changes):
    whole = {"stage": "prune", "pruning": {"every": 10}, "each": EACH}
    return {"pruned": {**whole, **changes}}


def written(recipes):
    data = {"recipes": recipes}
    write_out(data, "recipes", {("recipes",): FILE})
    return data["recipes"]


def test_a_family_has_a_member_for_every_choice_named_by_its_values():
    found = written(family())
    assert list(found) == ["pruned_a_010", "pruned_a_020", "pruned_b_010", "pruned_b_020"]
    pruning = {"every": 10, "blend": "b", "sparsity": 0.2}
    assert found["pruned_b_020"] == {"stage": "prune", "pruning": pruning}


def test_a_pattern_names_the_members():
    found = written(family(named="s{sparsity:percent}_{blend}"))
    assert list(found) == ["s10_a", "s20_a", "s10_b", "s20_b"]


def test_fields_of_a_recipe_itself_stand_beside_those_below_a_key():
    found = written(family(each={"seeds": [1, 2], "pruning": {"every": [5]}}))
    assert found["pruned_2_5"] == {"stage": "prune", "seeds": 2, "pruning": {"every": 5}}


def test_several_choices_follow_each_other_and_what_is_missing_leaves_no_trace():
    each = [{"pruning": {"blend": ["a"]}}, {"pruning": {"blend": ["a"], "protocol": ["code"]}}]
    assert list(written(family(each=each))) == ["pruned_a", "pruned_a_code"]


def test_the_protocol_of_the_document_leaves_no_trace():
    each = {"pruning": {"blend": ["a"], "protocol": ["document", "authors_code"]}}
    assert list(written(family(each=each))) == ["pruned_a", "pruned_a_authors_code"]


def test_a_family_may_be_like_another_recipe_or_family_or_member():
    found = written(
        {
            "base": {"stage": "x", "pruning": {}},
            "pruned": {"like": "base", "each": EACH},
            "other": {"like": "pruned", "stage": "y"},
            "last": {"like": "other_b_020", "stage": "z"},
        }
    )
    assert found["pruned_b_010"] == {"stage": "x", "pruning": {"blend": "b", "sparsity": 0.1}}
    assert found["other_b_010"] == {"stage": "y", "pruning": {"blend": "b", "sparsity": 0.1}}
    assert found["last"] == {"stage": "z", "pruning": {"blend": "b", "sparsity": 0.2}}
    assert len(found) == 10


def test_members_stand_where_their_family_stands():
    found = written({"first": {}, **family(), "last": {}})
    assert [next(iter(found)), list(found)[-1]] == ["first", "last"]


def test_members_have_the_file_of_their_family():
    homes = {("recipes",): FILE, ("recipes", "pruned"): FILE.with_name("chapter.yaml")}
    write_out({"recipes": family()}, "recipes", homes)
    assert homes["recipes", "pruned_a_010"].name == "chapter.yaml"


def test_recipes_without_a_family_stay_as_they_are():
    assert written({"plain": {"epochs": 3}}) == {"plain": {"epochs": 3}}


@pytest.mark.parametrize(
    "each",
    [7, [], {}, {"pruning": {}}, {"blend": "a"}, {"blend": []}, {"blend": [["a"]]}, ["blend"]],
    ids=str,
)
def test_a_family_of_another_form_is_named(each):
    message = re.escape(f"{FILE}: recipes.pruned.each is {each!r}; accepted: a mapping of fields")
    with pytest.raises(ValueError, match=message):
        written(family(each=each))


def test_a_field_below_what_is_no_mapping_is_named():
    with pytest.raises(ValueError, match="each puts size below stage, which is 'prune'"):
        written(family(each={"stage": {"size": [1]}}))


def test_a_field_that_is_written_twice_is_named():
    with pytest.raises(ValueError, match="each names a field twice: size, size; keep one"):
        written(family(each={"a": {"size": [1]}, "b": {"size": [1]}}))


def test_a_pattern_with_an_unknown_field_is_named():
    message = r"recipes\.pruned\.named is '\{blnd\}': it has no field 'blnd'; accepted: blend"
    with pytest.raises(ValueError, match=message):
        written(family(named="{blnd}"))


def test_two_members_of_one_name_are_named():
    with pytest.raises(ValueError, match="each makes pruned_a twice; name its fields"):
        written(family(named="pruned_{blend}"))


@pytest.mark.parametrize("before", [True, False])
def test_a_member_that_is_there_already_is_named(before):
    other = {"pruned_a_010": {}}
    with pytest.raises(ValueError, match=r"each makes pruned_a_010, which is there already; give"):
        written({**other, **family()} if before else {**family(), **other})


@pytest.mark.parametrize("base", ["unknown", "later", ["pruned"], None])
def test_a_likeness_to_what_is_not_above_is_named(base):
    message = re.escape(f"{FILE}: recipes.new.like is {base!r}; accepted: one of the recipes")
    with pytest.raises(ValueError, match=message):
        written({"new": {"like": base}, "later": {}})


def test_a_limit_with_a_star_is_for_all_that_fit_and_the_last_one_counts():
    known = ["pruned_a_s1", "pruned_b_s1", "pruned_b_s2", "plain"]
    found = named({"pruned_b_s2": 1, "pruned_*": 2, "pruned_*_s1": 3, "plain": 4}, known)
    assert found == {"pruned_a_s1": 3, "pruned_b_s1": 3, "pruned_b_s2": 1, "plain": 4}


def test_a_limit_that_fits_nothing_is_kept_to_be_reported():
    assert named({"prund_*": 1, "other": 2}, ["pruned_a"]) == {"prund_*": 1, "other": 2}
