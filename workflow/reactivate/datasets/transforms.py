"""Torchvision's second set of transforms, which an import of torchvision leaves out."""

from importlib import import_module

from reactivate.models.vision import torchvision

v2 = import_module(f"{torchvision.__name__}.transforms.v2")
