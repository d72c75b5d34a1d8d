"""GmP's exact statements and printed tables: what is broken is refused, what changes is said."""

import math
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
import torch
from reactivate.documents.gmp import (
    boundary_claims,
    section4_3_claims,
    tables1_to_3_claims,
    theorem3_claims,
)
from reactivate.documents.gmp.characteristic import Boundary
from reactivate.documents.gmp.theorem3 import metric, product_metric
from reactivate.experiment.printed import Printed
from reactivate.layers.batched.bn import BatchNormUnits
from scipy.stats import ttest_ind_from_stats


class Doubled(Boundary):
    """Boundaries whose location is twice as far as it is."""

    @property
    def location(self):
        return 2 * super().location


class Nearer(Boundary):
    """Boundaries whose location is off them, and nearer to the origin."""

    @property
    def location(self):
        return 0.5 * super().location


class Sideways(Boundary):
    """Boundaries whose location is on them, and further from the origin than other points."""

    @property
    def location(self):
        aside = self.direction.roll(1, dims=-1)
        aside = aside - (aside * self.direction).sum(-1, keepdim=True) * self.direction
        return super().location + 5 * aside


def uncentred(units, inputs, whole=boundary_claims.batch_normalized):
    return whole(units, inputs + 1)


def stretched(units, inputs, whole=boundary_claims.batch_normalized):
    affine = whole(units, inputs)
    return affine._replace(weight=2 * affine.weight)


