"""Work of the stages that train an image network: train, prune, defend and observe."""

import math
from dataclasses import dataclass, replace

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet, Sized
from reactivate.experiment.costs.networks import (
    NetworkCost,
    counted_networks,
    input_size,
    network_name,
)
from reactivate.experiment.costs.pieces import NUMBER, Piece, Work, over, passes, pixels, updates
from reactivate.experiment.measurements import Fgsm, Pgd
from reactivate.experiment.observations import Observation
from reactivate.experiment.recipes import (
    Consistency,
    Defended,
    Detected,
    Pruned,
    Scrfp2,
    Segmented,
    SmoothAdv,
    SmoothMix,
    Training,
)
from reactivate.experiment.run_cell import RunCell
from reactivate.experiment.settings import ImageSettings

TEST_BATCH = 500  # images that are measured at once
CHANGES = 12  # times that a pixel is read or written while an image is cut, flipped, normalised
OPERATIONS = 17  # the same for every operation that is drawn for an image; a test counts them
KERNELS_OF_OPERATIONS = 400  # of a batch, for each that is drawn for an image; likewise
LOOKS = 6  # forward passes that take as long as one look at all neurons


@dataclass(frozen=True)
class Run:
    """The numbers of a training that its cost depends on."""

    network: NetworkCost
    recipe: Training
    size: tuple[int, int, int]
    images: int  # of an epoch
    test: int
    steps: int
    steps_of_epoch: int
    printed_steps: int
    streamed: bool  # pictures are decoded for every epoch
    processes: int = 1  # that train it together
    fused: bool = False  # its steps are compiled
    tested: bool = True  # after every epoch
    test_batch: int = TEST_BATCH

    @property
    def batch(self) -> int:
        """Images of a step."""
        return min(self.recipe.batch_size, self.images)

    @property
    def portion(self) -> int:
        """Images of a step that the first process passes; no other passes more."""
        return math.ceil(self.batch / self.processes)

    @property
    def epochs(self) -> int:
        """Number of epochs."""
        return math.ceil(self.steps / self.steps_of_epoch)

    @property
    def tests(self) -> int:
        """How often the test images are passed: after each epoch, unless in the end only."""
        return (self.epochs if self.tested else 0) + 1


def run_of(cell: RunCell, processes: int = 1) -> Run | None:
    """The numbers of a cell's training; None if nobody has counted its network."""
    chosen = cell.image_settings
    recipe, data = chosen.recipe, dataset(cell.cell.dataset)
    assert isinstance(data, Sized)  # the settings are those of an image network
    scenes = isinstance(recipe, Detected | Segmented)
    streamed = scenes or (isinstance(data, FolderSet) and data.shape is None)
    if streamed and recipe.pictures is None and not scenes:
        return None  # the stage will say what is wrong
    network = counted_networks().get(network_name(cell.cell, chosen))
    if network is None:
        return None
    folds = recipe.folds or 0
    train = data.train * (folds - 1) // folds if folds else data.train
    images = max(1, round(train * chosen.data_fraction))
    epoch = recipe.batches(images)
    printed = recipe.iterations or chosen.printed_epoch * (recipe.epochs or 0)
    return Run(
        network,
        recipe,
        input_size(data, chosen),
        images,
        max(1, round(data.test * chosen.tested_fraction)),
        _steps(chosen, epoch),
        epoch,
        printed,
        streamed,
        processes,
        tested=chosen.tests is None,
        test_batch=1 if scenes else TEST_BATCH,
    )


def _steps(chosen: ImageSettings, epoch: int) -> int:
    if chosen.epochs is not None:
        return chosen.epochs * epoch
    return chosen.recipe.iterations or epoch * (chosen.recipe.epochs or 0)


