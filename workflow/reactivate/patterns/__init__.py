"""Patterns of activations: the names of this package, each imported from its module on use.

Modules of the project import from those modules, where the code digest can follow.
"""

from reactivate.foundation.registry import names_on_use

MODULES = {
    "breakpoints": ("ABSTAIN", "breakpoints_of", "encode", "is_piecewise_linear"),
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
        "all_pairs",
        "count_agreements",
        "distribution",
        "expectation",
        "expectation_from_counts",
        "pair_similarity",
        "set_similarities",
    ),
    "labels": ("mixed_labels", "one_label", "pairs_of_different_labels"),
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

__getattr__ = names_on_use(__name__, MODULES)