BROKEN = {
    "bn_is_a_parameterization": (boundary_claims, "batch_normalized", uncentred, 20),
    "bn_is_a_parameterization stretched": (boundary_claims, "batch_normalized", stretched, 20),
    "location_is_nearest": (boundary_claims, "Boundary", Nearer, 2000),
    "location_is_nearest sideways": (boundary_claims, "Boundary", Sideways, 2000),
    "location_determines_boundary": (boundary_claims, "Boundary", Doubled, 2000),
    "sp_turns_by_any_angle": (boundary_claims, "angle_between", lambda a, b: 0 * a[..., 0], 181),
    "wn_turns_as_sp": (boundary_claims, "_unit", torch.tanh, 500),
    "degrees_of_freedom": (boundary_claims, "GeometricUnits", BatchNormUnits, 4),
    "theorem3_bound": (
        theorem3_claims,
        "turned_by",
        lambda theta, epsilon: 1.01 * epsilon.norm(dim=-1),
        20000,
    ),
    "theorem3_first_order": (theorem3_claims, "product_metric", torch.ones_like, 100),
    "gaussian_direction": (section4_3_claims.torch, "randn", torch.rand, 20000),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_statement_is_confirmed_and_refused_when_it_is_broken(name, monkeypatch):
    module, part, other, cases = BROKEN[name]
    home = section4_3_claims if module is torch else module
    check = getattr(home, name.split()[0])
    assert str(check().verdict) == f"confirmed(sampled({cases}))"
    assert check().cases == cases
    monkeypatch.setattr(module, part, other)
    assert str(check().verdict) == "refuted"


def test_the_equality_of_theorem3_is_refused_where_its_gap_does_not_vanish(monkeypatch):
    monkeypatch.setattr(theorem3_claims, "turned_by", lambda theta, eps: 1.1 * eps.norm())
    assert str(theorem3_claims.theorem3_first_order().verdict) == "refuted"


def test_a_boundary_through_the_origin_is_found_by_its_angle(monkeypatch):
    monkeypatch.setattr(boundary_claims, "angles", lambda weight: torch.zeros_like(weight[:, 1:]))
    assert str(boundary_claims.location_determines_boundary().verdict) == "refuted"


def test_the_metric_equals_finite_differences_and_the_product_of_squared_sines():
    theta = torch.tensor([0.4, 1.1, 2.0, 5.0], dtype=torch.float64)

    def coordinates(t):
        values = [math.prod(math.sin(a) for a in t[:i]) for i in range(len(t) + 1)]
        return np.array([v * (math.cos(t[i]) if i < len(t) else 1) for i, v in enumerate(values)])

    steps = 1e-6 * np.eye(4)
    columns = [(coordinates(theta.numpy() + h) - coordinates(theta.numpy() - h)) for h in steps]
    jacobian = np.stack(columns, axis=1) / 2e-6
    np.testing.assert_allclose(metric(theta).numpy(), jacobian.T @ jacobian, atol=1e-9)
    sines = [math.prod(math.sin(t) ** 2 for t in theta.tolist()[:i]) for i in range(4)]
    assert product_metric(theta).tolist() == pytest.approx(sines)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_mean_squares_of_uniform_angles_by_a_full_grid(n):
    grid = (np.arange(16) + 0.5) * math.pi / 16  # exact for squares of sine and cosine
    angles = np.array(list(product(grid, repeat=n - 1)))
    first, last = section4_3_claims.mean_squares_of_uniform_angles(n)
    assert np.mean(np.cos(angles[:, 0]) ** 2) == pytest.approx(float(first))
    assert np.mean(np.prod(np.sin(angles) ** 2, axis=1)) == pytest.approx(float(last))


def test_uniform_angles_are_told_beside_a_uniform_direction(monkeypatch):
    assert "E u_1^2 = 1/2 and E u_n^2 = 1.6e-30" in section4_3_claims.uniform_angles()
    monkeypatch.setattr(section4_3_claims, "FAN_IN", 3)
    found = section4_3_claims.uniform_angles()
    assert f"E u_1^2 = {Fraction(1, 2)} and E u_n^2 = 2.5e-01; a uniform" in found
    assert found.endswith("1/3 for each")


@pytest.mark.parametrize(("runs", "scale"), [(None, 10**0.5), (10, 1.0)])
def test_means_are_apart_by_the_statistic_of_the_t_test(runs, scale):
    pair = Printed(3.4, 0.15, 0.05), Printed(3.1, 0.12, 0.05)
    expected = ttest_ind_from_stats(3.4, 0.15 * scale, 10, 3.1, 0.12 * scale, 10, equal_var=False)
    assert tables1_to_3_claims.apart(pair, runs) == pytest.approx(expected.statistic)


def places(table, column, **texts):
    return {("gmp", table, row, column): text for row, text in texts.items()}


one, two, three = (partial(places, f"table{n}") for n in (1, 2, 3))
TABLES = {
    "best_in_table1": ("2 of 2 columns of Table 1, by at least 11.7", {}),
    "best_in_table1 beaten": ("1 of 2 columns", one("top5", bn="92.69±0.05")),
    "best_in_table1 near": ("by at least 2.1 standard", one("top5", bn="92.11±0.25")),
    "best_in_table2": ("6 of 6 columns of Table 2", {}),
    "best_in_table2 beaten": ("5 of 6 columns", two("top5_512", bn="67.77±0.25")),
    "best_in_table3": ("6 of 6 columns of Table 3", {}),
    "best_in_table3 beaten": ("5 of 6 columns", three("yacht", wn="0.583±0.076")),
    "significant_in_table3": ("in 5 of 18 cases if ± is a standard error, in 17 if", {}),
    "significant_in_table3 less": ("in 4 of 18", three("concrete", wn="5.953±9.0")),
    "improvement_in_table2": ("top1 2.50, 3.74, 4.06; top5", {}),
    "improvement_in_table2 count": ("6 of 10 leads grow", {}),
    "improvement_in_table2 less": ("5 of 10 leads grow", two("top1_1024", sp="38.00±0.03")),
    "imn_in_table2": ("7.9 to 24.2 standard errors above GmP in 6", {}),
    "imn_in_table2 near": ("0.6 to 24.2", two("top1_1024", gmp="42.60±0.08")),
    "wide_resnet_in_table2": ("at batches of 512 43.62, at batches of 1024 42.70", {}),
    "wide_resnet_in_table2 less": ("512 43.00", two("top1_512", gmp_imn="43.00±0.08")),
}


@pytest.mark.parametrize("name", TABLES)
def test_own_tables_are_told_in_a_sentence_with_their_numbers(name, change):
    expected, changes = TABLES[name]
    change(tables1_to_3_claims, changes)
    told = getattr(tables1_to_3_claims, name.split()[0])()
    assert expected in told
    assert "\n" not in told
