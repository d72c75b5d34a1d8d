"""Where kernels are launched, a layer runs the same number of them whatever its batch."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.passes import network_work


@pytest.mark.parametrize("activation", ["iieu_b", "iieu_dc"])
def test_iieu_runs_as_many_kernels_for_any_batch_off_the_cpu(activation):
    def network():
        return MODELS.load("resnet14")(
            activation=activation, parameterization="bn", width=0.125, classes=10, options={}
        )

    work = network_work(network, (3, 64, 64))
    assert (work.forward.kernels, work.training.kernels) == (0, 0)


@pytest.mark.parametrize("groups", [1, 2])
def test_sums_of_squares_are_the_same_at_once_and_sample_by_sample(groups):
    from reactivate.activations.patch import _grouped_squares, sum_of_squares

    x = torch.randn(3, 4, 5, 5, dtype=torch.float64)
    torch.testing.assert_close(_grouped_squares(x, groups), sum_of_squares(x, groups))


def test_blocks_are_small_on_the_cpu_and_all_is_one_elsewhere(monkeypatch):
    from reactivate.activations import adjuster

    monkeypatch.setattr(adjuster, "BLOCK", 10)
    x = torch.arange(5 * 6 * 4).view(5, 6, 4)
    blocks = [x[block].flatten().tolist() for block in adjuster._blocks(x)]
    assert max(map(len, blocks)) <= 10
    assert sorted(number for block in blocks for number in block) == x.flatten().tolist()
    assert len(list(adjuster._blocks(x.to("meta")))) == 1


def test_one_block_gives_the_same_as_many(monkeypatch):
    from reactivate.activations import adjuster

    torch.manual_seed(0)
    x = torch.randn(2, 6, 4, 4, dtype=torch.float64)
    small = [torch.rand(2, 6, 1, 1, dtype=torch.float64) for _ in range(3)]
    arguments = [x, torch.rand(2, 1, 4, 4, dtype=torch.float64) + 0.5, *small]
    results = []
    for block in (1, 10**9):
        monkeypatch.setattr(adjuster, "BLOCK", block)
        leaves = [a.clone().requires_grad_() for a in arguments]
        out = adjuster.Reweight.apply(*leaves)
        results.append([out, *torch.autograd.grad(out.square().sum(), leaves)])
    for one, many in zip(*results, strict=True):
        torch.testing.assert_close(one, many)
