"""Ways to train a network against changes of its input, by the name used in configs."""

from reactivate.foundation.registry import Registry

DEFENCES = Registry(
    "defence",
    {
        "std": "reactivate.defences.standard:Standard",
        "noise": "reactivate.defences.noise:Noise",
        "fgsm": "reactivate.defences.adversarial:Fgsm",
        "pgd": "reactivate.defences.adversarial:Pgd",
        "smoothadv": "reactivate.defences.smoothadv:SmoothAdv",
        "smoothmix": "reactivate.defences.smoothmix:SmoothMix",
        "consistency": "reactivate.defences.consistency:Consistency",
        "scrfp2": "reactivate.defences.scrfp2:Scrfp2",
    },
    where="workflow/reactivate/defences/__init__.py",
)
