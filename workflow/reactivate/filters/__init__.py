"""Filters of convolutions: names of this package by the module that defines them.

Modules of the package itself import from those modules, where the code digest can follow.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "invariance": ("Firing", "firing", "firing_thresholds", "fires", "strength"),
    "rademacher": ("complexity", "crelu_complexity", "sign_vectors"),
    "projections": ("drawn_shares", "expected_share"),
    "alignment": ("chance_of_distance", "distances"),
    "learned": ("filters_of", "load_filters"),
    "pairing": ("Pairs", "pair_filters", "random_filters", "unit_filters"),
}


def __getattr__(name: str) -> Any:
    """A name from its module, imported on use: ``from reactivate.filters import pair_filters``."""
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
