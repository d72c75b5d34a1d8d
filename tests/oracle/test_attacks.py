"""Attacks against closed forms, against loops written out image by image, and against foolbox."""

import math
import warnings

import pytest
import scipy.stats
import torch
from reactivate.attacks.fgsm import fgsm
from reactivate.attacks.pgd import pgd, started
from torch import nn
from torch.nn import functional

SMALL = 1e-3  # a step that leaves no pixel outside [0, 1]


@pytest.fixture
def linear():
    """Two classes of twelve pixels; the margin's gradient is ``w``."""
    stream = torch.Generator().manual_seed(1)
    layer = nn.Linear(12, 2, dtype=torch.float64)
    layer.weight.data = torch.randn(2, 12, generator=stream, dtype=torch.float64)
    return layer


@pytest.fixture
def curved():
    """A small convolutional network, in evaluation mode, that is no linear map."""
    torch.manual_seed(2)
    network = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3)
    ).double()
    return network.eval()


@pytest.fixture
def images():
    stream = torch.Generator().manual_seed(3)
    return torch.rand(6, 1, 4, 4, generator=stream, dtype=torch.float64), torch.arange(6) % 3


def points():
    stream = torch.Generator().manual_seed(4)
    return torch.rand(5, 12, generator=stream, dtype=torch.float64)


def away(layer, y):
    """Gradient of the cross-entropy up to its length: from the own class to the other one."""
    w = layer.weight.data
    return torch.stack([w[1 - label] - w[label] for label in y.tolist()])


@pytest.mark.parametrize("epsilon", [SMALL, 8 / 255, 0.4])
def test_fgsm_of_a_linear_classifier_is_the_closed_form(linear, epsilon):
    x, y = points(), torch.tensor([0, 1, 0, 1, 1])
    expected = (x + epsilon * away(linear, y).sign()).clamp(0, 1)
    torch.testing.assert_close(fgsm(linear, x, y, epsilon), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("start", ["none", "uniform", "gaussian"])
def test_pgd_of_a_linear_classifier_reaches_the_corner_of_the_cube(linear, start):
    x, y = points(), torch.tensor([0, 1, 0, 1, 1])
    stream = torch.Generator().manual_seed(0)
    found = pgd(linear, x, y, 0.1, 0.025, 40, start=start, generator=stream)
    expected = (x + 0.1 * away(linear, y).sign()).clamp(0, 1)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("steps", [10, 60])
def test_l2_pgd_of_a_linear_classifier_reaches_the_point_of_the_sphere(linear, steps):
    x, y = torch.full((5, 12), 0.5, dtype=torch.float64), torch.tensor([0, 1, 0, 1, 1])
    w = away(linear, y)
    expected = x + 0.3 * w / w.norm(dim=1, keepdim=True)
    found = pgd(linear, x, y, 0.3, 0.05, steps, norm="l2")
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_l2_pgd_from_anywhere_in_the_ball_gets_there_too(linear):
    x, y = torch.full((5, 12), 0.5, dtype=torch.float64), torch.tensor([0, 1, 0, 1, 1])
    w = away(linear, y)
    expected = x + 0.3 * w / w.norm(dim=1, keepdim=True)
    stream = torch.Generator().manual_seed(0)
    found = pgd(linear, x, y, 0.3, 0.05, 400, norm="l2", start="uniform", generator=stream)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-4)


DRAWS = 4000


def offsets(norm, start, epsilon=0.1, at=0.5, pixels=12):
    """Starts of many equal images, as distances from them in units of epsilon."""
    x = torch.full((DRAWS, pixels), at, dtype=torch.float64)
    return (started(x, epsilon, norm, start, torch.Generator().manual_seed(0)) - x) / epsilon


def test_a_gaussian_start_is_normal_noise_of_deviation_epsilon():
    found = offsets("linf", "gaussian").flatten().numpy()
    assert scipy.stats.kstest(found, "norm").pvalue > 0.01


def test_a_gaussian_start_in_l2_is_uniform_on_the_sphere():
    found = offsets("l2", "gaussian")
    torch.testing.assert_close(found.norm(dim=1), torch.ones(DRAWS, dtype=torch.float64))
    # of a direction that is uniform on the sphere, (u_1 + 1) / 2 has a Beta distribution
    beta = scipy.stats.beta((12 - 1) / 2, (12 - 1) / 2)
    assert scipy.stats.kstest((found[:, 0].numpy() + 1) / 2, beta.cdf).pvalue > 0.01


