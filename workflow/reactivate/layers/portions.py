"""Portions of a batch: random numbers are drawn for the whole of it, and the portion's kept."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Generator, Tensor, nn

from reactivate.foundation.device import continued


@dataclass(frozen=True)
class Portion:
    """The images of a batch that are computed at once: ``count`` of ``total``, from ``first`` on.

    Example:
        >>> Portion.whole(4).divided(3)
        [Portion(first=0, count=2, total=4), Portion(first=2, count=1, total=4), \
Portion(first=3, count=1, total=4)]
    """

    first: int
    count: int
    total: int

    @classmethod
    def whole(cls, total: int) -> "Portion":
        """All images of a batch."""
        return cls(0, total, total)

    def divided(self, parts: int) -> list["Portion"]:
        """The portion in parts as equal as possible, in the sizes of ``Tensor.tensor_split``."""
        size, rest = divmod(self.count, parts)
        counts = [size + (part < rest) for part in range(parts)]
        firsts = [self.first + sum(counts[:part]) for part in range(parts)]
        return [
            Portion(first, count, self.total) for first, count in zip(firsts, counts, strict=True)
        ]


class PortionGenerator(Generator):
    """A random stream of a whole batch, of which :func:`draw` keeps what a portion gets.

    All who compute a portion of the batch have the same stream, and together draw what one alone
    would draw. A stream of many batches is told the portion of each before it is drawn for.
    """

    portion: Portion


def portion_generator(random: Generator, portion: Portion | None) -> Generator:
    """The stream as it is for a whole batch; one that keeps to a portion for less.

    Args:
        random: A stream from which nothing was drawn yet.
        portion: The images that numbers are drawn for; None for a whole batch.
    """
    if portion is None or portion.count == portion.total:
        return random
    shared = PortionGenerator(random.device)
    shared.manual_seed(random.initial_seed())
    shared.portion = portion
    return shared


def continued_for_images(random: Generator, device: torch.device) -> Generator:
    """A stream on a device that goes on from another, for the same portion."""
    there = continued(random, device)
    if there is random or not isinstance(random, PortionGenerator):
        return there
    return portion_generator(there, random.portion)


def draw(
    kind: Literal["rand", "randn"],
    shape: tuple[int, ...],
    random: Generator,
    dtype: torch.dtype | None = None,
    images: int = 0,
) -> Tensor:
    """Uniform or normal random numbers for images, on the device of the stream.

    Args:
        kind: Torch's name of the distribution.
        shape: Shape of the result.
        random: The stream; one of a portion draws for its whole batch.
        dtype: Type of the numbers.
        images: Dimension that counts the images.

    Example:
        >>> stream = Generator().manual_seed(0)
        >>> whole = draw("randn", (5, 2), stream)
        >>> last = portion_generator(Generator().manual_seed(0), Portion(3, 2, 5))
        >>> bool((draw("randn", (2, 2), last) == whole[3:]).all())
        True
    """
    drawn: Tensor = getattr(torch, kind)(
        _whole(shape, random, images), generator=random, device=random.device, dtype=dtype
    )
    return _kept(drawn, random, images)


def draw_integers(
    low: int, high: int, shape: tuple[int, ...], random: Generator, images: int = 0
) -> Tensor:
    """Random integers from ``low`` to below ``high`` for images; else as :func:`draw`."""
    whole = _whole(shape, random, images)
    drawn = torch.randint(low, high, whole, generator=random, device=random.device)
    return _kept(drawn, random, images)


def _whole(shape: tuple[int, ...], random: Generator, images: int) -> tuple[int, ...]:
    if not isinstance(random, PortionGenerator):
        return shape
    return (*shape[:images], random.portion.total, *shape[images + 1 :])


def _kept(drawn: Tensor, random: Generator, images: int) -> Tensor:
    if not isinstance(random, PortionGenerator):
        return drawn
    return drawn.narrow(images, random.portion.first, random.portion.count)


@dataclass
class Present:
    """The portion that a network is passed at present; None stands for a whole batch."""

    portion: Portion | None = None


class PortionDropout(nn.Dropout):
    """Dropout that draws for the whole batch, from torch's own stream of the device.

    On a CPU and for a whole batch these are the numbers of ``nn.Dropout``. Several copies of the
    images may be passed at once, each copy whole: ``(copies * N, *)``.

    Args:
        p: Dropped share.
        present: Tells the portion.
    """

    def __init__(self, p: float, present: Present) -> None:
        super().__init__(p)
        self.present = present

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0.0:
            return x
        part = self.present.portion or Portion.whole(len(x))
        copies = len(x) // part.count if part.count else 1  # without images none of it is kept
        kept = torch.empty((copies, part.total, *x.shape[1:]), dtype=x.dtype, device=x.device)
        kept.bernoulli_(1 - self.p)
        if self.p < 1.0:
            kept.div_(1 - self.p)
        return x * kept.narrow(1, part.first, part.count).reshape(x.shape)


def draw_for_whole_batches(network: nn.Module, present: Present) -> None:
    """Makes every dropout of a network draw for whole batches; see :class:`PortionDropout`."""
    for parent in list(network.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Dropout:
                setattr(parent, name, PortionDropout(child.p, present).train(child.training))
