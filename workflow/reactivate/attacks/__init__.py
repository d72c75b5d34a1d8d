"""Attacks, by the name used in configs; each takes a classifier of images from 0 to 1."""

from reactivate.foundation.registry import Registry

ATTACKS = Registry(
    "attack",
    {
        "fgsm": "reactivate.attacks.fgsm:fgsm",
        "pgd": "reactivate.attacks.pgd:pgd",
    },
    where="workflow/reactivate/attacks/__init__.py",
)
