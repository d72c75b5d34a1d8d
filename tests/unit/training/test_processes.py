"""Two processes that share every batch train the network that one trains alone."""

import csv
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file


def history(out):
    with Path(out, "history.csv").open(encoding="utf-8") as file:
        return [[float(value) for value in row.values()] for row in csv.DictReader(file)]


@pytest.mark.slow
def test_two_processes_train_the_network_of_one(forked):
    forked("together", "odd_batches")
    alone, together = (load_file(Path(out, "model.safetensors")) for out in ("alone", "together"))
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-6)
    for one, two in zip(history("alone"), history("together"), strict=True):
        assert two == pytest.approx(one, abs=1e-5)


@pytest.mark.slow
def test_two_processes_that_were_killed_end_with_the_same_bytes(forked):
    found = forked("together", "plateau")
    assert found["kills"] == found["resumes"] == 1
    assert found["killed"] == found["together"]
