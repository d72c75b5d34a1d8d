"""The toy model of the thesis' section 3.4: networks 1-10-1, thousands of them trained at once.

A network predicts ``sum_i v_i activation(w_i x + b_i)`` over ten neurons, so that what the neurons
contribute sums to the prediction (Eq. 3.14). ReLU(w, b) and Sigmoid(w, b) draw their ``w_i`` from
U(-w, w) and their ``b_i`` from U(-b, b).

The thesis prints the objective (Eq. 3.13), the learning rate and the numbers of epochs; the
author's programs do not hold this experiment. What is left open is read as follows.

- The output weights ``v_i`` are drawn as PyTorch draws them, U(-1/sqrt(10), 1/sqrt(10)). There is
  no output bias: Eq. 3.14 has none.
- The loss is the squared error of a sample, and every sample makes a step of plain gradient
  descent, as in Eq. 3.12; the samples come in a new order in every epoch. One step of 0.001 per
  epoch would leave networks that are "trained until they reach convergence" near their start.
- The arithmetic sequence has 21 members, a tenth apart. Their number is that of the steps in an
  epoch, and decides how far Sigmoid(1, 1) gets in the 1000 epochs of Figure 3.21: with 101 it has
  learned the objective, and Sigmoid(50, 50) is the worst of the three. Claims are therefore judged
  with 51 and 101 members and with Adam on whole epochs as well.
- Figure 3.22 goes up to w = b = 20: of ReLU(30, 30), steps of 0.001 kill most networks at once.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from reactivate.foundation.registry import unknown_name
from reactivate.foundation.seeding import generator
from reactivate.training.adam import BatchedAdam

NEURONS = 10
RATE = 0.001
BLOCK = 2**19  # values of neurons that are computed side by side, few enough for the cache
OPTIMIZERS = ["adam", "sgd"]
InPlace = Callable[[Tensor], Tensor]
ACTIVATIONS: dict[str, tuple[InPlace, InPlace]] = {  # the function, and its slope from its value
    "relu": (torch.relu_, Tensor.sign_),
    "sigmoid": (torch.sigmoid_, lambda value: value.addcmul_(value, value, value=-1)),
}


@dataclass(frozen=True)
class Model:
    """Initialization of networks: weights from U(-w, w), biases from U(-b, b)."""

    activation: str
    w: float
    b: float

    def __str__(self) -> str:
        """The name of the model as the thesis writes it.

        Example:
            >>> print(Model("relu", 15, 1))
            ReLU(15, 1)
        """
        name = {"relu": "ReLU", "sigmoid": "Sigmoid"}[self.activation]
        return f"{name}({self.w:g}, {self.b:g})"


@dataclass(frozen=True)
class Training:
    """Inputs, optimizer and steps of a training.

    Args:
        points: Length of the arithmetic sequence in [-1, 1].
        optimizer: ``sgd`` or ``adam``.
        samples_per_step: Samples that make a step, in a new order in every epoch; 0 for all.
    """

    points: int = 21
    optimizer: str = "sgd"
    samples_per_step: int = 1

    def __post_init__(self) -> None:
        if self.optimizer not in OPTIMIZERS:
            raise unknown_name("optimizer", self.optimizer, OPTIMIZERS, __file__)

    def __str__(self) -> str:
        """The training in words, as a reading of the document is named.

        Example:
            >>> print(Training(), Training(51, "adam", 0), sep="; ")
            21 points, sgd, 1 a step; 51 points, adam, all a step
        """
        return f"{self.points} points, {self.optimizer}, {self.samples_per_step or 'all'} a step"

    @classmethod
    def parse(cls, text: str) -> "Training":
        """The training that settings write as points, optimizer and samples: ``51 adam 0``."""
        points, optimizer, samples = text.split()
        return cls(int(points), optimizer, int(samples))

    @property
    def samples(self) -> int:
        """Number of samples of a step, at most."""
        return min(self.samples_per_step or self.points, self.points)

    def inputs(self, dtype: torch.dtype = torch.float64) -> Tensor:
        """The inputs, an arithmetic sequence, ``(points)``."""
        return torch.linspace(-1, 1, self.points, dtype=dtype)


def objective(x: Tensor) -> Tensor:
    """Eq. 3.13: ``2 cos(pi x) + x (x - 1) + 1``.

    Example:
        >>> objective(torch.tensor([-1.0, 0.0, 1.0])).tolist()
        [1.0, 3.0, -1.0]
    """
    return 2 * (math.pi * x).cos() + x * (x - 1) + 1


def initialize(model: Model, repeats: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Parameters of networks of one kind, ``(3, 10, repeats)``: w, b and v of every neuron.

    The first networks of many are those of few, and each kind has draws of its own.
    """
    stream = generator("thesis", "toy", float(model.w), float(model.b))
    draws = torch.rand(repeats, 3, NEURONS, generator=stream, dtype=torch.float64)
    bounds = torch.tensor([model.w, model.b, NEURONS**-0.5], dtype=torch.float64).view(3, 1, 1)
    return ((2 * draws.permute(1, 2, 0) - 1) * bounds).to(dtype).contiguous()


