"""A vote is the mean probability of several networks on the same test images."""

import math

import pytest
import torch
from reactivate.evidence.predictions import vote_of
from safetensors.torch import save_file


@pytest.fixture
def network(tmp_path):
    """``network(name, probabilities, labels)``: the folder of a run that said this."""

    def leave(name, probabilities, labels):
        folder = tmp_path / name
        folder.mkdir()
        # scores have any offset: the softmax takes it away
        scores = [[math.log(p) + len(name) for p in image] for image in probabilities]
        tensors = {"scores": torch.tensor(scores), "labels": torch.tensor(labels)}
        save_file(tensors, folder / "predictions.safetensors")
        return folder

    return leave


def test_the_mean_probability_decides_not_the_majority(network):
    # image 0: two of three say 1, the mean says 0; image 1: all say 1
    labels = [0, 1]
    runs = [
        network("a", [[0.90, 0.10], [0.2, 0.8]], labels),
        network("ab", [[0.45, 0.55], [0.3, 0.7]], labels),
        network("abc", [[0.45, 0.55], [0.4, 0.6]], labels),
    ]
    assert vote_of(runs) == 0.0
    assert vote_of(runs[1:]) == 50.0
    assert vote_of(runs[:1]) == 0.0


def test_the_error_is_in_percent_of_the_images(network):
    labels = [0, 1, 2, 0]
    wrong = [[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1]]
    unsure = [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.3, 0.3, 0.4], [0.96, 0.02, 0.02]]
    # means: 1, 1, 1, 0 -> right are images 1 and 3
    assert vote_of([network("a", wrong, labels), network("ab", unsure, labels)]) == 50.0


def test_one_network_alone_has_the_vote_of_its_own_error(network):
    run = network("a", [[0.6, 0.4], [0.6, 0.4], [0.4, 0.6]], [0, 1, 1])
    assert vote_of([run]) == pytest.approx(100 / 3)


@pytest.mark.parametrize("labels", [[1, 0], [0]], ids=["another order", "fewer"])
def test_networks_measured_on_different_images_are_refused(network, labels):
    first = network("a", [[0.9, 0.1], [0.2, 0.8]], [0, 1])
    other = network("ab", [[0.9, 0.1], [0.2, 0.8]][: len(labels)], labels)
    with pytest.raises(ValueError, match="measured on different test images") as error:
        vote_of([first, other])
    assert f"{other} and {first}" in str(error.value)
    assert "run them again" in str(error.value)
