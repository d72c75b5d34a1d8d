"""The classifiers that are smoothed: a plain network, and one with repressed float paths."""

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import breakpoints_of, encode
from reactivate.patterns.preactivations import changing
from reactivate.smoothing.repression import (
    is_relu,
    masked_activations,
    record_codes,
    repress,
    shrink,
)

Draw = Callable[[], Tensor]  # more noise, shaped like the batch and with the same sigma
Classifier = Callable[[Tensor, Draw], Tensor]  # noisy copies (N, *) -> scores (N, classes)
VARIANTS = ("document", "authors_code", "sound")


class Base(Protocol):
    """A classifier for noisy copies of one input at a time."""

    network: nn.Module

    def around(self, x: Tensor) -> Classifier:
        """The classifier of noisy copies of x, ``(*)``; what depends on x alone is done here."""


class Plain:
    """A base classifier that is the network itself.

    Reference:
        Cohen et al. 2019 (arXiv:1902.02918).

    Args:
        network: A network that takes inputs from 0 to 1 and returns scores.
    """

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    def around(self, x: Tensor) -> Classifier:
        """The network, whatever x is."""
        return lambda noisy, _: self.network(noisy)


class Repressed:
    """A base classifier that multiplies pre-activations of float neurons by ``1 - eta2``.

    This is SCRFP-2 at prediction. A float neuron has another activation pattern for the noisy copy
    than in a second stream.

    ============ =================================================================================
    document     Algorithm 3: one pass over the noisy copies, already repressed below; the second
                 stream is the input x itself, whose pass is done once and not per copy
    authors_code the author's program: one ordinary pass over the copies finds the float neurons
                 against x, a second one represses them
    sound        the second stream is the copy with fresh noise added: more than twice the work
                 of ``document``, as both streams pass for every copy
    ============ =================================================================================

    The radius of Cohen et al. needs a base classifier that is a function of the noisy input,
    deterministic or random. With ``document`` and ``authors_code`` it depends on the certified
    input too, so **the radius that is computed from their votes is no certificate** (the audit has
    a counter-example to the thesis' Theorem 10). With ``sound`` it is one.

    Reference:
        Jiang 2024, section 6.4.3.2 and Algorithm 3 (PhD thesis, Lancaster).

    Departs from the paper:
        Algorithm 3 leaves out how x_c and x_n start (x and its noisy copy) and the activations
        of z_s, which is z_c. ``sound`` is ours.

    Args:
        network: A network of inputs from 0 to 1 that returns scores; its activations are modules.
        eta2: Share taken from float neurons, from 0 to below 1.
        variant: ``document``, ``authors_code`` or ``sound``.
        where: See :func:`reactivate.smoothing.repression.masked_activations`.
        fresh: Deviation of the fresh noise of ``sound``, in multiples of sigma.

    Raises:
        ValueError: eta2, variant or where is none of these, or the network has activations whose
            patterns are not defined.

    Example:
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> classify = Repressed(network, eta2=0.1).around(torch.tensor([-1.0, 1.0]))
        >>> classify(torch.tensor([[2.0, 2.0]]), lambda: torch.zeros(1, 2))  # the first was off
        tensor([[1.8000, 2.0000]])
    """

    def __init__(
        self,
        network: nn.Module,
        eta2: float,
        variant: str = "document",
        where: str = "all",
        fresh: float = 1.0,
    ) -> None:
        if not 0 <= eta2 < 1:
            raise ValueError(
                f"eta2 is {eta2}; accepted: 0 to below 1, the share taken from float neurons. "
                "Change eta2 of the certification"
            )
        if variant not in VARIANTS:
            raise ValueError(
                f"variant is {variant!r}; accepted: {', '.join(VARIANTS)}. "
                "Change variant of the certification"
            )
        self.network = network
        self.eta2 = eta2
        self.variant = variant
        self.fresh = fresh
        self.masked = masked_activations(network, where)

    def around(self, x: Tensor) -> Classifier:
        """The repressed network, for noisy copies of x."""
        if self.variant == "sound":
            return lambda noisy, draw: self._against(noisy, noisy + self.fresh * draw())
        codes = record_codes(self.network, self.masked, x.unsqueeze(0))
        if self.variant == "authors_code":
            return lambda noisy, _: self._in_two_passes(noisy, codes)
        factors = self._factors(codes, x)
        return lambda noisy, _: self._in_one_pass(noisy, codes, factors)

    def _factors(self, codes: dict[str, Tensor], x: Tensor) -> dict[str, Tensor]:
        """Factors on the outputs of every ReLU; see :func:`shrink`."""
        return {name: shrink(code.to(x.dtype), self.eta2) for name, code in codes.items()}

    def _in_one_pass(
        self, noisy: Tensor, codes: dict[str, Tensor], factors: dict[str, Tensor]
    ) -> Tensor:
        """Scores of a pass in which float neurons are repressed as they are met."""

        def before(name: str, activation: nn.Module, z: Tensor) -> Tensor | None:
            if is_relu(activation):
                return None
            return repress(z, encode(z, breakpoints_of(activation)) != codes[name], self.eta2)

        def after(name: str, activation: nn.Module, y: Tensor) -> Tensor | None:
            # the output belongs to the activation, so what is changed in place is read after it
            return y.mul_(factors[name]) if is_relu(activation) else None

        with changing(self.network, self.masked, before, after):
            scores: Tensor = self.network(noisy)
        return scores

    def _in_two_passes(self, noisy: Tensor, codes: dict[str, Tensor]) -> Tensor:
        """Scores of a second pass, which represses the float neurons of an ordinary first one."""
        there = record_codes(self.network, self.masked, noisy)

        def before(name: str, _: nn.Module, z: Tensor) -> Tensor:
            return repress(z, there[name] != codes[name], self.eta2)

        with changing(self.network, self.masked, before):
            scores: Tensor = self.network(noisy)
        return scores

    def _against(self, noisy: Tensor, reference: Tensor) -> Tensor:
        """Scores of the noisy copies, whose second stream passes beside them unchanged."""

        def before(_: str, activation: nn.Module, z: Tensor) -> Tensor | None:
            if is_relu(activation):
                return None
            code, other = encode(z, breakpoints_of(activation)).chunk(2)
            floating = torch.cat([code != other, torch.zeros_like(other, dtype=torch.bool)])
            return repress(z, floating, self.eta2)

        def after(_: str, activation: nn.Module, y: Tensor) -> Tensor | None:
            if not is_relu(activation):
                return None
            own, other = y.chunk(2)
            own.mul_(shrink(other, self.eta2))
            return y

        with changing(self.network, self.masked, before, after):
            scores: Tensor = self.network(torch.cat([noisy, reference]))
        return scores[: len(noisy)]
