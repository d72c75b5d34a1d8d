"""Thesis, Figures 3.19 to 3.22: neurons of the toy model, and its loss.

A single network is a matter of chance. Figures 3.19 to 3.21 therefore train many of every kind,
show the one with the median loss, and have beside it numbers of every network, as it is trained
for the picture and under other readings of what the thesis leaves open.
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


def figure3_19(early: int, late: int, repeats: int, trainings: str) -> pd.DataFrame:
    """Neurons of ReLU(15, 1) and Sigmoid(15, 15), after few and after many epochs."""
    return neurons(BEST, [early, late], repeats, readings(trainings))


def figure3_20(epochs: int, repeats: int, trainings: str) -> pd.DataFrame:
    """Neurons of ReLU(1, 1), ReLU(15, 1) and ReLU(15, 0)."""
    return neurons(RELU, [epochs], repeats, readings(trainings))


def figure3_21(epochs: int, repeats: int, trainings: str) -> pd.DataFrame:
    """Neurons of Sigmoid(1, 1), Sigmoid(15, 0) and Sigmoid(50, 50)."""
    return neurons(SIGMOID, [epochs], repeats, readings(trainings))


def figure3_22(epochs: int, repeats: int, trainings: str, largest: int, step: int) -> pd.DataFrame:
    """Losses of networks of every kind, w and b being multiples of ``step`` up to ``largest``.

    The columns ``loss1``, ``loss2`` and so on are those of the single networks.
    """
    sizes = range(step, largest + 1, step)
    models = [Model(a, w, b) for a in ACTIVATIONS for w in sizes for b in sizes]
    rows = []
    for training in readings(trainings):
        x = training.inputs()
        states = trained(models, [epochs], repeats, training, torch.float32)
        for (model, _), state in states.items():
            loss = losses(look(model.activation, state.double(), x).contribution, x)
            row = {"training": str(training), **asdict(model), "repeats": repeats}
            row |= {"epochs": epochs, "mean_loss": loss.mean().item()}
            rows.append(row | {f"loss{i}": own for i, own in enumerate(loss.tolist(), 1)})
    return pd.DataFrame(rows).round(DIGITS)


def readings(trainings: str) -> list[Training]:
    """Trainings that settings list, ``21 sgd 1, 51 sgd 1``; the first is that of the picture."""
    return [Training.parse(text) for text in trainings.split(",")]


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
    models: Sequence[Model], epochs: Sequence[int], repeats: int, trainings: Sequence[Training]
) -> pd.DataFrame:
    """Neurons at every input, in the network with the median loss of its kind; and all networks.

    The column ``part`` tells the rows apart: ``neuron`` of the network that is drawn, trained in
    the first of the ways, and ``network``, see :func:`each_network`.
    """
    parts = []
    for training in trainings:
        x = training.inputs()
        states = trained(models, epochs, repeats, training)
        for (model, epoch), state in states.items():
            if training == trainings[0]:
                loss = losses(look(model.activation, state, x).contribution, x).median(dim=0)
                part = _drawn(model.activation, state[..., [int(loss.indices)]])
                part = part.assign(model=str(model), epoch=epoch, part="neuron")
                parts.append(part.assign(loss=loss.values.item()))
        states |= {(model, 0): initialize(model, repeats) for model in models}
        for (model, epoch), state in states.items():
            part = pd.DataFrame(each_network(look(model.activation, state, x), x))
            part = part.assign(model=str(model), epoch=epoch, part="network")
            parts.append(part.assign(training=str(training)))
    frame = pd.concat(parts, ignore_index=True).assign(repeats=repeats)
    first = ["part", "training", "model", "epoch", "network", "neuron", "x"]
    return frame[[*first, *[name for name in frame if name not in first]]].round(2 * DIGITS)


def _drawn(activation: str, network: Tensor) -> pd.DataFrame:
    """The neurons of one network, a row for every neuron and input."""
    seen = look(activation, network, DRAWN)
    prediction = seen.contribution.sum(dim=(0, 2))
    every = {"x": DRAWN, "objective": objective(DRAWN), "prediction": prediction}
    columns = {name: part.repeat(NEURONS) for name, part in every.items()}
    columns |= {name: part.flatten() for name, part in seen._asdict().items()}
    frame = pd.DataFrame({name: part.numpy().round(DIGITS) for name, part in columns.items()})
    frame["neuron"] = np.repeat(range(1, NEURONS + 1), len(DRAWN))
    return frame


def each_network(seen: Neurons, x: Tensor) -> dict[str, list[float]]:
    """Numbers of every network of one kind.

    Returns:
        Its loss, and the loss as a share of the objective's variance (``unexplained``); its
        neurons that are nearly constant, that is, vary by less than a tenth of the objective's
        range; over its neurons that have one, the median of the mean weight gradient over inputs
        by the mean size of a single input's (``net_gradient``: 0 where the gradients of the
        samples cancel out; nan where no neuron has a gradient); its loss where |x| is up to 1/2,
        and elsewhere.
    """
    target = objective(x)
    loss = losses(seen.contribution, x)
    varies = seen.contribution.amax(dim=1) - seen.contribution.amin(dim=1)
    constant = varies <= CONSTANT * (target.max() - target.min())
    size = seen.weight_gradient.abs().mean(dim=1)
    net = seen.weight_gradient.mean(dim=1).abs() / size  # 0 / 0 is nan: no gradient
    near = x.abs() <= NEAR
    columns = {
        "loss": loss,
        "unexplained": loss / target.var(correction=0),
        "constant_neurons": constant.sum(dim=0),
        "net_gradient": net.nanmedian(dim=0).values,
        "loss_near_zero": losses(seen.contribution[:, near], x[near]),
        "loss_elsewhere": losses(seen.contribution[:, ~near], x[~near]),
    }
    numbers = {name: column.tolist() for name, column in columns.items()}
    return {"network": list(range(1, len(loss) + 1)), **numbers}
