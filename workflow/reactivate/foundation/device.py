"""Random streams on the device that computes, and tensors sent to it without waiting."""

from typing import TYPE_CHECKING

from reactivate.foundation.seeding import generator

if TYPE_CHECKING:  # whoever only builds the DAG must not import torch
    import torch


def generator_on(device: "torch.device", *key: object) -> "torch.Generator":
    """Random stream for one purpose, drawn where the numbers are needed.

    Its seed is that of :func:`reactivate.foundation.seeding.generator` for the same key, and on a
    CPU so are its numbers. Other kinds of devices make other numbers from the same seed.

    Example:
        >>> import torch
        >>> here = generator_on(torch.device("cpu"), "boston", 0, "noise")
        >>> torch.equal(here.get_state(), generator("boston", 0, "noise").get_state())
        True
    """
    import torch

    return torch.Generator(device).manual_seed(generator(*key).initial_seed())


def continued(random: "torch.Generator", device: "torch.device") -> "torch.Generator":
    """A random stream on a device that goes on from another: itself, if it is there already.

    Example:
        >>> import torch
        >>> random = torch.Generator().manual_seed(0)
        >>> continued(random, torch.device("cpu")) is random
        True
    """
    import torch

    if random.device.type == device.type:
        return random
    seed = torch.randint(2**62, (), generator=random, device=random.device)
    return torch.Generator(device).manual_seed(int(seed))


def sent(tensor: "torch.Tensor", device: "torch.device") -> "torch.Tensor":
    """A tensor on a device; this process does not wait until it has arrived.

    Only memory that is pinned can be read by a GPU while the process goes on.

    Example:
        >>> import torch
        >>> sent(torch.ones(2), torch.device("cpu"))
        tensor([1., 1.])
    """
    if device.type == "cuda" and tensor.device.type == "cpu":
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)
