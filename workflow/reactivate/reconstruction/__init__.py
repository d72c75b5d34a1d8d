"""Inputs from CReLU features: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

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

__getattr__ = names_on_use(__name__, MODULES)
