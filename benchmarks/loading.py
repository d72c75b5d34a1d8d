"""Pictures of ImageNet from disk to normalised batches, against torchvision's usual way.

The rival is what a tutorial writes: ``ImageFolder``, Pillow's crops, ``ToTensor``, ``Normalize``
and a ``DataLoader``. All work is done by this one process and timed by its own clock, so pictures
per second are those of one core, however busy the machine is. Before is what this package did
first: a scan of the folder for every epoch. The pictures are drawn, of ImageNet's usual size, and
in the page cache: what archives save on the file system of a cluster is not seen here.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time

import torch
from PIL import Image
from reactivate.datasets.imagenet import ImageStream, picture_transform
from reactivate.datasets.images import Normalisation
from reactivate.datasets.picture_sets import PictureSet
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.loading import load_paper
from reactivate.experiment.recipes import Training
from reactivate.models.vision import torchvision
from reactivate.preparation.listing import listed_pictures
from reactivate.preparation.shards import pack, packed_pictures
from reactivate.training.folder_inputs import MEAN, STD, StreamInputs
from reactivate.training.inputs import ALONE
from reactivate.training.memory import keep_freed_memory
from torch import Tensor
from torch.utils.data import DataLoader

from benchmarks.timing import ratio, report, seconds

CLASSES, EACH = 4, 16
SIZES = ((500, 375), (375, 500), (500, 333), (640, 480))
BATCH = 32
BAR, NOT_SLOWER = 1.2, 0.95
PEERS = {
    "plain": "torchvision's ImageFolder and a DataLoader",
    "folder": "our loader on a folder",
    "whole": "our loader on whole pictures",
}
WANTED = FolderSet(
    kind="folder",
    title="drawn pictures",
    licence="none",
    format="imagenet",
    variable="REACTIVATE_DRAWN",
    classes=CLASSES,
    train=CLASSES * EACH,
    test=CLASSES * EACH,
)


def draw(folder: Path) -> None:
    """Writes pictures of about 100 kB: smooth ones with a little noise."""
    random = torch.Generator().manual_seed(0)
    for part in ("train", "val"):
        for number in range(CLASSES * EACH):
            wide, high = SIZES[number % len(SIZES)]
            coarse = torch.rand(1, 3, 24, 32, generator=random)
            smooth = torch.nn.functional.interpolate(coarse, (high, wide), mode="bicubic")[0]
            noisy = smooth + 0.06 * torch.randn(3, high, wide, generator=random)
            pixels = (255 * noisy.clamp(0, 1)).byte().permute(1, 2, 0).numpy()
            path = folder / part / f"n{number % CLASSES:08}" / f"{number}.JPEG"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(pixels).save(path, quality=90)


def consume(batches: Iterable[object]) -> int:
    """Makes every batch."""
    return sum(1 for _ in batches)


def plain(folder: Path) -> Iterable[object]:
    """Torchvision's loader, as a tutorial has it."""
    known = torchvision.transforms
    steps = [known.RandomResizedCrop(224), known.RandomHorizontalFlip(), known.ToTensor()]
    files = torchvision.datasets.ImageFolder(
        folder / "train", known.Compose([*steps, known.Normalize(MEAN, STD)])
    )
    return DataLoader(files, BATCH, shuffle=True)


def before(folder: Path) -> Iterable[Tensor]:
    """A pass as this package made it first."""
    from reactivate.datasets.pictures import decode

    def load(path: str) -> Tensor:
        return torch.from_numpy(decode(path, Path(path).read_bytes()).copy()).permute(2, 0, 1)

    transform = picture_transform("random_resized_crop")
    files = torchvision.datasets.ImageFolder(folder / "train", transform, loader=load)
    normalise = Normalisation(MEAN, STD)
    return (normalise(images) for images, _ in DataLoader(files, BATCH, shuffle=True))


def ours(sets: dict[str, PictureSet], recipe: Training) -> Callable[[], object]:
    """A pass over the pictures as trainings make it."""
    both = {"train": sets["train"], "test": sets["val"]}
    inputs = StreamInputs(both, recipe, ("drawn", 0), torch.device("cpu"), workers=0)
    return lambda: consume(inputs.epoch(1, ALONE))


def cut(sets: dict[str, PictureSet], recipe: Training) -> Callable[[], object]:
    """The part of such a pass that workers do: on a GPU the rest is not theirs."""
    chosen = recipe.pictures
    assert chosen is not None
    stream = ImageStream(sets["train"], picture_transform(chosen.train, chosen.size), workers=0)
    numbers = torch.split(torch.randperm(CLASSES * EACH), BATCH)
    return lambda: consume(stream.batches(numbers, "pass"))


def compare(name: str, slow: Callable[[], object], fast: Callable[[], object], bar: float) -> bool:
    """The time of one way over that of another; pictures per second of both beside it."""
    measured = ratio(slow, fast, repeats=8, warmup=1, clock=process_time)
    pictures = CLASSES * EACH
    rates = {
        f"{which}_pictures_per_second": round(
            pictures / min(seconds(way, process_time) for _ in range(5))
        )
        for which, way in (("rival", slow), ("our", fast))
    }
    return report(name, measured, bar, "higher", peer=PEERS[name.partition("_")[0]], **rates)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.set_num_threads(1)
    keep_freed_memory()  # as training does
    chosen = load_paper("thesis").recipes["imagenet_smooth_025"]
    recipe = chosen.model_copy(update={"batch_size": BATCH})
    assert recipe.pictures is not None
    small = recipe.pictures.model_copy(update={"shortest": 256})
    scaled = recipe.model_copy(update={"pictures": small})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        draw(folder)
        listed = listed_pictures(folder, WANTED, folder)
        pack(listed, WANTED, folder / "packed")
        packed = packed_pictures(folder / "packed", WANTED)

        def rival() -> int:
            return consume(plain(folder))

        passed = [
            compare("plain_over_workers", rival, cut(packed, recipe), BAR),
            compare("plain_over_folder", rival, ours(listed, recipe), NOT_SLOWER),
            compare("plain_over_packed", rival, ours(packed, recipe), NOT_SLOWER),
            compare("plain_over_before", rival, lambda: consume(before(folder)), 0.0),
            compare("folder_over_packed", ours(listed, recipe), ours(packed, recipe), NOT_SLOWER),
            compare("whole_over_scaled", ours(packed, recipe), ours(packed, scaled), NOT_SLOWER),
        ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
