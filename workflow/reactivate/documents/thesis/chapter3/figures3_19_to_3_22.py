"""Thesis, Figures 3.19 to 3.22: neurons of the toy model, and its loss.

A single network is a matter of chance. Figures 3.19 to 3.21 therefore train many of every kind,
show the one with the median loss, and have beside it what is typical of all of them.
"""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from reactivate.documents.thesis.chapter3.toy import (
    ACTIVATIONS,
    NEURONS,
    Model,
    Neurons,
    Training,
    initialize,
    look,
    losses,
    objective,
    train,
)

BEST = [Model("relu", 15, 1), Model("sigmoid", 15, 15)]
RELU = [Model("relu", 1, 1), Model("relu", 15, 1), Model("relu", 15, 0)]
SIGMOID = [Model("sigmoid", 1, 1), Model("sigmoid", 15, 0), Model("sigmoid", 50, 50)]
CONSTANT = 0.1  # of the objective's range: a neuron that varies less is nearly constant
NEAR = 0.5  # inputs up to here are near zero
DIGITS = 5
DRAWN = torch.linspace(-1, 1, 51, dtype=torch.float64)  # finer than what is learned


def figure3_19(
    early: int,
    late: int,
    repeats: int,
    points: int,
    optimizer: str = "sgd",
    samples_per_step: int = 1,
) -> pd.DataFrame:
    """Neurons of ReLU(15, 1) and Sigmoid(15, 15), after few and after many epochs."""
    training = Training(points, optimizer, samples_per_step)
    return neurons(BEST, [early, late], repeats, training)


def figure3_20(
    epochs: int, repeats: int, points: int, optimizer: str = "sgd", samples_per_step: int = 1
) -> pd.DataFrame:
    """Neurons of ReLU(1, 1), ReLU(15, 1) and ReLU(15, 0)."""
    return neurons(RELU, [epochs], repeats, Training(points, optimizer, samples_per_step))


def figure3_21(
    epochs: int, repeats: int, points: int, optimizer: str = "sgd", samples_per_step: int = 1
) -> pd.DataFrame:
    """Neurons of Sigmoid(1, 1), Sigmoid(15, 0) and Sigmoid(50, 50)."""
    return neurons(SIGMOID, [epochs], repeats, Training(points, optimizer, samples_per_step))


def figure3_22(
    epochs: int,
    repeats: int,
    points: int,
    largest: int,
    step: int,
    optimizer: str = "sgd",
    samples_per_step: int = 1,
) -> pd.DataFrame:
    """Loss over networks of every kind, w and b being multiples of ``step`` up to ``largest``."""
    training = Training(points, optimizer, samples_per_step)
    sizes = range(step, largest + 1, step)
    models = [Model(a, w, b) for a in ACTIVATIONS for w in sizes for b in sizes]
    x = training.inputs()
    states = trained(models, [epochs], repeats, training, torch.float32).values()
    seen = (look(m.activation, s.double(), x) for m, s in zip(models, states, strict=True))
    loss = torch.stack([losses(neuron.contribution, x) for neuron in seen])
    frame = pd.DataFrame([asdict(model) for model in models])
    frame["mean_loss"] = loss.mean(dim=1).numpy()
    frame["standard_error"] = (loss.std(dim=1, correction=0) / max(repeats - 1, 1) ** 0.5).numpy()
    frame["median_loss"] = loss.median(dim=1).values.numpy()
    return frame.assign(repeats=repeats, epochs=epochs).round(DIGITS)


def trained(
    models: Sequence[Model],
    epochs: Sequence[int],
    repeats: int,
    training: Training,
    dtype: torch.dtype = torch.float64,
) -> dict[tuple[Model, int], Tensor]:
    """Parameters ``(3, 10, repeats)`` of networks of every kind after each of ``epochs``.

    All those with one activation are trained at once.
    """
    parameters = {}
    for activation in ACTIVATIONS:
        own = [model for model in models if model.activation == activation]
        if own:
            start = torch.cat([initialize(model, repeats, dtype) for model in own], dim=-1)
            for epoch, state in zip(
                epochs, train(activation, start, epochs, training), strict=True
            ):
                for place, model in enumerate(own):
                    parameters[model, epoch] = state[..., place * repeats : (place + 1) * repeats]
    return {(model, epoch): parameters[model, epoch] for model in models for epoch in epochs}


def neurons(
    models: Sequence[Model], epochs: Sequence[int], repeats: int, training: Training
) -> pd.DataFrame:
    """Neurons at every input, in the network with the median loss of its kind.

    The columns from ``median_loss`` to ``loss_elsewhere`` describe all networks of the kind, and
    are the same in all of its rows; see :func:`typical`.
    """
    x = training.inputs()
    parts = []
    for (model, epoch), state in trained(models, epochs, repeats, training).items():
        seen = look(model.activation, state, x)
        median = int(losses(seen.contribution, x).median(dim=0).indices)
        part = _drawn(model.activation, state[..., [median]])
        part = part.assign(model=str(model), epoch=epoch, repeats=repeats)
        parts.append(part.assign(**typical(seen, x)))
    frame = pd.concat(parts, ignore_index=True).round(DIGITS)
    first = ["model", "epoch", "neuron", "x"]
    return frame[[*first, *[name for name in frame if name not in first]]]


def _drawn(activation: str, network: Tensor) -> pd.DataFrame:
    """The neurons of one network, a row for every neuron and input."""
    seen = look(activation, network, DRAWN)
    prediction = seen.contribution.sum(dim=(0, 2))
    every = {"x": DRAWN, "objective": objective(DRAWN), "prediction": prediction}
    columns = {name: part.repeat(NEURONS) for name, part in every.items()}
    columns |= {name: part.flatten() for name, part in seen._asdict().items()}
    frame = pd.DataFrame({name: part.numpy() for name, part in columns.items()})
    frame["neuron"] = np.repeat(range(1, NEURONS + 1), len(DRAWN))
    return frame


def typical(seen: Neurons, x: Tensor) -> dict[str, float]:
    """Summary of many networks of one kind.

    Returns:
        Median and quartiles of the loss; the mean number of neurons that contribute, that is,
        vary by more than a tenth of the objective's range; over all neurons that have one, the
        median size of the weight gradient at an input (``absolute_gradient``), and of its mean
        over inputs as a share of that (``net_gradient``: 0 where the gradients of the samples
        cancel out); median loss where |x| is up to 1/2, and elsewhere.
    """
    target = objective(x)
    loss = losses(seen.contribution, x)
    varies = seen.contribution.amax(dim=1) - seen.contribution.amin(dim=1)
    contributes = varies > CONSTANT * (target.max() - target.min())
    size = seen.weight_gradient.abs().mean(dim=1)
    alive = size > 0
    net = seen.weight_gradient.mean(dim=1).abs()[alive] / size[alive]
    near = x.abs() <= NEAR
    lower, upper = loss.quantile(torch.tensor([0.25, 0.75], dtype=loss.dtype)).tolist()
    return {
        "median_loss": loss.median().item(),
        "lower_quartile": lower,
        "upper_quartile": upper,
        "contributing_neurons": contributes.sum(dim=0).double().mean().item(),
        "absolute_gradient": size[alive].median().item(),
        "net_gradient": net.median().item(),
        "loss_near_zero": losses(seen.contribution[:, near], x[near]).median().item(),
        "loss_elsewhere": losses(seen.contribution[:, ~near], x[~near]).median().item(),
    }
