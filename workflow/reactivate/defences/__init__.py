"""Ways to train a network against changes of its input, by the name used in configs."""

from reactivate.foundation.registry import Registry

DEFENCES = Registry(
    "defence",
    {
        "std": "reactivate.defences.standard:StandardTraining",
        "noise": "reactivate.defences.noise:NoiseTraining",
        "fgsm": "reactivate.defences.adversarial:FgsmTraining",
        "pgd": "reactivate.defences.adversarial:PgdTraining",
        "smoothadv": "reactivate.defences.smoothadv:SmoothAdvTraining",
        "smoothmix": "reactivate.defences.smoothmix:SmoothMixTraining",
        "consistency": "reactivate.defences.consistency:ConsistencyTraining",
        "scrfp2": "reactivate.defences.scrfp2:Scrfp2Training",
    },
    where="workflow/reactivate/defences/__init__.py",
)
