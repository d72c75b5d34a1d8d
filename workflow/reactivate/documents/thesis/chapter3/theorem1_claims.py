"""Thesis, section 3.3: statements on updates and the weights they change (Theorem 1)."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad
from torch.nn.functional import cosine_similarity, cross_entropy, mse_loss

from reactivate.documents.thesis.small_networks import linear_maps, normal, random_dense, shown
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

WEIGHTS = (1.0, 2.0)  # of the one neuron relu(w x), at x = 1
TARGET = 3.0  # what the neuron should give
SIZES = (5, 12, 12, 3)
NETWORKS = 30
DRAWS, CLASSES = 100, 10
ROUNDING = 1e-9

Loss = Callable[[Tensor, Tensor], Tensor]


def update(weight: float) -> float:
    """Gradient of ``(relu(w x) - y)^2`` at x = 1."""
    w = torch.tensor(weight, dtype=torch.float64, requires_grad=True)
    return torch.autograd.grad((w.relu() - TARGET).square(), w)[0].item()


def median_cosine() -> float:
    """Median over layers and networks of the |cosine| between a layer's gradient and weight."""
    stream = generator("thesis", "theorem 1")
    cosines = []
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream).requires_grad_()
        x, y = normal((1, SIZES[0]), stream), normal((1, SIZES[-1]), stream)
        weights = [layer.weight for layer in linear_maps(network)]
        gradients = torch.autograd.grad(mse_loss(network(x), y), weights)
        cosines += [
            cosine_similarity(gradient.flatten(), weight.flatten(), dim=0).abs()
            for gradient, weight in zip(gradients, weights, strict=True)
            if gradient.any()
        ]
    return torch.stack(cosines).median().item()


def curvatures(loss: Loss) -> Tensor:
    """Second derivative of a weight's gradient with respect to that weight, in random networks.

    Third derivatives of the loss by autograd: inside an activation region, as almost surely.
    """
    stream = generator("thesis", "linear gradient")
    derivatives = []
    for number in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x = normal((1, SIZES[0]), stream)
        layer = 2 * (number % len(linear_maps(network)))
        along = partial(_loss_along, loss, network, x, f"{layer}.weight")
        derivatives.append(grad(grad(grad(along)))(torch.zeros((), dtype=torch.float64)))
    return torch.stack(derivatives)


def _loss_along(loss: Loss, network: nn.Module, x: Tensor, name: str, added: Tensor) -> Tensor:
    """Loss after something is added to the first number of a weight."""
    weight = network.get_parameter(name)
    first = torch.zeros_like(weight)
    first[0, 0] = 1.0
    output = functional_call(network, {name: weight + added * first}, (x,))
    return loss(output, x[:, : SIZES[-1]])


def theorem1() -> Judgement:
    """Theorem 1, as section 3.3.2.1 words it: a weight's gradient is linear in that weight.

    Inside an activation region the output is affine in every single weight, and so is the
    gradient of a squared error: its second derivative by the weight is 0.
    """
    largest = curvatures(mse_loss).abs().max().item()
    return sampled(
        largest < ROUNDING,
        f"linear as line 1251 says it, with a constant term: in {NETWORKS} random ReLU networks "
        f"with squared error the second derivative of the gradient is {shown(largest)}; "
        f"{proportional()}",
        cases=NETWORKS,
    )


def proportional() -> str:
    """Theorem 1, as line 1255 uses it: updates beside weights that they should be multiples of."""
    updates = ", ".join(f"{update(w):g} at w = {w:g}" for w in WEIGHTS)
    return (
        f"(relu(w) - {TARGET:g})^2 has the gradient {updates}, which is no fixed multiple of w, "
        f"and in {NETWORKS} random networks the median |cosine| between gradient and weight of a "
        f"layer is {median_cosine():.2f}"
    )


def linear_loss_derivatives() -> Judgement:
    """Eq. 3.7: derivatives of squared error and softmax cross-entropy are ``a y + b``.

    y is the predicted vector, as the sentence after the equation has it: the output for squared
    error, the probabilities for cross-entropy, whose derivative is taken by the logits.
    """
    logits, labels = _draws()
    truth = torch.eye(CLASSES, dtype=torch.float64)[labels]
    squared = grad(lambda z: mse_loss(z, truth, reduction="sum"))(logits) - 2 * (logits - truth)
    error = max(squared.abs().max().item(), _cross_entropy_error(logits, labels))
    return sampled(
        error < ROUNDING,
        f"with a = 2, b = -2 y for squared error and a = 1, b = -y for cross-entropy by the "
        f"logits the difference is {shown(error)}; in the logits themselves the derivative of "
        f"cross-entropy is not linear ({_bend():.4f} is its second difference at 0, 1, 2)",
        cases=DRAWS,
    )


def _bend() -> float:
    """Second difference of the derivative of cross-entropy of two classes, the other logit 0."""
    slopes = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64).sigmoid() - 1
    return (slopes[0] - 2 * slopes[1] + slopes[2]).item()


def cross_entropy_gradient() -> Judgement:
    """Before Eq. 3.11: the derivative of cross-entropy by the logits is ``-y + softmax``."""
    error = _cross_entropy_error(*_draws())
    return sampled(
        error < ROUNDING,
        f"difference {shown(error)} over {DRAWS} draws of {CLASSES} classes",
        cases=DRAWS,
    )


def _draws() -> tuple[Tensor, Tensor]:
    """Logits and labels."""
    stream = generator("thesis", "cross-entropy")
    logits = normal((DRAWS, CLASSES), stream)
    return logits, torch.randint(CLASSES, (DRAWS,), generator=stream)


def _cross_entropy_error(logits: Tensor, labels: Tensor) -> float:
    """Largest difference of the derivative of cross-entropy from ``softmax - y``."""
    derivative = grad(lambda z: cross_entropy(z, labels, reduction="sum"))(logits)
    expected = logits.softmax(dim=1) - torch.eye(CLASSES, dtype=torch.float64)[labels]
    return float((derivative - expected).abs().max())
