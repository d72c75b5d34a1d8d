"""Work of the stage sweep: small networks, many at a time."""

from reactivate.experiment.catalog.catalog import Dataset, dataset
from reactivate.experiment.costs.pieces import NUMBER, Piece, Work
from reactivate.experiment.run_cell import RunCell
from reactivate.experiment.settings import SweepSettings
from reactivate.experiment.sweeps import ChosenLr

CACHE_BYTES = 2_500_000  # as reactivate.training.batched has it, which needs torch
KERNELS = 105  # of a step and its update; a test counts them
ITEM = {"float32": 4, "float64": 8}
TOUCHED = 18  # times that a hidden activation is read or written in a step
TYPICAL = 700  # epochs after which networks have stopped, where more are allowed


def sweep_work(cell: RunCell) -> Work:
    """Work of all seeds of a cell of small networks, and of the trials that choose their rates."""
    chosen = cell.sweep_settings
    data = dataset(cell.cell.dataset)
    assert isinstance(data, Dataset)  # the settings are those of small networks
    recipe = chosen.recipe
    rows = data.rows * chosen.data_fraction * (1 - recipe.splits.test_fraction)
    seeds = recipe.splits.seeds
    pieces = [_fits(chosen, rows, data.features, seeds)]
    if isinstance(recipe.lr, ChosenLr):
        trials = seeds * len(recipe.lr.choose_from) * recipe.lr.folds
        kept = rows * (recipe.lr.folds - 1) / recipe.lr.folds
        pieces.append(_fits(chosen, kept, data.features, trials))
    table = data.rows * (data.features + 1) * NUMBER
    return Work(tuple(pieces), device_bytes=0.0, host_bytes=10.0 * table * seeds)


def _fits(chosen: SweepSettings, rows: float, features: int, networks: int) -> Piece:
    """The training of so many networks, as many at a time as fit the cache."""
    recipe, hidden = chosen.recipe, chosen.hidden
    item = ITEM[recipe.precision]
    samples = rows * (1 - recipe.splits.validation_fraction)
    size = samples if recipe.batch_size == "full" else min(samples, recipe.batch_size)
    together = min(networks, networks_at_a_time(int(size), hidden, item))
    groups = -(-networks // together)
    steps = max(1.0, samples / size)
    flops = 6 * size * hidden * (features + 1) * together
    traffic = TOUCHED * size * hidden * item * together
    epochs = min(recipe.epochs, TYPICAL)
    return Piece(groups * epochs * steps, KERNELS, flops, traffic)


def networks_at_a_time(samples: int, hidden: int, item: int) -> int:
    """Networks that are trained at once; as ``networks_per_batch``, which needs torch.

    Example:
        >>> networks_at_a_time(400, 100, 4), networks_at_a_time(7654, 100, 4)
        (15, 1)
    """
    return max(1, CACHE_BYTES // (samples * hidden * item))
