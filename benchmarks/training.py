"""Loading, the trainer's steps, tests and attacks of a training, each against the plain way.

The rival of the loader is what a tutorial writes: a ``DataLoader`` over a torchvision dataset,
without workers or with two, whichever is faster. Both loaders shuffle the same images and change
them alike. The rival of the trainer is a tutorial's loop over the batches of our own loader, so
that loading gains nothing there.

A training of the laptop scale that measures all test images of CIFAR-10 once, in the end, is
compared with one that does so after every epoch, and the attack of a PGD defence with a loop that
calls ``backward``, as a tutorial has it, which computes the gradients of the weights as well.

On a CPU a step of VGG16 takes many times as long as either loader, so its training cannot gain
1.3x from loading: there the bar is on loading alone, and training must not be slower.
"""

import sys
from collections.abc import Callable, Iterable
from functools import partial

import torch
from PIL import Image
from reactivate.attacks.pgd import pgd
from reactivate.datasets.images import ImageData
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import dataset_file
from reactivate.experiment.recipes import Training
from reactivate.models import MODELS
from reactivate.models.vision import torchvision
from reactivate.preparation.prepared import load_images
from reactivate.training.inputs import ALONE, MemoryInputs
from reactivate.training.memory import keep_freed_memory
from reactivate.training.schedules import Clock
from reactivate.training.trainer import Trainer
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer
from torch.utils.data import DataLoader

from benchmarks.timing import WALL, Action, ratio, report

BAR, NOT_SLOWER, RESNET_BAR, VGG_BAR = 1.3, 0.95, 1.1, 1.2
TESTS_BAR, ATTACK_BAR = 1.3, 1.15
SHAPES = {"mnist": (1, 28, 28), "cifar10": (3, 32, 32)}
BATCH = 128  # of both recipes
LAPTOP_BATCH, STEPS, ENDLESS = (
    32,
    12,
    1000,
)  # what is done once an epoch counts little, as in real ones

Pass = Callable[[], Iterable[tuple[Tensor, Tensor]]]  # over all images, in batches


class Pictures(torchvision.datasets.VisionDataset):
    """Images in memory, handed out one by one as torchvision's MNIST and CIFAR10 do."""

    def __init__(self, data: ImageData, transform: Callable[[Image.Image], Tensor]) -> None:
        super().__init__(transform=transform)
        self.images = data.train_images.permute(0, 2, 3, 1).squeeze(-1).numpy()
        self.labels = data.train_labels.tolist()

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        return self.transform(Image.fromarray(self.images[index])), self.labels[index]


def images(name: str, batches: int) -> ImageData:
    """The first images of a dataset; random ones if it is not prepared."""
    count = BATCH * batches
    if dataset_file(name).exists():
        return ImageData(**{key: part[:count] for key, part in vars(load_images(name)).items()})
    pixels = torch.randint(256, (count, *SHAPES[name]), dtype=torch.uint8)
    labels = torch.randint(10, (count,))
    return ImageData(pixels, labels, pixels, labels)


def loaders(data: ImageData, recipe: Training) -> tuple[Pass, dict[int, Pass]]:
    """This package's loader, and torchvision's by the number of workers."""
    inputs = MemoryInputs(data, recipe, ("benchmark", 0), torch.device("cpu"))
    changes, known = recipe.augmentation, torchvision.transforms
    steps = []
    if changes.padding:
        steps.append(known.RandomCrop(inputs.side, padding=changes.padding))
    if changes.flip:
        steps.append(known.RandomHorizontalFlip(changes.flip))
    steps += [known.ToTensor(), known.Normalize(inputs.normalise.mean, inputs.normalise.std)]
    pictures = Pictures(data, known.Compose(steps))
    make = partial(DataLoader, pictures, recipe.batch_size, shuffle=True)
    alone, helped = make(), make(num_workers=2, persistent_workers=True)

    def ours() -> Iterable[tuple[Tensor, Tensor]]:
        return ((batch.x, batch.y) for batch in inputs.epoch(1, ALONE))

    return ours, {0: lambda: alone, 2: lambda: helped}


def small_vgg16() -> nn.Module:
    """The thesis' VGG16 at a quarter of its width."""
    return MODELS.load("vgg16")(width=0.25)


def laptop_vgg16() -> nn.Module:
    """The thesis' VGG16 as wide as the laptop scale has it."""
    return MODELS.load("vgg16")(width=0.125)


def psc_resnet14() -> nn.Module:
    """The ResNet-14 of psc as wide as the laptop scale has it, with both phases."""
    return MODELS.load("psc_resnet")(activation="psc", depth=2, stride=2, width=0.5)


def laptop(recipe: Training) -> Training:
    """A recipe with the batches of the laptop scale."""
    return recipe.model_copy(update={"batch_size": LAPTOP_BATCH})


def load(batches: Pass) -> Action:
    """Makes every batch of a pass."""
    return lambda: [len(y) for _, y in batches()]


def train(network: nn.Module, batches: Pass, optimizer: Optimizer | None = None) -> Action:
    """A pass of training as a tutorial has it: forward, backward, step, loss and accuracy."""
    optimizer = optimizer or torch.optim.SGD(network.parameters(), 0.01)

    def run() -> tuple[float, float]:
        network.train()
        lost, right = 0.0, 0
        for x, y in batches():
            optimizer.zero_grad()
            scores = network(x)
            loss = cross_entropy(scores, y)
            loss.backward()
            optimizer.step()
            lost += loss.item() * len(y)
            right += (scores.argmax(1) == y).sum().item()
        return lost, right

    return run


