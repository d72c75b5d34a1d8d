"""Thesis, Figure 3.2: formulas and graphs of the five activations of section 3.1.2."""

from dataclasses import dataclass

import pandas as pd
import sympy
import torch
from matplotlib.figure import Figure

from reactivate.activations import create

X = sympy.Symbol("x", real=True)
SELU_SCALE = sympy.Float("1.0507009873554804934193349852946", 30)
SELU_ALPHA = sympy.Float("1.6732632423543772848170429916717", 30)


@dataclass(frozen=True)
class Formula:
    """A function that is smooth below and above 0."""

    name: str  # as printed
    below: sympy.Expr
    above: sympy.Expr

    @classmethod
    def smooth(cls, name: str, expression: sympy.Expr) -> "Formula":
        return cls(name, expression, expression)

    def __call__(self, x: float) -> float:
        """Value at a point."""
        return float((self.above if x >= 0 else self.below).subs(X, x))


FORMULAS = {
    "sigmoid": Formula.smooth("Sigmoid", 1 / (1 + sympy.exp(-X))),
    "tanh": Formula.smooth("tanH", sympy.tanh(X)),
    "relu": Formula("ReLU", sympy.Integer(0), X),
    "gelu": Formula.smooth("GeLU", X * (1 + sympy.erf(X / sympy.sqrt(2))) / 2),
    "selu": Formula("SeLU", SELU_SCALE * SELU_ALPHA * (sympy.exp(X) - 1), SELU_SCALE * X),
}
STYLES = ("#1f6fb4", "-"), ("#d9822b", "--"), ("#444444", "-"), ("#2a9d62", "-."), ("#8a63b8", ":")


def graphs() -> pd.DataFrame:
    """Value and derivative (by autograd) of each activation on [-4, 4]."""
    parts = []
    for key in FORMULAS:
        x = torch.linspace(-4, 4, 161, dtype=torch.float64).requires_grad_()
        value = create(key)(x)
        slope = torch.autograd.grad(value.sum(), x)[0]
        columns = {"x": x.detach(), "value": value.detach(), "derivative": slope}
        part = pd.DataFrame({name: tensor.numpy().round(9) for name, tensor in columns.items()})
        parts.append(part.assign(activation=key))
    return pd.concat(parts, ignore_index=True)[["activation", "x", "value", "derivative"]]


def figure3_2() -> tuple[pd.DataFrame, Figure]:
    """Graphs of the activations and of their derivatives."""
    numbers = graphs()
    figure = Figure(figsize=(8.4, 3.8), layout="constrained")
    panels = figure.subplots(1, 2)
    for axis, quantity, label in zip(
        panels, ("value", "derivative"), ("π(x)", "π'(x)"), strict=True
    ):
        for (key, formula), (colour, dashes) in zip(FORMULAS.items(), STYLES, strict=True):
            part = numbers[numbers["activation"] == key]
            axis.plot(part["x"], part[quantity], dashes, color=colour, label=formula.name)
        axis.set_xlabel("pre-activation x")
        axis.set_ylabel(label)
        axis.grid(alpha=0.25)
    panels[0].set_title("(a) activation functions", fontsize=10)
    panels[1].set_title("(b) derivatives, by autograd", fontsize=10)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    return numbers, figure
