"""Whether a result was made by the code of this tree."""

from collections.abc import Iterator
from typing import Any

from reactivate.papers import modules
from reactivate.provenance import code_digest
from reactivate.runs import Cell

ANALYSE, PLOT = "reactivate.stages.analyse", "reactivate.stages.plot"


def current_code(paper: str, record: dict[str, Any]) -> str:
    """The digest that the code of this tree would leave in a record.

    Args:
        paper: Its document.
        record: The content of a ``run.json``, or of a figure's ``provenance.json``.

    Raises:
        ValueError: The configuration no longer has the cell.
    """
    if "cell" in record:
        return code_digest(*modules(paper, Cell(**record["cell"]), record.get("stage")))
    return code_digest(PLOT if "exhibit" in record else ANALYSE, record["function"])


def outdated_checks(judged: dict[str, Any]) -> Iterator[str]:
    """The statements of a ``claims.json`` that were judged by other code than this tree's."""
    for claim, found in judged["claims"].items():
        if found["code"] != code_digest(found["function"]):
            yield claim
