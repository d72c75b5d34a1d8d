"""Torch's own random stream, for what takes no generator: initial weights and dropout."""

import torch

from reactivate.foundation.seeding import generator


def seed_torch(*key: object) -> None:
    """Starts the stream that :func:`reactivate.foundation.seeding.generator` has for a purpose."""
    torch.manual_seed(generator(*key).initial_seed())
