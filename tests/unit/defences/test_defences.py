"""Every defence is its formula written out, leaves no trace but gradients, and names bad input."""

import math

import pytest
import torch
from reactivate.attacks.fgsm import fgsm
from reactivate.attacks.pgd import pgd
from reactivate.defences import DEFENCES
from reactivate.defences.adversarial import FgsmTraining, PgdTraining
from reactivate.defences.consistency import ConsistencyTraining
from reactivate.defences.copies import smoothed_ascent
from reactivate.defences.noise import NoiseTraining, gaussian
from reactivate.defences.scrfp2 import Scrfp2Training
from reactivate.defences.smoothadv import SmoothAdvTraining
from reactivate.defences.smoothmix import SmoothMixTraining
from reactivate.defences.standard import StandardTraining
from reactivate.experiment.recipes import Defended
from reactivate.training.defending.setup import make_defence
from torch.nn import functional

FULL = 100  # an epoch after every warm-up
ALL = {
    "std": StandardTraining(),
    "noise": NoiseTraining(sigma=0.25),
    "fgsm": FgsmTraining(epsilon=8),
    "pgd": PgdTraining(epsilon=8, step=2, steps=3, start="gaussian"),
    "smoothadv": SmoothAdvTraining(sigma=0.25, epsilon=0.5, steps=3, copies=2, warm_up=10),
    "smoothmix": SmoothMixTraining(sigma=0.25, step=0.5, steps=2, copies=2, eta=5.0, warm_up=10),
    "consistency": ConsistencyTraining(sigma=0.25, weight=10.0),
    "scrfp2": Scrfp2Training(sigma=0.25, eta=0.1),
}


@pytest.mark.parametrize("name", DEFENCES.targets)
def test_every_defence_gives_a_loss_and_a_score_for_every_image(name, network, images, stream):
    x, y = images
    assert isinstance(ALL[name], DEFENCES.load(name))
    loss, scores = ALL[name](network, x, y, stream(), FULL)
    assert loss.shape == ()
    assert scores.shape == (5, 3)
    loss.backward()
    assert all(parameter.grad.isfinite().all() for parameter in network.parameters())


@pytest.mark.parametrize("name", DEFENCES.targets)
def test_a_defence_draws_from_its_stream_alone(name, new_network, images, stream):
    first = ALL[name](new_network(), *images, stream(), FULL)
    torch.manual_seed(99)
    second = ALL[name](new_network(), *images, stream(), FULL)
    assert torch.equal(first.loss, second.loss)
    assert torch.equal(first.scores, second.scores)


@pytest.mark.parametrize("name", DEFENCES.targets)
def test_modes_and_hooks_are_as_before(name, network, images, stream):
    ALL[name](network, *images, stream(), FULL)
    assert all(module.training for module in network.modules())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in network.modules())


@pytest.mark.parametrize("name", [name for name in DEFENCES.targets if name != "smoothmix"])
def test_statistics_count_the_images_that_are_trained_on_once(name, network, images, stream):
    ALL[name](network, *images, stream(), FULL)
    assert network[1].num_batches_tracked == 1


@pytest.mark.parametrize("name", DEFENCES.targets)
@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan")])
def test_images_outside_the_range_are_named(name, wrong, network, images, stream):
    x, y = images
    x[0, 0, 0, 0] = wrong
    with pytest.raises(ValueError, match=r"^pixels go from .*; accepted: from 0 to 1"):
        ALL[name](network, x, y, stream(), FULL)


def test_std_is_the_cross_entropy(network, images, stream):
    loss, _ = ALL["std"](network, *images, stream(), 0)
    torch.testing.assert_close(loss, functional.cross_entropy(network(images[0]), images[1]) * 5)


def test_noise_is_not_clamped(new_network, images, stream):
    x, y = images
    noisy = x + 0.25 * torch.randn(x.shape, generator=stream(), dtype=x.dtype)
    assert noisy.min() < 0
    assert noisy.max() > 1
    loss, scores = ALL["noise"](new_network(), x, y, stream(), 0)
    assert torch.equal(scores, new_network()(noisy))
    assert torch.equal(loss, functional.cross_entropy(scores, y, reduction="sum"))


def test_attacked_images_are_trained_on_in_training_mode(new_network, images, stream):
    x, y = images
    changed = fgsm(new_network(), x, y, 8 / 255)
    assert torch.equal(ALL["fgsm"](new_network(), x, y, stream(), 0)[1], new_network()(changed))
    changed = pgd(new_network(), x, y, 8 / 255, 2 / 255, 3, "linf", "gaussian", stream())
    assert torch.equal(ALL["pgd"](new_network(), x, y, stream(), 0)[1], new_network()(changed))


def smoothed(network, x, noises):
    """Mean probabilities, one image and copy at a time; the network is evaluated."""
    return torch.stack(
        [
            torch.stack([network(image[None] + noise[None])[0].softmax(0) for noise in own]).mean(
                0
            )
            for image, own in zip(x, noises.unbind(1), strict=True)
        ]
    )


