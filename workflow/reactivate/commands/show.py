"""Print an exhibit of this clone."""

from textwrap import fill

from reactivate.evidence.tables import SOURCE
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.loading import load_exhibit, load_paper
from reactivate.experiment.paths import audit_file, exhibit_file

GAP = "  "  # between columns
MARGIN = 100  # of sentences; a table is as wide as it is


def show(scale: str, name: str) -> None:
    """Prints an exhibit: all readings below the printed numbers, what they are, and the audit."""
    paper, _, exhibit = name.partition("/")
    form = load_exhibit(paper, exhibit)
    path = exhibit_file(scale, paper, exhibit, "md")
    if not path.exists():
        raise ValueError(
            f"{path} does not exist; make it with: snakemake {path.with_suffix('.csv')}"
        )
    table = aligned(path.read_text(encoding="utf-8"))
    print(table)
    for reading in form.protocols if isinstance(form, Trained) else []:
        if f"\n{GAP}{reading} " in table:
            said = load_paper(paper).protocols[reading].says
            print(fill(f"{reading}: {said}", MARGIN, subsequent_indent=GAP))
    page = audit_file(scale, "html")
    print(f"audit: {page.resolve() if page.exists() else f'snakemake {page}'}")


def aligned(markdown: str) -> str:
    """A Markdown table and its caption for a terminal: columns one below the other.

    Under the line of a printed row stand those of the readings; they have one column for both.

    Example:
        >>> table = "T.\\n\\n| net | source | a |\\n| --- | --- | --- |\\n| sp | printed | 1 |\\n"
        >>> print(aligned(table + "|  | document | 10 |\\n"))
        T.
        <BLANKLINE>
        net           a
        sp, printed   1
          document   10
        <BLANKLINE>
    """
    caption = [line for line in markdown.splitlines() if not line.startswith("|")]
    cells = [line[1:-1].split(" | ") for line in markdown.splitlines() if line.startswith("|")]
    head, _, *body = ([cell.strip() for cell in line] for line in cells)
    if head[1:2] == [SOURCE]:
        head = [head[0], *head[2:]]
        body = [
            [f"{row}, {source}" if row else GAP + source, *rest] for row, source, *rest in body
        ]
    lines = [head, *body]
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = [GAP.join([name.ljust(first), *map(str.rjust, rest, others)]) for name, *rest in lines]
    text = "\n".join(fill(line, MARGIN) for line in caption)
    return "\n".join([f"{text.strip()}\n", *table, ""])
