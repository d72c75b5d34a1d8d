"""A clone sets its own numbers beside the published ones and says which agree."""

import json
import shutil
from pathlib import Path

import pytest
from reactivate.commands.compare import agreement, compare
from reactivate.commands.publish import publish

PROVENANCE = "smoke/gmp/table3.provenance.json"


def change(name, **values):
    """Rewrites the values of some cells of a published table."""
    path = Path("published") / PROVENANCE
    evidence = json.loads(path.read_text(encoding="utf-8"))
    for cell in evidence["cells"]:
        if f"{cell['row']}_{cell['column']}" == name:
            cell["values"] = values["to"](cell["values"])
    path.write_text(json.dumps(evidence), encoding="utf-8")


def test_a_clone_that_computed_the_same_is_identical_everywhere(finished, capsys):
    publish("smoke")
    compare("smoke")
    output = capsys.readouterr().out
    assert output.count(" identical\n") == 4 + 1
    assert "4 identical" in output
    assert "gmp/boston document" in output


def test_cells_that_agree_and_cells_that_differ_are_told_apart(finished, capsys):
    publish("smoke")
    change("gmp_boston", to=lambda values: [value + 100 for value in values])
    change("sp_yacht", to=lambda values: [value + 1e-4 for value in values])
    compare("smoke")
    output = capsys.readouterr().out
    (apart,) = [line for line in output.splitlines() if line.endswith(" apart")][:1]
    assert apart.startswith("gmp/boston document")
    assert output.splitlines()[-1] == "1 agrees, 1 apart, 2 identical"


@pytest.mark.parametrize(
    ("added", "last"), [(0, ["gmp/table3: 4 identical"]), (100, ["1 apart, 3 identical"])]
)
def test_at_a_terminal_only_cells_that_differ_are_shown(
    finished, monkeypatch, capsys, added, last
):
    publish("smoke")
    change("gmp_boston", to=lambda values: [value + added for value in values])
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    capsys.readouterr()
    compare("smoke")
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1:] == last
    assert not any(line.endswith("  identical") for line in lines)
    assert any(line.endswith("  apart") for line in lines) == bool(added)


def test_a_cell_on_one_side_only_is_said_so(finished, capsys):
    publish("smoke")
    path = Path("published") / PROVENANCE
    evidence = json.loads(path.read_text(encoding="utf-8"))
    evidence["cells"] = evidence["cells"][1:]
    path.write_text(json.dumps(evidence), encoding="utf-8")
    compare("smoke")
    assert "1 only_one_side" in capsys.readouterr().out


def test_claims_with_another_verdict_are_told_first(finished, capsys, edit):
    publish("smoke")
    audit = Path("published/smoke/audit.csv")
    lines = audit.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("gmp/claims/optimal_lr,")]
    text = "\n".join([*kept, ""])
    first, rest = text.split("gmp/table3/gmp/boston,")
    there = rest.replace("not_comparable(scale)", "differs", 1)
    audit.write_text(f"{first}gmp/table3/gmp/boston,{there}", encoding="utf-8")
    capsys.readouterr()
    compare("smoke")
    assert capsys.readouterr().out.splitlines()[:4] == [
        "gmp/claims/optimal_lr: here not_run(compute), published -",
        "gmp/table3/gmp/boston: here not_comparable(scale), published differs",
        "27 of 29 claims have the published verdict",
        "gmp/table3",
    ]


def test_without_a_publication_there_is_nothing_to_compare(finished):
    with pytest.raises(ValueError, match="nothing to compare at scale smoke") as error:
        compare("smoke")
    assert "results/smoke" in str(error.value)
    assert "published/smoke" in str(error.value)


@pytest.mark.parametrize(
    ("here", "there", "word"),
    [
        ([1.0, 2.0], [1.0, 2.0 + 1e-7], "identical"),
        ([1.0, 2.0], [1.0, 2.0 + 1e-4], "agrees"),
        ([1.0, 2.0], [1.0, 2.0, 1.5], "agrees"),
        ([1.0, 1.1, 1.05], [2.0, 2.1, 2.05], "apart"),
        ([1.0], [1.5], "apart"),
    ],
)
def test_agreement_is_by_seed_then_by_the_interval_of_the_means(here, there, word):
    assert agreement(here, there) == word


def test_a_clone_without_results_is_told_what_was_published_beside_what_is_printed(
    finished, capsys
):
    publish("smoke")
    shutil.rmtree("results")
    capsys.readouterr()
    compare("smoke")
    said, audit, _, head, *lines = capsys.readouterr().out.splitlines()
    assert said == "this clone has no results at scale smoke; published ones from"
    assert audit.startswith("published/smoke/audit.csv ")
    assert head.split() == ["claim", "printed", "published", "verdict"]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert rows["gmp/table3/gmp/boston"][0] == "3.057±0.144"
    assert rows["gmp/table3/gmp/boston"][2] == "not_comparable(scale)"
    compare("smoke", as_json=True)
    told = json.loads(capsys.readouterr().out)
    (boston,) = [row for row in told["printed"] if row["claim"] == "gmp/table3/gmp/boston"]
    assert f"{float(boston['published']):.4g}" == rows["gmp/table3/gmp/boston"][1]


def test_at_a_terminal_published_numbers_stand_under_their_tables(finished, monkeypatch, capsys):
    publish("smoke")
    shutil.rmtree("results")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    capsys.readouterr()
    compare("smoke")
    lines = capsys.readouterr().out.splitlines()
    table = lines.index("gmp/table3")
    assert lines[table + 1].split() == ["row,", "column", "printed", "published", "verdict"]
    assert any(line.startswith("  gmp/boston") and "3.057±0.144" in line for line in lines)
    assert max(map(len, lines)) <= 80
