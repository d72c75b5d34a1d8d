"""Pruning by neuron entropy: names of this package by the module that defines them.

Modules of the package itself import from those modules, where the code digest can follow.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "blends": ("BLENDS", "importance"),
    "posterior": ("coded_entropy", "unit_entropy"),
    "targets": ("Target", "find_targets"),
    "masks": ("make_permanent", "mask_lowest", "start_masks"),
    "schedule": ("Plan", "removed"),
    "pruner": ("Pruner",),
    "once": ("Report", "prune"),
    "surgery": ("remove_units",),
    "costs": ("Savings", "savings"),
}


def __getattr__(name: str) -> Any:
    """A name from its module, imported on use: ``from reactivate.pruning import prune``."""
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