def training_work(
    cell: RunCell, observed: bool = False, processes: int = 1, fused: bool = False
) -> Work | None:
    """Work of a cell's training by the stage of its recipe; None if its network is not counted.

    Processes divide the passes of a step, and the pictures that are decoded for it. Every one
    updates all weights, and alters the whole batch of a set in memory; the first one tests alone.

    Args:
        cell: The cell.
        observed: Whether the training is looked at, as the stage observe does.
        processes: That train the network together; the work is that of the first.
        fused: Whether its steps are compiled.
    """
    known = run_of(cell, processes)
    if known is None:
        return None
    run = replace(known, fused=fused)
    recipe = run.recipe
    pieces = [*_steps_of(run), updates(run.network, run.steps), *_measured(run), _altered(run)]
    if isinstance(recipe, Pruned):
        # every pattern of every image is counted in every step, and every weight is masked
        looked = run.network.forward.traffic * run.batch
        pieces.append(Piece(run.steps, 3 * run.network.tensors, 0.0, looked))
    if observed:
        pieces += _looks(run, cell.observation)
    seen = run.steps * run.portion + (run.tests - 1) * run.test
    return replace(_memory(run), pieces=tuple(pieces), decoded=seen if run.streamed else 0.0)


def _steps_of(run: Run) -> list[Piece]:
    """Passes of all training steps, those that a defence adds included."""
    shared = run.processes > 1
    return [replace(piece, shared=shared) for piece in _passes_of(run)]


def _passes_of(run: Run) -> list[Piece]:
    network, recipe = run.network, run.recipe
    mixed = recipe.mixed_precision
    cost = (network.fused if run.fused else None) or network.training
    step = passes(cost, run.steps, run.portion, mixed)
    if not isinstance(recipe, Defended):
        return [step]
    defence = recipe.defence
    match defence:
        case Fgsm():
            return [passes(network.ascent, run.steps, run.portion, mixed), step]
        case Pgd():
            return [passes(network.ascent, run.steps * defence.steps, run.portion, mixed), step]
        case Consistency():
            return [passes(network.training, run.steps, run.portion * defence.copies, mixed)]
        case SmoothAdv() | SmoothMix():
            copies = run.portion * defence.copies
            twice = 2 if isinstance(defence, SmoothMix) else 1
            return [
                passes(network.ascent, run.steps * defence.steps, copies, mixed),
                passes(network.training, run.steps * twice, copies, mixed),
            ]
        case Scrfp2():  # the patterns of two streams, then the step with its masks
            return [passes(network.forward, run.steps * 3, run.portion, mixed), step]
        case _:
            return [step]


def _measured(run: Run) -> list[Piece]:
    """Passes of the images that a network is measured on after every epoch, and in the end."""
    forward, mixed = run.network.forward, run.recipe.mixed_precision
    views = run.tests + (10 if run.recipe.ten_crop else 0)
    pieces = [over(forward, run.test * views, min(run.test_batch, run.test), mixed)]
    if run.recipe.measure_train:
        pieces.append(over(forward, run.images, TEST_BATCH, mixed))
    return pieces


def _altered(run: Run) -> Piece:
    """The cutting, flipping and normalising of images, and the operations drawn for each."""
    changes = run.recipe.augmentation
    drawn = changes.rand_augment
    touched = CHANGES + (OPERATIONS * drawn.layers if drawn is not None else 0)
    images = run.portion if run.streamed else run.batch
    each = touched * NUMBER * pixels(run.size) * images
    kernels = 30 + (KERNELS_OF_OPERATIONS * drawn.layers if drawn is not None else 0)
    return Piece(run.steps, kernels, 0.0, each)


def _looks(run: Run, observation: Observation) -> list[Piece]:
    """Looks at all neurons for some test images, and at all weights in every step if asked."""
    looks = run.printed_steps / observation.every
    if observation.early is not None:
        looks += min(observation.early.until, run.printed_steps) / observation.early.every
    network = run.network
    pieces = [passes(network.forward, LOOKS * min(looks, run.steps), observation.images)]
    if observation.each_step:
        touched = 10 * NUMBER * network.parameters
        pieces.append(Piece(run.steps, 10 * network.tensors, 0.0, touched))
    return pieces


def _memory(run: Run) -> Work:
    """Memory that a training takes, without its work."""
    network, recipe = run.network, run.recipe
    copies = getattr(getattr(recipe, "defence", None), "copies", 1)
    weights = 4 * NUMBER * network.parameters  # with gradient, momentum and a copy
    kept = 1.5 * network.kept * max(run.portion * copies, 1)
    tested = network.forward.traffic / 8 * min(run.test_batch, run.test)  # a few layers at a time
    data = 0 if run.streamed else (run.images + run.test) * pixels(run.size)
    return Work((), device_bytes=weights + max(kept, tested) + data, host_bytes=2 * data)
