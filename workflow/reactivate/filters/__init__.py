"""Filters of convolutions: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

MODULES = {
    "invariance": ("Firing", "firing", "firing_thresholds", "fires", "strength"),
    "rademacher": ("complexity", "crelu_complexity", "sign_vectors"),
    "projections": ("drawn_shares", "expected_share"),
    "alignment": ("chance_of_distance", "distances"),
    "pairing": ("Pairs", "pair_filters", "random_filters", "unit_filters"),
}

__getattr__ = names_on_use(__name__, MODULES)
