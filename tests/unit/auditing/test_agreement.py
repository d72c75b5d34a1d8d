"""Rank correlation of printed numbers with ours, against scipy and by hand."""

import math
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from reactivate.auditing.agreement import Agreement, agreements, interval, pair_matrices
from reactivate.auditing.cells import COMPUTED
from reactivate.auditing.rows import Row
from reactivate.auditing.writing import AGREED
from reactivate.commands.agreement import agreement
from reactivate.evidence import tables
from reactivate.experiment.loading import load_paper
from reactivate.foundation.files import write_rows
from scipy.stats import binomtest, kendalltau

ROOT = Path(__file__).parents[3]


def tau(concordance, ordered):
    return concordance.sum() / ordered.sum()


@pytest.mark.parametrize("seed", range(5))
def test_one_measure_without_ties_is_kendalls_tau(seed):
    printed, ours = np.random.default_rng(seed).normal(size=(2, 12))
    matrices = pair_matrices(printed[None], ours[None])
    assert tau(*matrices) == pytest.approx(kendalltau(printed, ours).statistic)


def test_measures_are_never_compared_with_each_other():
    """Each line in its own order; between lines the numbers are far apart."""
    printed = np.array([[1.0, 2.0, 3.0], [100.0, 200.0, 300.0]])
    ours = np.array([[3.0, 4.0, 5.0], [30.0, 20.0, 10.0]])
    concordance, ordered = pair_matrices(printed, ours)
    assert ordered.sum() / 2 == 6
    assert tau(concordance, ordered) == 0


def test_equal_printed_numbers_have_no_order_and_equal_ours_count_as_undecided():
    concordance, ordered = pair_matrices(np.array([[1.0, 1.0, 2.0]]), np.array([[5.0, 6.0, 6.0]]))
    assert ordered.sum() / 2 == 2
    assert tau(concordance, ordered) == pytest.approx(0.5)


def test_numbers_that_were_not_run_count_nowhere_and_never_is_the_largest():
    printed = np.array([[1.0, 2.0, np.inf]])
    concordance, ordered = pair_matrices(printed, np.array([[1.0, np.nan, np.inf]]))
    assert ordered.sum() / 2 == 1
    assert tau(concordance, ordered) == 1


def test_the_interval_holds_the_estimate_and_shrinks_with_more_compared():
    def width(compared):
        generator = np.random.default_rng(1)
        printed = generator.normal(size=(1, compared))
        matrices = pair_matrices(printed, printed + generator.normal(size=(1, compared)))
        low, high = interval(*matrices)
        assert low <= tau(*matrices) <= high
        return high - low

    assert width(100) < width(10) / 2


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("compared", "doubt"), [(3, 1.68), (21, 0.34)])
def test_full_agreement_of_few_leaves_doubt(sign, compared, doubt):
    """Clopper and Pearson's bound of ``n`` successes in ``n`` trials is ``0.025^(1 / n)``."""
    numbers = np.arange(float(compared))[None]
    low, high = sorted(sign * end for end in interval(*pair_matrices(numbers, sign * numbers)))
    assert high == 1
    assert low == pytest.approx(2 * 0.025 ** (1 / (compared - 1)) - 1)
    assert 1 - low == pytest.approx(doubt, abs=0.005)


def test_the_interval_is_at_least_as_wide_as_that_of_a_share():
    """Six of fifteen pairs are turned round: as many as two of five comparisons."""
    matrices = pair_matrices(np.arange(6.0)[None], np.array([[3.0, 2.0, 1.0, 0.0, 4.0, 5.0]]))
    assert tau(*matrices) == pytest.approx(0.2)
    exact = binomtest(3, 5).proportion_ci()
    low, high = interval(*matrices)
    assert low <= 2 * exact.low - 1 + 1e-9
    assert high >= 2 * exact.high - 1 - 1e-9


def row_of(line):
    return Row(**{field.name: line.get(field.name, "") for field in fields(Row)})


def test_files_name_what_an_agreement_has_and_all_mean_the_same_by_computed():
    assert [field.name for field in fields(Agreement)] == list(AGREED)
    assert COMPUTED == tables.COMPUTED


def audit_of(paper, exhibit, change):
    table = load_paper(paper).tables[exhibit]
    rows = [
        {
            "claim": f"{paper}/{exhibit}/{row}/{column}",
            "printed": table.printed_at(row, column),
            "ours": repr(change(float(table.printed_at(row, column).split("±")[0]))),
            "protocol": "document",
        }
        for row in table.row_names
        for column in table.column_names
        if not table.printed_at(row, column).endswith("M")
    ]
    return [row_of(line) for line in rows]


@pytest.mark.parametrize(
    "exhibit", ["gmp/table3", "thesis/table3_2", "thesis/table6_1", "thesis/table6_2"]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_table_in_the_printed_order_agrees_and_one_turned_round_does_not(exhibit, sign):
    paper, name = exhibit.split("/")
    found = agreements(audit_of(paper, name, lambda printed: sign * printed))
    assert [(line.exhibit, line.tau) for line in found] == [(name, sign)]


def test_datasets_of_a_table_are_not_compared():
    (found,) = agreements(audit_of("gmp", "table3", lambda printed: printed))
    assert found.compared == 4
    assert found.pairs <= 6 * 6


def test_recomputed_and_missing_numbers_are_no_agreement():
    audit = audit_of("gmp", "table3", lambda printed: printed)
    assert agreements(replace(row, protocol=COMPUTED) for row in audit) == []
    assert agreements(replace(row, ours="") for row in audit) == []
    assert agreements(replace(row, ours=repr(math.nan)) for row in audit) == []


def test_the_command_prints_every_audited_scale(tmp_path, monkeypatch, capsys):
    audit = audit_of("gmp", "table3", lambda printed: printed)
    (tmp_path / "config").symlink_to(ROOT / "config")
    for scale in ("laptop", "paper"):
        folder = tmp_path / "published" / scale
        folder.mkdir(parents=True)
        write_rows(folder / "audit.csv", [vars(row) for row in audit])
    monkeypatch.chdir(tmp_path)
    agreement()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "scale laptop from published/laptop/audit.csv"
    assert [line.split()[2] for line in lines[3:]] == ["laptop", "paper"]
    assert all("+1.00 [-0.42, +1.00]" in line for line in lines[3:])


def test_the_command_without_an_audit_says_how_to_make_one(tmp_path, monkeypatch):
    (tmp_path / "config").symlink_to(ROOT / "config")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"snakemake results/smoke/audit.csv"):
        agreement()
