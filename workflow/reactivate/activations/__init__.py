"""Activations, by the name used in configs and result paths."""

from reactivate.registry import Registry

ACTIVATIONS = Registry(
    "activation",
    {
        "relu": "torch.nn:ReLU",
    },
    where="workflow/reactivate/activations/__init__.py",
)
