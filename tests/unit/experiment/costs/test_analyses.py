"""Analyses pass as much through networks as the model says: counted while they run."""

from pathlib import Path

import pytest
import torch
from reactivate.documents.thesis.chapter6.figure6_1 import of_network
from reactivate.documents.thesis.chapter6.figures6_2_6_6 import fixed_shares, layers_of
from reactivate.documents.thesis.chapter6.figures6_3_6_4 import around
from reactivate.evidence.records import read_record
from reactivate.experiment.costs.analysing import load_analyses
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.machines import load_machine
from reactivate.experiment.costs.networks import counted_networks, network_name
from reactivate.experiment.experiment import Experiment
from reactivate.models.passes import Meter
from reactivate.training.setup import make_network

COPIES = 64
RADIUS = 8 / 255
OF = ("cifar10", 0, COPIES, RADIUS)  # dataset, number of the image, copies, distance
ANALYSES = {  # what each does for one image; whole batches of copies
    "figure6_1": lambda network, x: of_network(network, x, torch.arange(COPIES) % 10, RADIUS),
    "figure6_2": lambda network, x: layers_of(network, x[:1], "cifar10", COPIES, RADIUS),
    "figure6_3": lambda network, x: around(network, x[0], torch.tensor(1), *OF, True),
    "figure6_4": lambda network, x: around(network, x[0], torch.tensor(1), *OF, False),
    "figure6_6": lambda network, x: [
        fixed_shares(network, x, "cifar10", sigma) for sigma in (0.1, 0.25)
    ],
}


@pytest.fixture(scope="module")
def narrow():
    """A network of the laptop's figures, and its counted work: shares do not depend on width."""
    exhibit = Experiment.load("laptop").exhibit("thesis", "figure6_3")
    cell = exhibit.places[0].cell
    settings = exhibit.cell(exhibit.places[0]).image_settings
    return make_network(cell, settings, 0).eval(), counted_networks()[network_name(cell, settings)]


def test_every_analysis_with_a_model_is_counted_here():
    assert set(load_analyses()) == {f"thesis/{name}" for name in ANALYSES}


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_passes_what_the_model_says(narrow, name):
    network, cost = narrow
    asked = load_analyses()[f"thesis/{name}"]
    x = torch.rand(COPIES, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    with Meter(network) as meter:
        ANALYSES[name](network, x)
    alone = 2 if name == "figure6_2" else 0  # the image without noise, and once for the sizes
    copies = COPIES + alone / asked.forward
    back = cost.ascent.flops / cost.forward.flops - 1
    passes = asked.forward + asked.backward * back
    assert meter.flops / copies / cost.forward.flops == pytest.approx(passes)
    moved = cost.forward.traffic * (asked.forward + asked.looked)
    moved += asked.backward * (cost.ascent.traffic - cost.forward.traffic)
    assert meter.traffic / copies / moved == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("name", ANALYSES)
def test_published_analyses_took_about_as_long_as_predicted(name):
    path = Path("published/laptop/thesis/analyse", name, "run.json")
    taken = read_record(path).times.seconds
    work = work_of("analyse", {"scale": "laptop", "paper": "thesis", "exhibit": name})
    predicted = load_machine("cpu").seconds(work)
    assert taken / 2.5 < predicted < taken * 2.5


@pytest.mark.parametrize("name", ["figure6_2", "figure6_3", "figure6_4"])
def test_figures_of_many_copies_are_planned_for_a_gpu(name):
    from reactivate.experiment.resources import asked, resources

    names = {"scale": "paper", "paper": "thesis", "exhibit": name}
    entry = "analyse_on_gpu" if Experiment.load("paper").exhibit("thesis", name).on_gpu else ""
    given = resources("analyse", names, entry=lambda _: entry)
    assert given.gpus == asked("analyse_on_gpu", "paper").gpus == 1
