"""Our numbers by their places in a table, and the protocols of those that no run measured."""

from collections.abc import Iterable, Mapping

from reactivate.evidence.provenance import ShownCell

# as ``evidence.tables`` has it, which loads pandas: for that who judges or joins need not wait
COMPUTED = "computed"  # of numbers that follow from definitions
QUOTED = "quoted"  # of numbers that other papers measured
READ = "read"  # of claims that need nothing but the document

Placed = Mapping[tuple[str, str], list[ShownCell]]


def by_place(cells: Iterable[ShownCell]) -> Placed:
    """The numbers of a table by row and column, under all protocols, in the order they have.

    A table has as many claims as places, so none of them may look for its own among all numbers.
    """
    placed: dict[tuple[str, str], list[ShownCell]] = {}
    for cell in cells:
        placed.setdefault((cell.row, cell.column), []).append(cell)
    return placed
