"""Activation patterns of networks: names of this package by the module that defines them.

Modules of the package itself import from those modules, where the code digest can follow.
"""

from importlib import import_module
from typing import Any

MODULES = {
    "breakpoints": ("ABSTAIN", "BREAKPOINTS", "breakpoints_of", "encode"),
    "preactivations": ("evaluating", "preactivations_of", "visit_batches", "watching"),
    "regions": (
        "Patterns",
        "adjacent_regions",
        "hyperplanes_between",
        "patterns_of",
        "region_numbers",
        "same_region",
        "within",
    ),
    "stability": ("Stability", "stabilities"),
    "similarity": (
        "PairedSimilarity",
        "all_pairs",
        "count_agreements",
        "distribution",
        "expectation",
        "expectation_from_counts",
        "pair_similarity",
        "paired_similarity",
        "set_similarities",
    ),
    "labels": ("ByLabel", "by_label", "mixed_labels", "one_label", "pairs_of_different_labels"),
    "transitions": ("Transitions", "estimate_transitions", "segment_points"),
    "crossings": ("Crossings", "SegmentWalk", "count_transitions"),
    "entropy": (
        "LayerEntropy",
        "PatternCounts",
        "count_patterns",
        "entropy_of",
        "histogram",
        "summarize",
    ),
    "lipschitz": (
        "LayerBound",
        "layer_bounds",
        "local_lipschitz",
        "operator_norm",
        "product_bound",
    ),
    "slopes": ("pooling_slope", "slopes_of"),
    "gates": ("Gates", "float_neurons"),
    "paths": ("fixed_paths", "float_masks", "float_paths", "float_shares", "path_change"),
    "vulnerability": ("Vulnerable", "by_definition", "by_true_class", "vulnerable"),
}


def __getattr__(name: str) -> Any:
    """A name from its module, imported on use: ``from reactivate.patterns import all_pairs``."""
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
