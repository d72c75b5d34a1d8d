"""Seeds as data: a cell has as many as seeds.yaml says, and a mistake in that file is named."""

import json
import random

import pytest
import yaml
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.loading import load_paper, load_scales, load_seeds, paper_names
from test_fuzz import NONSENSE, WORDS

PSC = "cifar10/resnet14-relu-bn-cifar"
SPSC = "cifar10/resnet14-spsc-bn-cifar"


def cell_of(name):
    return Cell.parse(*name.split("/"))


@pytest.fixture
def raise_seeds(project):
    """``raise_seeds(paper, content)``: what the paper's seeds.yaml says from now on."""

    def write(paper, content):
        path = project / "config" / "papers" / paper / "seeds.yaml"
        text = content if isinstance(content, str) else yaml.safe_dump(content)
        path.write_text(text, encoding="utf-8")
        forget()

    return write


def at_laptop(paper, name):
    return Experiment.load("laptop").cell(paper, cell_of(name))


def test_a_raised_cell_has_more_seeds_and_no_other_cell_has(raise_seeds):
    before, other = at_laptop("psc", PSC), at_laptop("psc", SPSC)
    least, folders, settings = before.seeds, before.folders(), before.settings
    raise_seeds("psc", {"laptop": {PSC: least + 2}})
    after = at_laptop("psc", PSC)
    assert after.seeds == least + 2
    assert after.folders()[:least] == folders
    assert [folder.name for folder in after.folders()] == [f"seed{n}" for n in range(least + 2)]
    assert (after.settings, after.modules()) == (settings, before.modules())
    assert at_laptop("psc", SPSC).seeds == other.seeds
    assert Experiment.load("smoke").cell("psc", cell_of(PSC)).seeds == 1


def test_exhibits_are_made_from_the_raised_seeds(raise_seeds):
    before = Experiment.load("laptop").exhibit("psc", "accuracy").inputs
    raise_seeds("psc", {"laptop": {PSC: 5}})
    after = Experiment.load("laptop").exhibit("psc", "accuracy").inputs
    added = {path.as_posix() for path in set(after) - set(before)}
    assert added == {f"results/laptop/psc/runs/{PSC}/seed{n}/run.json" for n in (3, 4)}
    assert set(before) < set(after)


def test_measurements_follow_the_seeds_of_their_network(raise_seeds):
    exhibits = Experiment.load("laptop").exhibits("thesis")
    measured = (
        (place, run) for run in exhibits for place in run.places if place.measurement is not None
    )
    place, run = next(measured)
    seeds = run.cell(place).seeds + 1
    name = f"{place.cell.dataset}/{place.cell.stem}"
    raise_seeds("thesis", {"laptop": {name: seeds}})
    again = Experiment.load("laptop").exhibit("thesis", run.name)
    assert len(again.folders(place)) == seeds


def test_a_dataset_that_stands_in_is_the_one_that_is_named(raise_seeds):
    place = Experiment.load("laptop").exhibit("iieu", "table1").places[0]
    name = f"{place.cell.dataset}/{place.cell.stem}"
    assert name.startswith("tiny_imagenet20/")
    raise_seeds("iieu", {"laptop": {name: 8}})
    assert at_laptop("iieu", name).seeds == 8
    raise_seeds("iieu", {"laptop": {name.replace("tiny_imagenet20", "imagenet"): 8}})
    with pytest.raises(ValueError, match=r"such as .*tiny_imagenet20/resnet14"):
        load_seeds("iieu")


