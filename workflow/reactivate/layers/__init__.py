"""Parameterizations of a layer, by the name used in configs and result paths."""

from reactivate.foundation.registry import Registry

PARAMETERIZATIONS = Registry(
    "parameterization",
    {
        "sp": "reactivate.layers.parameterizations:standard",
        "wn": "reactivate.layers.parameterizations:weight_normalized",
        "wn_mbn": "reactivate.layers.parameterizations:weight_and_mean_normalized",
        "bn": "reactivate.layers.parameterizations:batch_normalized",
        "gmp": "reactivate.layers.parameterizations:geometric",
        "gmp_imn": "reactivate.layers.parameterizations:geometric_with_centred_inputs",
    },
    where="workflow/reactivate/layers/__init__.py",
)