def climbed(network, x, y, noises, step, steps, epsilon):
    """Attack on the smoothed classifier, one image at a time."""
    found = []
    for number, image in enumerate(x):
        at = image
        for _ in range(steps):
            at = at.detach().requires_grad_()
            own = smoothed(network, at[None], noises[:, number : number + 1])
            (gradient,) = torch.autograd.grad(-own[0, y[number]].log(), at)
            moved = (at.detach() + step * gradient / gradient.norm()).clamp(0, 1) - image
            at = image + moved * min(1, epsilon / float(moved.norm()))
        found.append(at.detach())
    return torch.stack(found)


@pytest.mark.parametrize(("epoch", "share"), [(0, 0.1), (4.7, 0.5), (FULL, 1.0)])
def test_smoothadv_is_its_formula(new_network, images, stream, epoch, share):
    x, y = images
    noises = gaussian(x, 0.25, stream(), copies=2)
    radius = 0.5 * share
    attacked = climbed(new_network().eval(), x, y, noises, 2 * radius / 3, 3, radius)
    scores = new_network()((attacked + noises).flatten(0, 1)).reshape(2, 5, 3)
    expected = sum(functional.cross_entropy(s, y, reduction="sum") for s in scores) / 2
    loss, found = ALL["smoothadv"](new_network(), x, y, stream(), epoch)
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=0)
    torch.testing.assert_close(found.exp(), scores.softmax(2).mean(0))


def test_smoothadv_reaches_the_sphere_from_the_corners_of_the_range(new_network, stream):
    """Binary images, as on MNIST: half of every step leaves the range of pixels."""
    x = (torch.rand(40, 1, 3, 3, generator=torch.Generator().manual_seed(0)) < 0.5).double()
    y = torch.arange(40) % 3
    noises = gaussian(x, 0.25, stream(), copies=2)
    found = smoothed_ascent(new_network(), x, y, noises, 2 * 0.25 / 10, 10, 0.25)
    assert found.min() >= 0
    assert found.max() <= 1
    distances = (found - x).flatten(1).norm(dim=1)
    assert distances.max() <= 0.25 + 1e-12
    assert distances.median().item() == pytest.approx(0.25)


@pytest.mark.parametrize(("epoch", "share"), [(0, 0.1), (FULL, 1.0)])
def test_smoothmix_is_its_formula(new_network, images, stream, epoch, share):
    x, y = images
    random = stream()
    noises = gaussian(x, 0.25, random, copies=2)
    shares = torch.rand(5, generator=random).double() / 2
    attacked = climbed(new_network().eval(), x, y, noises, 0.5, 2, math.inf)
    network = new_network()
    clean = network((x + noises).flatten(0, 1)).reshape(2, 5, 3)
    mix = torch.stack([(1 - s) * a + s * b for s, a, b in zip(shares, x, attacked, strict=True)])
    mixed = network((mix + noises).flatten(0, 1)).reshape(2, 5, 3).softmax(2)
    mean = clean.softmax(2).mean(0)
    expected = sum(functional.cross_entropy(s, y, reduction="sum") for s in clean) / 2
    right = 0
    for number in range(5):
        if mean[number].argmax() != y[number]:
            continue
        right += 1
        wanted = (1 - shares[number]) * mean[number] + shares[number] / 3
        for copy in mixed[:, number]:
            expected = expected + 5.0 * share * (wanted * (wanted / copy).log()).sum() / 2
    assert 0 < right < 5
    ours = new_network()
    loss, found = ALL["smoothmix"](ours, x, y, stream(), epoch)
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=0)
    torch.testing.assert_close(found.exp(), mean)
    # gradients pass through the target, too
    gradients = (
        torch.autograd.grad(value, list(net.parameters()))
        for value, net in ((loss, ours), (expected, network))
    )
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-8, atol=1e-10)


def test_consistency_is_its_formula(new_network, images, stream):
    x, y = images
    noises = gaussian(x, 0.25, stream(), copies=2)
    scores = new_network()((x + noises).flatten(0, 1)).reshape(2, 5, 3)
    each, mean = scores.softmax(2), scores.softmax(2).mean(0)
    expected = sum(functional.cross_entropy(s, y, reduction="sum") for s in scores) / 2
    for number in range(5):
        p = mean[number]
        divergence = sum((p * (p / copy).log()).sum() for copy in each[:, number]) / 2
        expected = expected + 10.0 * divergence - 0.5 * (p * p.log()).sum()
    loss, found = ALL["consistency"](new_network(), x, y, stream(), 0)
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=0)
    torch.testing.assert_close(found.exp(), mean)