class Neurons(NamedTuple):
    """Contributions and gradients of neurons at every input, ``(10, points, networks)`` each."""

    contribution: Tensor  # v activation(w x + b)
    weight_gradient: Tensor  # of the squared error at this input alone, with respect to w
    bias_gradient: Tensor  # with respect to b


def look(activation: str, parameters: Tensor, x: Tensor) -> Neurons:
    """Contributions and gradients of the neurons at inputs ``(points)``, one at a time."""
    activate, slope = ACTIVATIONS[activation]
    w, b, v = parameters.unsqueeze(2)
    x = x.unsqueeze(1)
    value = activate(torch.addcmul(b, w, x))
    contribution = v * value
    of_b = 2 * (contribution.sum(dim=0) - objective(x)) * v * slope(value)
    return Neurons(contribution, of_b * x, of_b)


def losses(contribution: Tensor, x: Tensor) -> Tensor:
    """Mean squared error of every network, ``(networks)``, from what its neurons contribute."""
    return (contribution.sum(dim=0) - objective(x).unsqueeze(1)).square().mean(dim=0)


class Gradients:
    """Gradient of the mean squared error of many networks, each with respect to its parameters.

    With the networks in the last dimension every operation runs along all of them. The memory is
    that of two tensors ``(10, samples, networks)``, taken once, as is that of the result.
    """

    def __init__(self, activation: str, samples: int, like: Tensor) -> None:
        self.activate, self.slope = ACTIVATIONS[activation]
        self.memory = like.new_empty(2, NEURONS, samples, like.shape[-1])
        self.result = like.new_empty(3, NEURONS, like.shape[-1])

    def __call__(self, parameters: Tensor, x: Tensor, y: Tensor) -> Tensor:
        """Gradients of w, b and v, ``(3, 10, networks)``; the next call overwrites them.

        Args:
            parameters: w, b and v, ``(3, 10, networks)``.
            x: Inputs, ``(samples, 1)``.
            y: What is to be predicted, ``(samples, 1)``.
        """
        w, b, v = parameters.unsqueeze(2)
        value, product = self.memory[:, :, : len(x)]
        self.activate(torch.addcmul(b, w, x, out=value))
        torch.mul(value, v, out=product)
        error = product.sum(dim=0).sub_(y).mul_(2 / len(x))
        of_w, of_b, of_v = self.result
        torch.sum(torch.mul(value, error, out=product), dim=1, out=of_v)
        slope = self.slope(value).mul_(error)
        torch.sum(slope, dim=1, out=of_b).mul_(parameters[2])
        torch.sum(slope.mul_(x), dim=1, out=of_w).mul_(parameters[2])
        return self.result


def train(
    activation: str,
    parameters: Tensor,
    epochs: Sequence[int],
    training: Training,
    block: int | None = None,
) -> list[Tensor]:
    """Trains every network for itself.

    Args:
        activation: What all networks have in common.
        parameters: w, b and v, ``(3, 10, networks)``; kept as they are.
        epochs: After which the parameters are wanted, in ascending order.
        training: What is learned, and how.
        block: Networks that are trained side by side while the others wait; None for as many as
            the cache is good for.

    Returns:
        The parameters after each of ``epochs``.
    """
    block = block or BLOCK // (NEURONS * training.samples)
    starts = [parameters[..., i : i + block] for i in range(0, parameters.shape[-1], block)]
    parts = [_train_block(activation, start, epochs, training) for start in starts]
    return [torch.cat(states, dim=-1) for states in zip(*parts, strict=True)]


def _train_block(
    activation: str, start: Tensor, epochs: Sequence[int], training: Training
) -> list[Tensor]:
    parameters = start.clone(memory_format=torch.contiguous_format)
    x = training.inputs(parameters.dtype).unsqueeze(1)
    y = objective(x)
    gradients = Gradients(activation, training.samples, parameters)
    move = _optimizer(training.optimizer, parameters)
    order = generator("thesis", "toy", "order")
    states = []
    for epoch in range(1, epochs[-1] + 1):
        if training.samples < len(x):
            chosen = torch.randperm(len(x), generator=order)
            x, y = x[chosen], y[chosen]
        for i in range(0, len(x), training.samples):
            move(gradients(parameters, x[i : i + training.samples], y[i : i + training.samples]))
        if epoch in epochs:
            states.append(parameters.clone())
    return states


def _optimizer(name: str, parameters: Tensor) -> Callable[[Tensor], object]:
    """A function that takes gradients and moves the parameters."""
    if name == "sgd":
        return lambda gradient: parameters.sub_(gradient, alpha=RATE)
    whole = nn.Parameter(parameters, requires_grad=False)  # the same memory
    adam = BatchedAdam([whole], lr=parameters.new_tensor([RATE]))
    return lambda gradient: adam.step([gradient])
