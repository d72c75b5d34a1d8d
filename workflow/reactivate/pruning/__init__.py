"""Pruning by neuron entropy: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

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

__getattr__ = names_on_use(__name__, MODULES)