def test_copies_that_agree_leave_only_the_entropy(new_network, images, stream):
    x, y = images
    network = new_network()
    torch.nn.init.zeros_(network[4].weight)
    torch.nn.init.zeros_(network[4].bias)
    loss, _ = ConsistencyTraining(sigma=0.25, weight=1e6)(network, x, y, stream(), 0)
    assert loss.item() == pytest.approx(5 * math.log(3) * 1.5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NoiseTraining(sigma=0), "sigma is 0"),
        (lambda: NoiseTraining(sigma=float("nan")), "sigma is nan"),
        (lambda: FgsmTraining(epsilon=0), "epsilon is 0"),
        (lambda: PgdTraining(epsilon=-1, step=2, steps=1), "epsilon is -1"),
        (lambda: PgdTraining(epsilon=8, step=0, steps=1), "step is 0"),
        (lambda: PgdTraining(epsilon=8, step=2, steps=0), "steps is 0"),
        (lambda: SmoothAdvTraining(0.25, 0, 1, 1, 1), "epsilon is 0"),
        (lambda: SmoothAdvTraining(0.25, 1, 1, 0, 1), "copies is 0; accepted: 1 or more"),
        (lambda: SmoothMixTraining(0, 1, 1, 1, 1, 1), "sigma is 0"),
        (lambda: SmoothMixTraining(0.25, 1, 1, 1, 0, 1), "eta is 0"),
        (lambda: SmoothMixTraining(0.25, 1, 1, 0, 1, 1), "copies is 0; accepted: 1 or more"),
        (lambda: ConsistencyTraining(0.25, 10, copies=1), "copies is 1; accepted: 2 or more"),
        (lambda: ConsistencyTraining(0, 10), "sigma is 0"),
        (lambda: ConsistencyTraining(0.25, 0), "weight is 0"),
        (lambda: ConsistencyTraining(0.25, 10, entropy=-0.5), "entropy is -0.5"),
        (lambda: Scrfp2Training(sigma=0, eta=0.1), "sigma is 0"),
        (
            lambda: Scrfp2Training(sigma=0.25, eta=1.0),
            "eta is 1.0; accepted: a number between -1 and 1",
        ),
    ],
)
def test_a_bad_number_is_named(make, message):
    with pytest.raises(ValueError, match=rf"^{message}.*config/papers"):
        make()


def recipe(**defence):
    return Defended.model_validate(
        {
            "stage": "defend",
            "optimizer": {"name": "sgd", "momentum": 0.9, "weight_decay": 0.0},
            "lr": {"default": 0.1},
            "schedule": {"kind": "constant"},
            "batch_size": 8,
            "epochs": 1,
            "normalise": "mean",
            "seeds": 1,
            "defence": defence,
        }
    )


def test_a_defence_is_made_as_the_recipe_says():
    made = make_defence(recipe(name="pgd", epsilon=4.0, step=2.0, steps=10, start="gaussian"))
    assert made == PgdTraining(epsilon=4.0, step=2.0, steps=10, start="gaussian")
    assert make_defence(recipe(name="std")) == StandardTraining()


@pytest.mark.parametrize(
    "defence",
    [
        {"name": "noise", "sigma": 0.25},
        {"name": "fgsm", "epsilon": 8.0},
        {"name": "smoothadv", "sigma": 0.5, "epsilon": 1.0, "steps": 1, "copies": 1, "warm_up": 1},
        {"name": "consistency", "sigma": 0.5, "weight": 5.0, "entropy": 0.5, "copies": 2},
        {"name": "scrfp2", "sigma": 0.5, "eta": 0.1, "paths": "fixed", "protocol": "document"},
    ],
)
def test_every_form_has_the_fields_of_its_defence(defence):
    made = make_defence(recipe(**defence))
    assert {"name": defence["name"], **vars(made)} == {**defence, "name": defence["name"]}


def test_pgd_starts_at_the_images_themselves_unless_told_otherwise():
    plain = PgdTraining(epsilon=8, step=2, steps=3)
    assert (plain.norm, plain.start) == ("linf", "none")


def test_an_unknown_defence_is_named():
    with pytest.raises(ValueError, match=r"^unknown defence 'prayer'; .*defences/__init__\.py$"):
        DEFENCES.load("prayer")


def test_a_recipe_without_a_defence_is_named():
    with pytest.raises(ValueError, match=r"^the recipe has no defence; accepted: .*stage defend"):
        make_defence(None)


@pytest.mark.parametrize(
    ("defence", "message"),
    [
        ({"name": "distillation"}, "'distillation'.*does not match any of the expected tags"),
        ({"name": "noise", "sigma": 0.0}, "greater than 0"),
        ({"name": "fgsm", "epsilon": 0.0}, "greater than 0"),
        ({"name": "noise", "sgima": 0.1}, "unknown key 'sgima'"),
        ({"name": "scrfp2", "sigma": 0.1, "eta": 1.0}, "less than 1"),
    ],
)
def test_a_bad_recipe_is_named(defence, message):
    with pytest.raises(ValueError, match=message):
        recipe(**defence)


@pytest.mark.parametrize(
    ("key", "value"), [("label_smoothing", 0.1), ("augmentation", {"lighting": 0.1})]
)
def test_what_a_defence_cannot_heed_is_named(key, value):
    content = recipe(name="std").model_dump() | {key: value}
    with pytest.raises(ValueError, match=rf"{key}.* remove it"):
        Defended.model_validate(content)
