"""Work of the stages that measure a trained network: attack, certify and reconstruct."""

from dataclasses import replace

from reactivate.experiment.costs.pieces import NUMBER, Piece, Work, over, pixels
from reactivate.experiment.costs.training import Run, run_of
from reactivate.experiment.measurements import (
    AnyMeasurement,
    Attack,
    Certification,
    Pgd,
    Reconstruction,
)
from reactivate.experiment.run_cell import RunCell

ATTACKED = 128  # images of a batch
READ = 50  # pictures that a certification reads at a time
SAMPLED = 1000  # noisy copies of a batch, at most
# share of images whose class the first samples find, where others are skipped: in the mean of the
# published laptop certifications; of other datasets nobody knows, and half of them are assumed
KEPT_RIGHT = {"cifar10": 0.37, "tiny_imagenet20": 0.13}
KEPT_UNKNOWN = 0.5
DECIDED = 0.2  # share of n samples after which the radii of a table are decided
FOLDED = 0.7  # share of a pass's traffic that is left when batch normalisation is folded away
WHOLE_MAPS = 1.2e9  # bytes of their vectors: with the rest as much as the published ones took
DRAWN = 14  # times that a number is read or written, as long as it takes a core to draw one
# forward passes for a noisy copy: one; two; both streams with their patterns
STREAMS = {"document": 1.2, "authors_code": 2.4, "sound": 2.8}
PATHS = {"none": 0, "document": 5, "authors_code": 4}  # forward passes that find and sum paths
ITERATIONS = {"region": 15, "map": 130}  # passes of least squares until the tolerance is met


def measuring_work(cell: RunCell, name: str) -> Work | None:
    """Work of a measurement of one network of a cell; None if its network is not counted."""
    run = run_of(cell)
    if run is None:
        return None
    asked = cell.measurement(name)
    size = pixels(run.size) * NUMBER
    tensors = NUMBER * run.network.parameters
    loaded = _loaded(run, asked) * size
    pieces = tuple(_pieces(run, asked, KEPT_RIGHT.get(cell.cell.dataset, KEPT_UNKNOWN)))
    batch = ATTACKED if isinstance(asked, Attack) else SAMPLED
    each = run.network.kept if isinstance(asked, Attack) else run.network.forward.traffic / 8
    decoded = _images(run, asked) if run.streamed else 0.0
    kept = tensors + batch * each + (WHOLE_MAPS if _reads_whole_maps(asked) else 0.0)
    return Work(pieces, decoded, device_bytes=kept, host_bytes=2 * loaded)


def _reads_whole_maps(asked: AnyMeasurement) -> bool:
    """Whether least-squares problems over whole feature maps are solved."""
    return isinstance(asked, Reconstruction) and asked.scope == "map"


def _loaded(run: Run, asked: AnyMeasurement) -> float:
    """Images in memory: the whole test part, but of streamed pictures those that are needed."""
    if not run.streamed:
        return run.test
    return READ if isinstance(asked, Certification) else _images(run, asked)


def _images(run: Run, asked: AnyMeasurement) -> float:
    """Images that are measured."""
    every = asked.every if isinstance(asked, Certification) else 1
    chosen = -(-run.test // every)
    return min(asked.images or chosen, chosen)


def _pieces(run: Run, asked: AnyMeasurement, kept_right: float) -> list[Piece]:
    images, network = _images(run, asked), run.network
    if isinstance(asked, Attack):
        steps = asked.attack.steps if isinstance(asked.attack, Pgd) else 1
        return [
            over(network.ascent, steps * images, ATTACKED),
            over(network.forward, (2 + PATHS[asked.paths]) * images, ATTACKED),
        ]
    if isinstance(asked, Certification):
        share = kept_right if asked.skip_wrong else 1.0
        drawn_share = DECIDED if asked.stopping == "anytime" else 1.0
        samples = images * (asked.n0 + share * drawn_share * asked.n)
        streams = STREAMS[asked.variant] if asked.repress else 1.0
        streams_of_noise = 2 if asked.repress and asked.variant == "sound" else 1
        batch = min(SAMPLED, asked.n)
        drawn = DRAWN * NUMBER * pixels(run.size) * batch * streams_of_noise
        forward = replace(network.forward, traffic=round(FOLDED * network.forward.traffic))
        return [over(forward, streams * samples, batch), Piece(samples / batch, 4, 0.0, drawn)]
    assert isinstance(asked, Reconstruction)
    return [over(network.ascent, ITERATIONS[asked.scope] * images, 100)]