def test_a_uniform_start_is_uniform_in_the_cube():
    found = offsets("linf", "uniform").flatten().numpy()
    assert scipy.stats.kstest(found, scipy.stats.uniform(-1, 2).cdf).pvalue > 0.01


@pytest.mark.parametrize("pixels", [2, 12])
def test_a_uniform_start_in_l2_is_uniform_in_the_ball(pixels):
    """The share of the ball inside a radius r is r to the power of the dimension."""
    lengths = offsets("l2", "uniform", pixels=pixels).norm(dim=1).numpy()
    assert lengths.max() <= 1
    assert scipy.stats.kstest(lengths**pixels, "uniform").pvalue > 0.01


@pytest.mark.parametrize("at", [0.0, 1.0])
@pytest.mark.parametrize("norm", ["linf", "l2"])
def test_a_uniform_start_is_an_image(norm, at):
    moved = at + 0.5 * offsets(norm, "uniform", epsilon=0.5, at=at)
    assert 0 <= moved.min() < moved.max() <= 1


@pytest.mark.parametrize("norm", ["linf", "l2"])
def test_a_gaussian_start_may_leave_the_range_as_in_the_authors_code(norm):
    assert (0.5 * offsets(norm, "gaussian", epsilon=0.5, at=0.0)).min() < -0.1


def written_out(network, x, y, epsilon, step, steps, norm):
    """The same attack, one image and one pixel at a time."""
    found = []
    for image, label in zip(x, y, strict=True):
        at = image.clone()
        for _ in range(steps):
            seen = at[None].clone().requires_grad_()
            loss = -functional.log_softmax(network(seen), 1)[0, label]
            gradient = torch.autograd.grad(loss, seen)[0][0].flatten().tolist()
            length = math.sqrt(sum(g * g for g in gradient))
            moves = [g / length if norm == "l2" else (g > 0) - (g < 0) for g in gradient]
            old, new = image.flatten().tolist(), at.flatten().tolist()
            new = [n + step * move for n, move in zip(new, moves, strict=True)]
            moved = [n - o for n, o in zip(new, old, strict=True)]
            if norm == "l2":
                far = math.sqrt(sum(m * m for m in moved))
                moved = [m * min(1, epsilon / far) for m in moved]
            else:
                moved = [max(-epsilon, min(epsilon, m)) for m in moved]
            kept = [max(0.0, min(1.0, o + m)) for o, m in zip(old, moved, strict=True)]
            at = torch.tensor(kept, dtype=image.dtype).reshape(image.shape)
        found.append(at)
    return torch.stack(found)


@pytest.mark.parametrize("norm", ["linf", "l2"])
@pytest.mark.parametrize(("epsilon", "step"), [(8 / 255, 2 / 255), (0.5, 0.2)])
def test_pgd_is_the_loop_written_out(curved, images, norm, epsilon, step):
    x, y = images
    found = pgd(curved, x, y, epsilon, step, 10, norm=norm)
    expected = written_out(curved, x, y, epsilon, step, 10, norm)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_fgsm_is_one_step_of_the_loop(curved, images):
    x, y = images
    expected = written_out(curved, x, y, 0.1, 0.1, 1, "linf")
    torch.testing.assert_close(fgsm(curved, x, y, 0.1), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("attack", "epsilon", "arguments"),
    [
        ("FGSM", 8 / 255, {"step": 8 / 255, "steps": 1}),
        ("LinfPGD", 8 / 255, {"step": 2 / 255, "steps": 10}),
        ("L2PGD", 0.5, {"step": 0.2, "steps": 10, "norm": "l2"}),
    ],
)
def test_attacks_are_those_of_foolbox(curved, images, attack, epsilon, arguments):
    with warnings.catch_warnings(action="ignore"):  # it imports a name that scipy moved
        import foolbox

    x, y = images[0].float(), images[1]
    network = curved.float()
    model = foolbox.PyTorchModel(network, bounds=(0, 1), device="cpu")
    options = {"random_start": False}
    if attack != "FGSM":
        options |= {"abs_stepsize": arguments["step"], "steps": arguments["steps"]}
    found = getattr(foolbox.attacks, attack)(**options)(model, x, y, epsilons=epsilon)[1]
    torch.testing.assert_close(pgd(network, x, y, epsilon, **arguments), found, rtol=0, atol=1e-6)
