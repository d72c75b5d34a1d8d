"""Semantic segmentation: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

MODULES = {
    "allmlp": ("AllMLPSegmenter",),
    "balance": ("balanced_weights",),
    "intersection": ("IGNORED", "confusion", "mean_intersection", "intersections"),
}

__getattr__ = names_on_use(__name__, MODULES)
