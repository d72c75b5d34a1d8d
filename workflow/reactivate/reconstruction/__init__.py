"""Inputs from CReLU features: names of this package by the module that defines them.

Modules of the package itself import from those modules, where the code digest can follow.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "shifts": ("Shifts",),
    "least_squares": ("Solution", "minimum_norm"),
    "algorithms": (
        "pooled",
        "ratio",
        "reconstruct",
        "reconstruct_pooled",
        "revert",
        "unpooled",
    ),
}


def __getattr__(name: str) -> Any:
    """A name from its module, imported on use."""
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
