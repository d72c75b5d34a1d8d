"""Static PSC's gate with noise that fades while a network trains, whatever trains it."""

import torch
from torch import Generator, Tensor

from reactivate.activations.gate import PhaseGate


class AnnealedGate(PhaseGate):
    r"""A phase gate whose samples approach its likeliest split while it trains.

    In training pass t the delimiter is ``softmax((gain logits + noise / (1 + t / half_life)) /
    temperature)``. It first draws all splits and ends with the likeliest one, so that what is
    trained last is what inference uses: with noise of a fixed size, batch normalisation would
    average over splits that inference never sees. The gradient of one delimiter among many is
    small; the gain lets the logits move at the rate of the weights. Passes are counted in a
    buffer, so a resumed training goes on as if it had not been interrupted.

    Reference:
        PSC supplement, Eq. 19 (CVPR Workshops 2021); the gate is straight-through.

    Departs from the paper:
        "Standard relaxation methods" are cited, none is chosen, and nothing is said of a schedule.

    Args:
        out_channels: Outputs of the gated layer, M.
        temperature: Temperature of the relaxation; lower is closer to one-hot.
        straight_through: See :class:`PhaseGate`.
        generator: Source of the Gumbel noise; torch's default one if None.
        half_life: Training passes after which the noise is half as large.
        gain: Factor on the logits.

    Shape:
        - Input: weight, ``(M, 2N, *)``
        - Output: ``(M, 2N, *)``

    Example:
        >>> gate = AnnealedGate(3)
        >>> for _ in range(50):
        ...     delimiter = gate.delimiter()
        >>> gate.noise
        0.5
    """

    passes: Tensor

    def __init__(
        self,
        out_channels: int,
        temperature: float = 1.0,
        straight_through: bool = True,
        generator: Generator | None = None,
        half_life: float = 50.0,
        gain: float = 10.0,
    ) -> None:
        super().__init__(out_channels, temperature, straight_through, generator)
        self.half_life = half_life
        self.gain = gain
        self.register_buffer("passes", torch.zeros((), dtype=torch.int64))

    @property
    def likelihood(self) -> Tensor:
        """Probability of every split, the softmax of the logits, ``(M + 1)``."""
        return (self.gain * self.logits).softmax(dim=0)

    @property
    def noise(self) -> float:
        """Size of the Gumbel noise in the next pass."""
        return 1 / (1 + float(self.passes) / self.half_life)

    def _noisy_logits(self) -> Tensor:
        """Logits of the next sample, ``(M + 1)``; counts the pass."""
        size = 1 / (1 + self.passes / self.half_life)
        noisy = self.gain * self.logits + size * self._gumbel()
        self.passes += 1
        return noisy
