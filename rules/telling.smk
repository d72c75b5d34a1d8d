# What people are told: mistakes in words, and exhibits in the report of Snakemake.
import sys
from contextlib import contextmanager


@contextmanager
def plainly():
    """Tells a mistake of the user's in its own words; with ``--verbose`` Python's traceback too."""
    try:
        yield
    except ValueError as error:
        if "--verbose" in sys.argv:
            raise
        sys.exit(f"error: {error}")


def told_of(kind):
    """How the report of Snakemake shows an exhibit: its caption, its place, its name."""
    return {
        "caption": f"captions/{kind}.rst",
        "category": "{paper}",
        "subcategory": f"{kind}s",
        "labels": {"exhibit": "{exhibit}", "scale": "{scale}"},
    }
