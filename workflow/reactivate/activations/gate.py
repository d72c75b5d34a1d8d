"""Static PSC's gate: learn how many outputs of a layer read the positive phase, then prune."""

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize

from reactivate.activations.split import Branch, SplitLayer, branch, require_phases


class PhaseGate(nn.Module):
    r"""Turns a weight ``[W+, W-]`` into ``[(1 - g_i) W+_i, g_i W-_i]`` for every output i.

    ``g_i = sum_{j <= i} s_j`` with ``s`` a one-hot delimiter of M + 1 entries: the outputs before
    its one read the positive phase, the others the negative. While training, ``s`` is a relaxed
    sample, ``softmax((logits + Gumbel noise) / temperature)``; afterwards it is the likeliest
    delimiter, without noise. All logits start at 0, every split equally likely; of equally likely
    ones the first, all negative, counts as the likeliest.

    Reference:
        PSC supplement, Eq. 19 and footnote 7 (CVPR Workshops 2021).

    Departs from the paper:
        The gate sum is printed with ``j < i``, which cannot reach "all negative" and reaches "all
        positive" twice. The supplement leaves the relaxation open ("standard relaxation
        methods"); the default is Gumbel-softmax, straight-through.

    Args:
        out_channels: Outputs of the gated layer, M.
        temperature: Temperature of the relaxation; lower is closer to one-hot. May be changed
            during training.
        straight_through: Use the sampled one-hot forward and the relaxed sample backward; if
            False, the relaxed sample both ways.
        generator: Source of the Gumbel noise; torch's default one if None.

    Shape:
        - Input: weight, ``(M, 2N, *)``
        - Output: ``(M, 2N, *)``

    Example:
        >>> gate = PhaseGate(3).eval()
        >>> with torch.no_grad():
        ...     gate.logits[2] = 1.0  # two outputs before the delimiter
        >>> gate(torch.ones(3, 2))
        tensor([[1., 0.],
                [1., 0.],
                [0., 1.]])
    """

    def __init__(
        self,
        out_channels: int,
        temperature: float = 1.0,
        straight_through: bool = True,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(out_channels + 1))
        self.temperature = temperature
        self.straight_through = straight_through
        self.generator = generator

    @classmethod
    def attach(
        cls,
        layer: Branch,
        temperature: float = 1.0,
        straight_through: bool = True,
        generator: Generator | None = None,
    ) -> Branch:
        """Gates the weight of a Conv2d or Linear that reads both phases; returns the layer."""
        require_phases(layer)
        gate = cls(len(layer.weight), temperature, straight_through, generator).to(layer.weight)
        parametrize.register_parametrization(layer, "weight", gate)
        return layer

    def forward(self, weight: Tensor) -> Tensor:
        negative = gates(self.delimiter())
        pair = torch.stack([1 - negative, negative], dim=1)
        return (weight.reshape(*pair.shape, -1) * pair.unsqueeze(2)).view(weight.shape)

    def delimiter(self) -> Tensor:
        """The delimiter s, ``(M + 1)``: a relaxed sample while training, else one-hot."""
        if not self.training:
            return self._one_hot(self.logits)
        relaxed = (self._noisy_logits() / self.temperature).softmax(dim=0)
        if not self.straight_through:
            return relaxed
        return self._one_hot(relaxed) + (relaxed - relaxed.detach())

    def _noisy_logits(self) -> Tensor:
        """Logits of the next sample, ``(M + 1)``."""
        return self.logits + self._gumbel()

    def _gumbel(self) -> Tensor:
        """Gumbel noise, ``(M + 1)``."""
        exponential = torch.empty_like(self.logits).exponential_(generator=self.generator)
        return -exponential.clamp(min=torch.finfo(exponential.dtype).tiny).log()

    @property
    def positives(self) -> int:
        """Outputs that read the positive phase once training is over."""
        return int(self.logits.argmax())

    @property
    def rho(self) -> float:
        """Share of outputs that read the positive phase once training is over."""
        return self.positives / (len(self.logits) - 1)

    @staticmethod
    def _one_hot(scores: Tensor) -> Tensor:
        """The vector with 1 at the highest score and 0 elsewhere."""
        return functional.one_hot(scores.argmax(), len(scores)).to(scores.dtype)

    def extra_repr(self) -> str:
        return f"{len(self.logits) - 1}, temperature={self.temperature}"


def gates(delimiter: Tensor) -> Tensor:
    """Gates ``g_i = sum_{j <= i} s_j`` of the M outputs, ``(M)``, from ``s``, ``(M + 1)``.

    Example:
        >>> gates(torch.tensor([0.0, 1.0, 0.0, 0.0]))
        tensor([0., 1., 1.])
    """
    return delimiter[:-1].cumsum(dim=0)


def collapse(layer: Branch) -> SplitLayer:
    """The gated layer without its closed half: same outputs as in eval mode, plain parameters.

    It has as many parameters as an ungated layer with N inputs and M outputs, and reads the same
    ``(N, 2N, *)`` phases, so it takes the layer's place.

    Args:
        layer: A Conv2d or Linear with a :class:`PhaseGate` on its weight.

    Raises:
        ValueError: The weight has no such gate.

    Example:
        >>> layer = PhaseGate.attach(nn.Linear(4, 3, bias=False))
        >>> sum(weight.numel() for weight in collapse(layer).parameters()), 2 * 3
        (6, 6)
    """
    gate = gate_of(layer)
    training = layer.training
    weight = layer.eval().weight.detach()
    layer.train(training)
    bias = None if layer.bias is None else layer.bias.detach()
    count, half = gate.positives, weight.shape[1] // 2
    return SplitLayer(
        positive=branch(layer, weight[:count, :half], None if bias is None else bias[:count]),
        negative=branch(layer, weight[count:, half:], None if bias is None else bias[count:]),
    )


def gate_of(layer: nn.Module) -> PhaseGate:
    """The gate on a layer's weight."""
    if parametrize.is_parametrized(layer, "weight"):
        for step in layer.parametrizations["weight"]:  # type: ignore[index]
            if isinstance(step, PhaseGate):
                return step
    raise ValueError(
        f"{layer} has no PhaseGate on its weight; accepted: layers that went through "
        "PhaseGate.attach. Attach it where the network is built"
    )
