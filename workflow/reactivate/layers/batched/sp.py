"""Standard parameterization (SP): weight and bias are the parameters."""

from reactivate.layers.batched.affine import Units


class StandardUnits(Units):
    """Hidden units ``activation(w x + b)``.

    Reference:
        Chen & Ge 2024, Eq. 1 (arXiv:2305.15912).
    """
