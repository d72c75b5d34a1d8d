"""Weight normalization (WN): length and direction of the weight are separate parameters."""

from torch import Tensor
from torch.nn.utils.parametrizations import weight_norm

from reactivate.layers.batched.affine import Units


class WeightNormUnits(Units):
    """Hidden units ``activation(l (v / |v|) x + b)``, by torch's own parametrization.

    Reference:
        Salimans & Kingma 2016; Chen & Ge 2024, Eq. 3 (arXiv:2305.15912).
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__(weight, bias)
        weight_norm(self, "weight", dim=0)  # one length per row: per unit of each network
