"""A stream of batches, whose items are made by worker processes."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from reactivate.datasets.workers import outlive_sigterm

PREFETCHED = 4  # batches that each worker makes ahead
Numbered = tuple[object, int]  # key of the random stream, number of the item


class _Order:
    """The items of every batch of one pass; another pass may have others."""

    def __init__(self) -> None:
        self.batches: Iterable[list[Numbered]] = ()

    def __iter__(self) -> Iterator[list[Numbered]]:
        return iter(self.batches)


class Stream:
    """Batches of items that are asked for by the key of a random stream and a number.

    Workers live from the first pass to the last. Every item has a random stream of its own, so
    batches are the same with any number of workers, and of processes that share the batches.

    Args:
        items: Makes the item of a key and a number; nothing else may decide what it makes.
        workers: Number of worker processes; with 0 this process does the work.
        together: Makes a batch of a list of items; torch's own way if None.
    """

    def __init__(
        self,
        items: Dataset[Any],
        workers: int,
        together: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        if workers < 0:
            raise ValueError(f"workers is {workers}; accepted: 0 or more")
        self.order = _Order()
        self.passes = 0
        self.loader: DataLoader[Any] = DataLoader(
            items,
            batch_sampler=self.order,
            collate_fn=together,
            num_workers=workers,
            generator=torch.Generator(),  # else each pass would draw from torch's own stream
            pin_memory=torch.cuda.is_available(),
            persistent_workers=workers > 0,
            prefetch_factor=PREFETCHED if workers else None,
            worker_init_fn=outlive_sigterm,
        )

    def batches(self, numbers: Iterable[Tensor], key: object = "") -> Iterator[Any]:
        """One pass: a batch for each tensor of numbers of items.

        A pass that was left unfinished cannot go on once another has begun.

        Args:
            numbers: Items of every batch.
            key: Names the random streams of this pass.

        Raises:
            ValueError: A picture is corrupt; the message names it.
        """
        self.order.batches = ([(key, number) for number in part.tolist()] for part in numbers)
        self.passes += 1
        this = self.passes
        try:
            for batch in self.loader:
                yield batch
                if self.passes != this:
                    raise RuntimeError("another pass over the same pictures has begun")
        except ValueError as error:  # a worker's, with its traceback before it
            last = str(error).rstrip().splitlines()[-1]
            error.__traceback__ = None  # which holds the workers, and their end up for seconds
            raise ValueError(last.removeprefix("ValueError: ")) from None
