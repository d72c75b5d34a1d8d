"""Whoever divides batches, among processes or into micro-batches, trains the same network."""

from dataclasses import replace
from itertools import count

import pytest
import torch
from double_precision import Precise
from reactivate.evidence.image_runs import division_of
from reactivate.training.inputs import ALONE, Share
from reactivate.training.totals import Totals
from reactivate.training.trainer import Trainer
from torch import nn

CPU = torch.device("cpu")
MOVED = {"padding": 2, "flip": 0.5}
AUGMENTED = {"augmentation": MOVED}  # pixels stay in range, as a defence wants them
ERASED = {"augmentation": {**MOVED, "erasing": {"probability": 0.5, "count": 2}}}
PGD = {"name": "pgd", "epsilon": 8.0, "step": 4.0, "steps": 2, "start": "gaussian"}
NOISE = {"name": "noise", "sigma": 0.2}
MIX = {
    **{"name": "smoothmix", "sigma": 0.2, "step": 0.5, "steps": 2, "copies": 2},
    **{"eta": 1.0, "warm_up": 2},
}
PATHS = {"name": "scrfp2", "sigma": 0.2, "eta": 0.1, "paths": "float", "protocol": "document"}
ODD = {"batch_size": 7, "epochs": 1}  # of 22 images; the last batch has one


def drop(network):
    """Adds dropout behind every pooling."""
    for parent in list(network.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.MaxPool2d):
                setattr(parent, name, nn.Sequential(child, nn.Dropout(0.3)))
    return network


@pytest.fixture
def trained(project, new_run, monkeypatch):
    """``trained(share, micro_batch, **run)``: weights, running statistics and history."""
    monkeypatch.setattr(
        "reactivate.training.classification.Classification.check_fit", lambda *_: None
    )  # in float32

    numbers = count()

    def train(share=ALONE, micro_batch=None, network="convolutions", **changes):
        run = new_run(f"out{next(numbers)}", network, **changes)
        make = run.treatment.make

        def precise(*arguments):
            network, inputs = make(*arguments)
            return drop(network).double(), Precise(inputs)

        run.treatment = replace(run.treatment, make=precise)
        run.micro_batch = micro_batch
        run.train(share, CPU, 1)
        weights = {name: tensor.clone() for name, tensor in run.network.state_dict().items()}
        return weights, [list(row.values()) for row in run.state.history], run

    return train


def assert_same(found, expected):
    torch.testing.assert_close(found[0], expected[0], rtol=0, atol=1e-10)
    torch.testing.assert_close(
        torch.tensor(found[1], dtype=torch.float64),
        torch.tensor(expected[1], dtype=torch.float64),
        **{"rtol": 0, "atol": 1e-10},
    )


@pytest.mark.parametrize("parameterization", ["bn", "wn_mbn", "gmp_imn"])
def test_two_processes_train_the_network_of_one(trained, in_processes, parameterization):
    changes = {**ERASED, **ODD, "parameterization": parameterization}
    expected = trained(**changes)
    found = in_processes(lambda rank: trained(Share(rank, 2), **changes)[:2])
    assert_same(found[0], expected)
    assert_same(found[1], expected)


@pytest.mark.slow
@pytest.mark.parametrize("defence", [PGD, NOISE, MIX, PATHS], ids=lambda one: one["name"])
def test_two_processes_defend_the_network_of_one(trained, in_processes, defence):
    changes = {**AUGMENTED, **ODD, "defence": defence, "parameterization": "bn"}
    expected = trained(**changes)
    found = in_processes(lambda rank: trained(Share(rank, 2), **changes)[:2])
    assert_same(found[0], expected)
    assert_same(found[1], expected)


@pytest.mark.parametrize("micro_batch", [1, 3])
@pytest.mark.parametrize("defence", [None, MIX], ids=["plain", "smoothmix"])
def test_micro_batches_train_the_network_of_whole_ones(trained, defence, micro_batch):
    changes = {**AUGMENTED, **ODD, "parameterization": "wn"}
    if defence:
        changes["defence"] = defence
    assert_same(trained(micro_batch=micro_batch, **changes), trained(**changes))


def test_micro_batches_of_two_processes_train_the_network_of_one(trained, in_processes):
    changes = {**AUGMENTED, **ODD, "defence": NOISE}
    expected = trained(**changes)
    found = in_processes(lambda rank: trained(Share(rank, 2), 2, **changes)[:2])
    assert_same(found[0], expected)


def test_no_more_images_are_passed_at_once_than_asked_for(trained):
    seen = []

    def spy(network, arguments):
        if network.training:
            seen.append(len(arguments[0]))

    with pytest.MonkeyPatch.context() as patch:
        prepared = Trainer.fit
        patch.setattr(
            Trainer,
            "fit",
            lambda self: (self.network.register_forward_pre_hook(spy), prepared(self))[1],
        )
        trained(micro_batch=3, batch_size=8, epochs=1)
    assert seen == [3, 3, 2, 3, 3, 2, 3, 3]


def test_statistics_of_micro_batches_are_a_departure_that_the_record_names(trained):
    normalised = {**ODD, "parameterization": "bn"}
    *found, divided = trained(micro_batch=4, **normalised)
    *whole, run = trained(micro_batch=7, **normalised)
    *plain, _ = trained(**normalised)
    assert_same(whole, plain)
    variance = next(name for name in plain[0] if name.endswith("running_var"))
    assert not torch.allclose(found[0][variance], plain[0][variance], atol=1e-4)
    assert division_of(divided.trainer).statistics == "micro_batch"
    assert division_of(run.trainer).statistics == "batch"
    without = trained(micro_batch=4, **ODD)[2]
    assert division_of(without.trainer).statistics is None
    assert division_of(without.trainer).micro_batch == 4
    assert division_of(trained(**ODD)[2].trainer) is None


@pytest.mark.parametrize(
    ("share", "micro_batch", "message"),
    [
        (ALONE, 0, r"^micro_batch is 0; accepted: 1 or more"),
        (Share(0, 9), None, r"^9 processes divide batches of 8 images; accepted: at most"),
    ],
)
def test_a_division_that_is_none_is_named(trained, share, micro_batch, message):
    with pytest.raises(ValueError, match=message):
        trained(share, micro_batch)


@pytest.mark.parametrize("before", [1, 2, 3])
def test_sums_of_an_interrupted_epoch_are_kept_whatever_the_number_of_processes(before):
    kept = [[1.0 + rank, 2.0, 3.0, 4.0] for rank in range(before)]
    sums = [Totals(CPU, Share(rank, 2), kept).sums for rank in range(2)]
    assert torch.stack(sums).sum(0).tolist() == torch.tensor(kept).sum(0).tolist()