MISTAKES = {
    "a misspelt scale": ({"laptpo": {PSC: 5}}, "unknown scale 'laptpo'; did you mean laptop?"),
    "more than the document trained": (
        {"paper": {PSC: 8}},
        f"paper.{PSC} is 8, but paper is the printed protocol and the document says of cifar how "
        "many it trained; accepted: 5, or more where the recipe's open names seeds",
    ),
    "a misspelt cell": (
        {"laptop": {PSC.replace("relu", "rleu"): 5}},
        f"laptop: no exhibit of this scale is made from the cell 'cifar10/resnet14-rleu-bn-cifar'"
        f"; accepted: cells that are run at laptop, such as {PSC}",
    ),
    "a cell that another scale runs": (
        {"smoke": {PSC: 5}},
        f"smoke: no exhibit of this scale is made from the cell '{PSC}'",
    ),
    "a name that is no cell": ({"laptop": {"relu": 5}}, "laptop.relu"),
    "a name that leaves its folder": ({"laptop": {"../x/a-b-c-d": 5}}, "laptop"),
    "too few": (
        {"laptop": {PSC: 2}},
        f"laptop.{PSC} is 2, but scales.yaml gives it 3; accepted: 3 or more",
    ),
    "none": ({"laptop": {PSC: 0}}, f"laptop.{PSC} is 0; Input should be greater than or equal"),
    "too many": ({"laptop": {PSC: 101}}, "less than or equal to 100"),
    "a part of one": ({"laptop": {PSC: 5.5}}, "valid integer"),
    "a truth": ({"laptop": {PSC: True}}, "valid integer"),
    "a list": ({"laptop": [PSC]}, "laptop is ['cifar10/"),
    "a word": ({"laptop": "many"}, "laptop is 'many'; Input should be a valid dictionary"),
    "nothing": ("", "seeds.yaml holds None; accepted: a mapping"),
    "a cell twice": (f"laptop:\n  {PSC}: 5\n  {PSC}: 8\n", "is written twice"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_file(raise_seeds, mistake):
    content, message = MISTAKES[mistake]
    raise_seeds("psc", content)
    with pytest.raises(ValueError, match=r"config/papers/psc/seeds\.yaml") as error:
        assert at_laptop("psc", PSC).seeds
    assert message in str(error.value)


def test_a_mistake_in_one_paper_stops_no_other(raise_seeds):
    raise_seeds("psc", "laptop: [")
    assert Experiment.load("laptop").exhibit("gmp", "table3").records


def test_seeds_of_folds_are_at_most_as_many(raise_seeds):
    place = next(
        place
        for run in Experiment.load("laptop").exhibits("crelu")
        for place in run.places
        if place.cell.recipe == "convpool_folds"
    )
    name = f"{place.cell.dataset}/{place.cell.stem}"
    raise_seeds("crelu", {"laptop": {name: 10}})
    assert at_laptop("crelu", name).seeds == 10
    raise_seeds("crelu", {"laptop": {name: 11}})
    with pytest.raises(
        ValueError, match="is 11, but there are only 10 folds; accepted: at most 10"
    ):
        load_seeds("crelu")


def test_the_printed_protocol_has_more_seeds_where_the_document_states_none(raise_seeds):
    name = "mnist/fcnn-relu-bn-fcnn"
    raise_seeds("thesis", {"paper": {name: 5}})
    assert Experiment.load("paper").cell("thesis", cell_of(name)).seeds == 5
    raise_seeds("psc", {"paper": {PSC: 5}})  # as many as it says
    assert Experiment.load("paper").cell("psc", cell_of(PSC)).seeds == 5


def test_seeds_that_are_trained_together_are_not_raised(raise_seeds):
    place = Experiment.load("laptop").exhibit("gmp", "table3").places[0]
    raise_seeds("gmp", {"laptop": {f"{place.cell.dataset}/{place.cell.stem}": 13}})
    with pytest.raises(ValueError, match=r"one job.*accepted: the recipe's seeds in scales\.yaml"):
        load_seeds("gmp")


@pytest.mark.parametrize("paper", paper_names())
def test_the_committed_seeds_are_right(paper):
    assert set(load_seeds(paper)) <= set(load_scales())
    assert load_paper(paper).paper == paper


def refusal(ask):
    """The message of a refusal; empty if what was asked for is a number of seeds."""
    try:
        assert ask() in range(1, 101)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_changed_files_are_named_or_accepted(raise_seeds):
    chance, accepted = random.Random(23), 0
    for _ in range(200):
        content = {"laptop": {PSC: 5, SPSC: 8}, "smoke": {SPSC: 3}}
        scale = chance.choice(["laptop", "smoke"])
        cell = chance.choice(list(content[scale]))
        what = chance.random()
        if what < 0.4:
            content[scale][cell] = chance.choice(NONSENSE)
        elif what < 0.6:
            content[scale][chance.choice(WORDS)] = content[scale].pop(cell)
        elif what < 0.8:
            content[scale] = chance.choice(NONSENSE)
        else:
            content[chance.choice(WORDS)] = content.pop(scale)
        raise_seeds("psc", json.dumps(content) if chance.random() < 0.5 else content)
        refused = refusal(lambda: at_laptop("psc", PSC).seeds)
        assert refused == "" or "config/papers/psc/seeds.yaml" in refused
        accepted += not refused
    assert 0 < accepted < 200
