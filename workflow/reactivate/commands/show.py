"""Print an exhibit of this clone."""

from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.paths import audit_file, exhibit_file


def show(scale: str, name: str) -> None:
    """Prints the readable table of an exhibit and the path of the audit page."""
    paper, _, exhibit = name.partition("/")
    load_exhibit(paper, exhibit)
    path = exhibit_file(scale, paper, exhibit, "md")
    if not path.exists():
        raise ValueError(
            f"{path} does not exist; make it with: snakemake {path.with_suffix('.csv')}"
        )
    print(path.read_text(encoding="utf-8"))
    page = audit_file(scale, "html")
    print(f"audit: {page.resolve() if page.exists() else f'snakemake {page}'}")
