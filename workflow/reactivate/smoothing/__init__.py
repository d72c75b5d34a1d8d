"""Randomised smoothing: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

MODULES = {
    "bounds": ("DIGITS", "certified_radius", "largest_radius", "lower_bound"),
    "sampling": ("ABSTAIN", "Sampling", "count_votes", "show_counts"),
    "bases": ("Base", "Plain", "Repressed"),
    "certify": ("Certificate", "certify_image"),
    "predict": ("Prediction", "predict_image", "top_class"),
    "curves": ("average_radius", "certified_accuracy"),
    "anytime": ("Decisions", "Plan", "certify_anytime"),
    "fold": ("folded", "streamlined"),
}

__getattr__ = names_on_use(__name__, MODULES)
