"""The All-MLP segmenter: printed counts, shapes, and its equation."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.flops import count_parameters
from reactivate.segmentation.allmlp import AllMLPDecoder, AllMLPSegmenter
from torch.nn import functional

PRINTED = {"relu": "31.7", "swish": "31.7", "meta_acon": "31.9", "smu": "31.7", "iieu_b": "31.7"}
TINY = {"width": 0.05, "classes": 4, "depths": (1, 1, 1, 1)}


@pytest.mark.parametrize("activation", PRINTED)
def test_parameters_are_printed_in_table_7(activation):
    with torch.device("meta"):
        net = MODELS.load("allmlp_segmenter")(activation=activation)
    assert f"{count_parameters(net) / 1e6:.1f}" == PRINTED[activation]


@pytest.mark.parametrize("activation", PRINTED)
def test_every_parameter_gets_a_finite_gradient(activation):
    torch.manual_seed(0)
    net = AllMLPSegmenter(activation, **TINY)
    scores = net(torch.randn(2, 3, 40, 72))
    assert scores.shape == (2, 4, 40, 72)
    functional.cross_entropy(scores, torch.randint(4, (2, 40, 72))).backward()
    assert all(p.grad.isfinite().all() for p in net.parameters())


def test_decoder_is_its_equation():
    torch.manual_seed(0)
    reads, e = (3, 5, 2, 4), 6
    decoder = AllMLPDecoder(reads, e, classes=7).double()
    stages = [torch.randn(2, c, 8 >> s, 12 >> s, dtype=torch.float64) for s, c in enumerate(reads)]
    same_size = []
    for layer, stage in zip(decoder.unify, stages, strict=True):
        linear = torch.einsum("ec,nchw->nehw", layer.weight[:, :, 0, 0], stage)
        linear = linear + layer.bias[:, None, None]
        same_size.append(functional.interpolate(linear, (8, 12), mode="bilinear"))
    fused = torch.einsum(
        "ec,nchw->nehw", decoder.fuse[0].weight[:, :, 0, 0], torch.cat(same_size, 1)
    )
    variance, mean = torch.var_mean(fused, (0, 2, 3), correction=0, keepdim=True)
    fused = ((fused - mean) / (variance + 1e-5).sqrt()).relu()
    expected = torch.einsum("ec,nchw->nehw", decoder.classify.weight[:, :, 0, 0], fused)
    expected = expected + decoder.classify.bias[:, None, None]
    torch.testing.assert_close(decoder(stages), expected)


def test_dropout_drops_whole_channels():
    torch.manual_seed(0)
    decoder = AllMLPDecoder((2,), 8, classes=8, dropout=0.5).train()
    with torch.no_grad():
        decoder.classify.weight.copy_(torch.eye(8)[:, :, None, None])
        decoder.classify.bias.zero_()
        kept = decoder([torch.randn(1, 2, 9, 9)]).flatten(2).abs().sum(2) > 0
    assert 0 < kept.sum() < 8
