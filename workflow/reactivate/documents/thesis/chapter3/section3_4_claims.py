"""Thesis, section 3.4: a statement on the neurons of the toy model, recomputed."""

from fractions import Fraction

from reactivate.documents.thesis.chapter3.toy import Model
from reactivate.judging.exact import not_run, proved
from reactivate.judging.judgement import Judgement

MODELS = (Model("relu", 15, 1), Model("sigmoid", 15, 15))
PARTS = 20  # of the interval on which a share must rise evenly


def share_below(t: Fraction, w: Fraction, b: Fraction) -> Fraction:
    """P(|beta / omega| < t) for omega from U(-w, w), beta from U(-b, b).

    Example:
        >>> w = b = Fraction(15)
        >>> [str(share_below(t, w, b)) for t in (Fraction(1), Fraction(2))]
        ['1/2', '3/4']
    """
    return t * w / (2 * b) if t * w <= b else 1 - b / (2 * t * w)


def rises_evenly(model: Model, edge: Fraction) -> bool:
    """Whether equal parts of ``[0, edge]`` hold equal shares of the places -b/w."""
    w, b = Fraction(model.w), Fraction(model.b)
    shares = [share_below(edge * k / PARTS, w, b) for k in range(1, PARTS + 1)]
    return shares == [k * shares[0] for k in range(1, PARTS + 1)]


def centres_are_uniform() -> Judgement:
    """Section 3.4.2.1: breakpoints of ReLU(15, 1), centres of Sigmoid(15, 15) are uniform near 0.

    -b/w has the density w / (4 b) wherever |t| w <= b, and lies in that interval half of the time.
    """
    edges = {model: Fraction(model.b) / Fraction(model.w) for model in MODELS}
    shown = ", ".join(f"[-{edge}, {edge}] for {model}" for model, edge in edges.items())
    if not all(rises_evenly(model, edge) for model, edge in edges.items()):
        return not_run("underspecified", "the interval on which they are uniform is not printed")
    return proved(
        f"-b/w has one density on either side of 0 up to b/w: uniform on {shown}; half of the "
        "draws lie there, the others farther out"
    )
