"""Randomised smoothing: names of this package by the module that defines them.

Modules of the package itself import from those modules, where the code digest can follow.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "bounds": ("DIGITS", "certified_radius", "largest_radius", "lower_bound"),
    "sampling": ("ABSTAIN", "Sampling", "count_votes", "show_counts"),
    "bases": ("Base", "Plain", "Repressed"),
    "certify": ("Certificate", "certify_image"),
    "predict": ("Prediction", "predict_image", "top_class"),
    "curves": ("average_radius", "best_over_sigma", "certified_accuracy"),
    "anytime": ("AnytimeCertificate", "certify_anytime", "lasting_bounds"),
    "fold": ("folded", "streamlined"),
}


def __getattr__(name: str) -> Any:
    """A name from its module, imported on use: ``from reactivate.smoothing import Plain``."""
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
