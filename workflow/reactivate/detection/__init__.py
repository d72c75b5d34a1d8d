"""Detection of objects: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

MODULES = {
    "boxes": ("nms", "nms_of_classes"),
    "anchors": ("Anchors",),
    "average_precision": ("METRICS", "average_precisions"),
    "retinanet": ("RetinaNet",),
}

__getattr__ = names_on_use(__name__, MODULES)
