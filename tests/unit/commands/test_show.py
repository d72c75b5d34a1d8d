"""A table is shown as this clone has it, else as it was published, in the width there is."""

import shutil

import pytest
from reactivate.commands import show as command
from reactivate.commands.publish import publish
from reactivate.commands.show import aligned, show

TABLE = "T.\n\n| net | a | bb | c |\n| --- | --- | --- | --- |\n| sp | 1 | 22 | 333 |\n"


def test_what_this_clone_has_not_made_is_shown_as_published_and_said_so(finished, capsys):
    publish("smoke")
    show("smoke", "gmp/table3")
    own = capsys.readouterr().out.split("\n\n", 1)[1]
    shutil.rmtree("results")
    show("smoke", "gmp/table3")
    said, table = capsys.readouterr().out.split("\n\n", 1)
    assert " ".join(said.split()) == (
        "from published/smoke/gmp/table3.md: published, not of this clone; "
        "to make it here: snakemake results/smoke/gmp/table3.csv"
    )
    numbers = [line for line in own.splitlines() if line.count("±") == 2]
    assert len(numbers) == 4
    assert [line for line in table.splitlines() if line.count("±") == 2] == numbers
    assert table.splitlines()[-1] == f"audit: {finished / 'published/smoke/audit.html'}"


def test_own_results_come_before_published_ones(finished, capsys):
    publish("smoke")
    capsys.readouterr()
    show("smoke", "gmp/table3")
    output = capsys.readouterr().out
    assert "published, not of this clone" not in output
    assert output.splitlines()[-1] == f"audit: {finished / 'results/smoke/audit.html'}"


@pytest.mark.parametrize(
    ("width", "heads"),
    [(None, ["net  a  bb    c"]), (15, ["net  a  bb    c"]), (14, ["net  a  bb", "net    c"])],
)
def test_columns_that_do_not_fit_go_below(width, heads):
    lines = aligned(TABLE, width).splitlines()
    assert [line for line in lines if line.startswith("net")] == heads
    assert all(len(line) <= (width or 99) for line in lines)


@pytest.mark.parametrize(("person", "tables"), [(True, 2), (False, 1)])
def test_a_table_is_cut_for_people_only(finished, capsys, monkeypatch, person, tables):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(command, "at_terminal", lambda: person)
    show("smoke", "gmp/table3")
    heads = [line for line in capsys.readouterr().out.splitlines() if "SP, printed" in line]
    assert len(heads) == tables