def compare_loaders(
    name: str,
    data: ImageData,
    recipe: Training,
    action: Callable[[Pass], Action],
    bar: float = BAR,
    repeats: int = 6,
) -> bool:
    """The time of torchvision's loader, with the better number of workers, over that of ours."""
    ours, rivals = loaders(data, recipe)
    measured = {
        workers: ratio(action(rival), action(ours), repeats, warmup=1, clock=WALL)
        for workers, rival in rivals.items()
    }
    workers = min(measured, key=measured.__getitem__)
    return report(
        name,
        measured[workers],
        bar,
        "higher",
        peer="torchvision and a DataLoader",
        workers=workers,
    )


def compare_trainers(
    name: str, make: Callable[[], nn.Module], recipe: Training, bar: float, **extra: float
) -> bool:
    """The time of a plain loop over that of the trainer, for the same batches and optimizer."""
    data = images("cifar10", STEPS * LAPTOP_BATCH // BATCH)
    inputs = MemoryInputs(data, recipe, ("benchmark", 0), torch.device("cpu"))
    chosen = recipe.optimizer
    network = make()
    plain = train(
        network,
        lambda: ((batch.x, batch.y) for batch in inputs.epoch(1, ALONE)),
        torch.optim.SGD(
            network.parameters(), 0.01, chosen.momentum, weight_decay=chosen.weight_decay
        ),
    )
    clock = Clock(STEPS * ENDLESS, STEPS * ENDLESS, STEPS)
    trainer = Trainer(make(), inputs, recipe, 0.01, clock, ("benchmark", 0))
    trainer._resume()

    def ours() -> None:
        trainer._train(1)
        trainer.state.batches = 0

    measured = ratio(plain, ours, repeats=30)
    return report(
        name,
        measured,
        bar,
        "higher",
        peer="a plain torch loop",
        steps=STEPS,
        batch=LAPTOP_BATCH,
        **extra,
    )


def compare_tests(recipe: Training, epochs: int = 2) -> bool:
    """The time of a training with a test after every epoch over that of one with none.

    Both measure the test images once more in the end. Of two epochs the share of tests is that of
    many, but for the last test.
    """
    data = images("cifar10", 8)
    tested = ImageData(
        data.train_images,
        data.train_labels,
        data.train_images.repeat(2, 1, 1, 1),
        data.train_labels.repeat(2),
    )  # as many test images for each training image as 5,000 of CIFAR-10 have
    inputs = MemoryInputs(tested, recipe, ("benchmark", 0), torch.device("cpu"))
    clock = Clock(epochs * inputs.steps, epochs * inputs.steps, inputs.steps)

    def run(tests: bool) -> None:
        trainer = Trainer(
            laptop_vgg16(), inputs, recipe, 0.01, clock, ("benchmark", 0), tests=tests
        )
        trainer.task.measure(trainer, trainer.fit())

    measured = ratio(partial(run, True), partial(run, False), repeats=6, warmup=1)
    return report(
        "vgg16_tests_of_epochs_over_one",
        measured,
        TESTS_BAR,
        "higher",
        peer="a test after every epoch",
        epochs=epochs,
        width=0.125,
    )


def compare_attacks() -> bool:
    """The time of PGD by ``backward`` over that of ours, on a batch of the laptop scale."""
    network = laptop_vgg16()
    x, y = torch.rand(LAPTOP_BATCH, 3, 32, 32), torch.randint(10, (LAPTOP_BATCH,))
    epsilon, step, steps = 8 / 255, 2 / 255, 10

    def plain() -> Tensor:
        at = x
        for _ in range(steps):
            at = at.detach().requires_grad_()
            network.zero_grad()
            cross_entropy(network(at), y).backward()
            assert at.grad is not None
            moved = at.detach() + step * at.grad.sign()
            at = moved.clamp(x - epsilon, x + epsilon).clamp(0, 1)
        return at

    measured = ratio(plain, lambda: pgd(network, x, y, epsilon, step, steps), repeats=20)
    return report(
        "vgg16_pgd_by_backward_over_ours",
        measured,
        ATTACK_BAR,
        "higher",
        peer="a loop that calls backward",
        steps=steps,
        width=0.125,
    )


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    keep_freed_memory()  # as training does
    recipes = load_paper("thesis").recipes
    psc = laptop(load_paper("psc").recipes["cifar"])
    fcnn, vgg16 = recipes["fcnn"], recipes["vgg16_120"]
    mnist, cifar10, few = images("mnist", 40), images("cifar10", 20), images("cifar10", 4)
    passed = [
        compare_loaders("mnist_loading", mnist, fcnn, load),
        compare_loaders("cifar10_loading", cifar10, vgg16, load),
        compare_loaders("fcnn_training", mnist, fcnn, partial(train, MODELS.load("fcnn")())),
        compare_loaders("vgg16_training", few, vgg16, partial(train, small_vgg16()), NOT_SLOWER),
        compare_trainers(
            "psc_resnet14_plain_loop_over_trainer", psc_resnet14, psc, RESNET_BAR, width=0.5
        ),
        compare_trainers(
            "vgg16_plain_loop_over_trainer", laptop_vgg16, laptop(vgg16), VGG_BAR, width=0.125
        ),
        compare_tests(laptop(vgg16)),
        compare_attacks(),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
