"""Thesis, section 3.3: statements on updates and the weights they change (Theorem 1)."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, jacrev
from torch.nn.functional import cosine_similarity, cross_entropy, mse_loss

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import linear_maps, normal, random_dense, shown
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

WEIGHTS = (1.0, 2.0)  # of the one neuron relu(w x), at x = 1
TARGET = 3.0  # what the neuron should give
SIZES = (5, 12, 12, 3)
NETWORKS = 30
ROUNDING = 1e-9

Loss = Callable[[Tensor, Tensor], Tensor]


def update(weight: float) -> float:
    """Gradient of ``(relu(w x) - y)^2`` at x = 1."""
    w = torch.tensor(weight, dtype=torch.float64, requires_grad=True)
    return torch.autograd.grad((w.relu() - TARGET).square(), w)[0].item()


def theorem1() -> Judgement:
    """Theorem 1: for a loss with a linear derivative the update is proportional to the weight."""
    updates = [update(w) for w in WEIGHTS]
    ratios = [u / w for u, w in zip(updates, WEIGHTS, strict=True)]
    shown = ", ".join(f"{u:g} at w = {w:g}" for u, w in zip(updates, WEIGHTS, strict=True))
    return judge(
        abs(ratios[0] - ratios[1]) < ROUNDING,
        f"(relu(w) - {TARGET:g})^2 has the gradient {shown}: affine in w, not proportional; in "
        f"{NETWORKS} random ReLU networks with squared error the median |cosine| between "
        f"gradient and weight is {median_cosine():.2f}, not 1",
    )


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


def theorem1_linear() -> Judgement:
    """After Theorem 1: with squared error a weight's gradient is affine in that weight."""
    largest = curvatures(mse_loss).abs().max().item()
    return judge(
        largest < ROUNDING,
        f"the second derivative of the gradient is {shown(largest)} in {NETWORKS} random ReLU "
        "networks with squared error, inside an activation region; affine, with a constant term",
    )


def linear_loss_derivatives() -> Judgement:
    """Eq. 3.7: the derivatives of squared error and softmax cross-entropy are ``a y + b``."""
    logit = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    slopes = logit.sigmoid() - 1  # of the cross-entropy, two classes, second logit 0
    bend = (slopes[0] - 2 * slopes[1] + slopes[2]).item()
    shown = ", ".join(f"{slope:.4f}" for slope in slopes.tolist())
    within = curvatures(lambda out, x: cross_entropy(out, x.argmax(dim=1))).abs().max().item()
    return judge(
        abs(bend) < ROUNDING,
        "squared error yes; cross-entropy of two classes has the derivatives "
        f"{shown} at the logits 0, 1, 2 (second difference {bend:.4f}), and -1/p in the "
        f"probability; a weight's gradient then bends by up to {within:.2g}",
    )


def softmax_jacobian(probabilities: Tensor) -> Tensor:
    """Derivatives ``d y_j / d x_i`` as Eq. 3.10 prints them, ``(j, i)``."""
    off = -(probabilities * probabilities).unsqueeze(1).expand(-1, len(probabilities))
    return off + torch.diag(probabilities)


def softmax_derivative() -> Judgement:
    """Eq. 3.10: ``-y_j y_j`` for i != j."""
    logits = torch.tensor([1.0, 2.0], dtype=torch.float64).log()  # probabilities 1/3 and 2/3
    true = jacrev(lambda z: z.softmax(dim=0))(logits)
    printed = softmax_jacobian(logits.softmax(dim=0))
    return judge(
        torch.allclose(true, printed),
        f"probabilities 1/3, 2/3: d y_1 / d x_2 = {true[0, 1].item():.4f} = -y_1 y_2, the "
        f"printed -y_1 y_1 is {printed[0, 1].item():.4f}",
    )


def cross_entropy_gradient() -> Judgement:
    """Before Eq. 3.11: the derivative by the logits is ``-y + softmax``."""
    stream = generator("thesis", "cross-entropy")
    logits = torch.randn(100, 10, generator=stream, dtype=torch.float64)
    labels = torch.randint(10, (100,), generator=stream)

    def total(z: Tensor) -> Tensor:
        return cross_entropy(z, labels, reduction="sum")

    expected = logits.softmax(dim=1) - torch.eye(10, dtype=torch.float64)[labels]
    error = (grad(total)(logits) - expected).abs().max().item()
    return judge(error < ROUNDING, f"difference {shown(error)} over 100 draws of 10 classes")
