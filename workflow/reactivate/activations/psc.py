"""Phase selective units: keep both phases of a response and let the next layer weigh each."""

from dataclasses import replace
from inspect import signature
from typing import Any

import torch
from torch import Tensor, nn

from reactivate.activations.gate import PhaseGate
from reactivate.activations.traits import Traits


class PSC(nn.Module):
    r"""Applies ``[relu(x), -relu(-x)]``, doubling the channel dimension.

    The next layer's weight is ``[W+, W-]``, so that it computes ``W+ x+ + W- x-``: a kernel chosen
    per number by its sign (dynamic PSC). ``W- = 0`` is ReLU, ``W- = a W+`` leaky ReLU and
    ``W- = W+`` no activation. Like CReLU up to the sign of ``W-``.

    Reference:
        PSC supplement, Section A (CVPR Workshops 2021, pp. 3199-3208); the dynamic form is
        inferred from its Eq. 19 without gates.

    Shape:
        - Input: ``(N, C, *)``
        - Output: ``(N, 2C, *)``; the first ``C`` channels are the positive phase.

    Example:
        >>> PSC()(torch.tensor([[-1.0, 2.0]]))
        tensor([[ 0.,  2., -1.,  0.]])
    """

    traits = Traits(channel_multiplier=2, piecewise_linear=True)

    def forward(self, x: Tensor) -> Tensor:
        if torch.compiler.is_compiling():
            return phases(x)
        both: Tensor = Phases.apply(x)  # type: ignore[no-untyped-call]
        return both


def phases(x: Tensor) -> Tensor:
    """Both phases of a response, ``(N, 2C, *)``; they add up to x, gradients included."""
    return torch.cat([x.relu(), x.clamp(max=0)], dim=1)  # slopes at 0 are 0 and 1


class Phases(torch.autograd.Function):
    """Computes :func:`phases`, whose gradient is that of one phase or the other, in one step.

    Where channels are next to each other in memory, phases lie between each other, and several
    steps over them are slow.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return phases(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        positive, negative = gradients[0].chunk(2, dim=1)
        on = ctx.saved_tensors[0].detach().relu().sign_()  # 1 or 0
        return torch.lerp(negative, positive, on)  # exact at both ends, a third of where's time

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor) -> Tensor:
        on = ctx.saved_tensors[0] > 0
        none = torch.zeros_like(tangents[0])
        return torch.cat(
            [torch.where(on, tangents[0], none), torch.where(on, none, tangents[0])], dim=1
        )


# torch asks for it in every pass, and working it out takes as long as the phases themselves
Phases.forward.__signature__ = signature(Phases.forward)  # type: ignore[attr-defined]


class SPSC(PSC):
    r"""Applies static PSC: phases as in :class:`PSC`, of which each next output reads only one.

    The next layer gets :class:`PhaseGate` as a parametrization of its weight,
    ``SPSC.gate.attach(layer)``; :func:`reactivate.activations.gate.collapse` removes what the
    trained gate closed.

    Reference:
        PSC supplement, Eq. 19 (CVPR Workshops 2021, pp. 3199-3208).

    Shape:
        - Input: ``(N, C, *)``
        - Output: ``(N, 2C, *)``; the first ``C`` channels are the positive phase.

    Example:
        >>> phases = SPSC()(torch.tensor([[-1.0, 2.0]]))
        >>> SPSC.gate.attach(nn.Linear(4, 3))(phases).shape
        torch.Size([1, 3])
    """

    traits = replace(PSC.traits, gates_next=True)
    gate = PhaseGate
