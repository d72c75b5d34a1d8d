"""Parameterizations of a hidden layer for many networks at once, by the name used in configs."""

from reactivate.foundation.registry import Registry

BATCHED = Registry(
    "parameterization",
    {
        "sp": "reactivate.layers.batched.sp:StandardUnits",
        "wn": "reactivate.layers.batched.wn:WeightNormUnits",
        "bn": "reactivate.layers.batched.bn:BatchNormUnits",
        "gmp": "reactivate.layers.batched.gmp:GeometricUnits",
    },
    where="workflow/reactivate/layers/batched/__init__.py",
)
