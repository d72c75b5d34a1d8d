"""Names of rows and columns in tables of certified accuracy: methods, noise levels and radii."""

from reactivate.documents.shared.printed import (
    Numbers,
    Table,
)

REPRESSIONS = ("001", "005", "010")  # eta 2 in the names of rows
BENCHMARKS = ("smooth", "smoothadv", "smoothmix")


def sigma_of(row: str) -> float:
    """The noise level that a row is named after.

    Example:
        >>> sigma_of("smooth_0125"), sigma_of("smoothadv_001_100")
        (0.125, 1.0)
    """
    digits = row.rpartition("_")[2]
    return int(digits) / 10.0 ** (len(digits) - 1)


def radius_of(column: str) -> float:
    """The radius that a column is named after.

    Example:
        >>> radius_of("clean"), radius_of("r175")
        (0.0, 1.75)
    """
    return 0.0 if column == "clean" else int(column[1:]) / 100


def by_radius(row: Numbers) -> Numbers:
    """The numbers of a row from the smallest radius to the largest."""
    return {column: row[column] for column in sorted(row, key=radius_of)}


def highest(table: Table) -> Table:
    """The highest of the noise levels, by method and radius.

    Example:
        >>> highest({"smooth_025": {"clean": 80.0}, "smooth_050": {"clean": 70.0, "r150": 7.0}})
        {'smooth': {'clean': 80.0, 'r150': 7.0}}
    """
    methods: Table = {}
    for name, row in table.items():
        best = methods.setdefault(name.rpartition("_")[0], {})
        for column, number in row.items():
            best[column] = max(number, best.get(column, number))
    return methods


def benchmark_of(row: str) -> str:
    """The row without repression that a row is compared with.

    Example:
        >>> benchmark_of("smooth_001_025"), benchmark_of("smoothadv_010")
        ('smooth_025', 'smoothadv')
    """
    return "_".join(part for part in row.split("_") if part not in REPRESSIONS)
