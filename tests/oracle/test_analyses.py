"""Counter-examples and numbers of the checks, by other means: exact fractions, closed forms."""

import pytest
import torch
from reactivate.activations import create
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_are_the_activations_of_the_registry(name):
    x = torch.tensor([-3.0, -0.7, 0.2, 2.5], dtype=torch.float64)
    values = [FORMULAS[name](v) for v in x.tolist()]
    torch.testing.assert_close(create(name)(x), torch.tensor(values, dtype=torch.float64))
