"""Small changes of meaning that a good test suite notices, one function per kind of syntax."""

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy

Change = tuple[str, ast.AST | None]  # the operator's name; what stands there instead, None: a gap

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
PAIRS = (
    ("min", "max"),
    ("amin", "amax"),
    ("argmin", "argmax"),
    ("minimum", "maximum"),
    ("any", "all"),
    ("floor", "ceil"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("lower", "upper"),
)
EXCHANGED = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
STATED = (ast.Compare, ast.BoolOp)  # conditions that have operators of their own


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with other fields."""
    copy = deepcopy(node)
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy


def comparison(node: ast.Compare) -> Iterator[Change]:
    """Comparisons turned round, and their bounds moved to the other side."""
    for k, sign in enumerate(node.ops):
        for other in COMPARED[type(sign)]:
            yield "comparison", changed(node, ops=[*node.ops[:k], other(), *node.ops[k + 1 :]])


def arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    """An operation replaced by its opposite."""
    if type(node.op) in CALCULATED:
        yield "arithmetic", changed(node, op=CALCULATED[type(node.op)]())


def boolean(node: ast.BoolOp) -> Iterator[Change]:
    """``and`` exchanged with ``or``."""
    yield "boolean", changed(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())


def sign(node: ast.UnaryOp) -> Iterator[Change]:
    """``not``, minus and complement dropped."""
    if not isinstance(node.op, ast.UAdd):
        yield "sign", node.operand


def constant(node: ast.Constant) -> Iterator[Change]:
    """Another number, the other truth value, another word; prose is left alone."""
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", ast.Constant(value + 1)
        if value > 1:
            yield "constant", ast.Constant(value - 1)
    elif isinstance(value, float):
        yield "constant", ast.Constant(value * 1.5 if value else 1.0)
    elif isinstance(value, str) and value and not any(sign.isspace() for sign in value):
        yield "word", ast.Constant(f"XX{value}")


def returned(node: ast.Return) -> Iterator[Change]:
    """``None`` instead of the value."""
    if node.value is not None and not (
        isinstance(node.value, ast.Constant) and node.value.value is None
    ):
        yield "returned", changed(node, value=ast.Constant(None))


def removed(node: ast.stmt) -> Iterator[Change]:
    """A statement that is there for its effect, left out."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if all(isinstance(target, ast.Attribute | ast.Subscript | None) for target in targets) or (
        isinstance(node, ast.AugAssign)
    ):
        yield "removed", None


def jump(node: ast.Break | ast.Continue) -> Iterator[Change]:
    """``break`` exchanged with ``continue``."""
    yield "jump", ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[Change]:
    """A condition without an operator, negated."""
    if not isinstance(node.test, (*STATED, ast.UnaryOp, ast.Constant)):
        yield "condition", changed(node, test=ast.UnaryOp(ast.Not(), node.test))


def filtered(node: ast.comprehension) -> Iterator[Change]:
    """A comprehension that keeps everything."""
    for k in range(len(node.ifs)):
        yield "filter", changed(node, ifs=[*node.ifs[:k], *node.ifs[k + 1 :]])


def bound(node: ast.Slice) -> Iterator[Change]:
    """A slice with one of its bounds left out."""
    for name in ("lower", "upper", "step"):
        if getattr(node, name) is not None:
            yield "slice", changed(node, **{name: None})


def exchanged(node: ast.Name | ast.Attribute) -> Iterator[Change]:
    """A function exchanged with its counterpart, like ``min`` with ``max``."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if name in EXCHANGED and isinstance(node.ctx, ast.Load):
        key = "id" if isinstance(node, ast.Name) else "attr"
        yield "exchange", changed(node, **{key: EXCHANGED[name]})


OPERATORS: dict[type[ast.AST], tuple[Callable[..., Iterator[Change]], ...]] = {
    ast.Compare: (comparison,),
    ast.BinOp: (arithmetic,),
    ast.AugAssign: (arithmetic, removed),
    ast.BoolOp: (boolean,),
    ast.UnaryOp: (sign,),
    ast.Constant: (constant,),
    ast.Return: (returned,),
    ast.Expr: (removed,),
    ast.Assign: (removed,),
    ast.Raise: (removed,),
    ast.Delete: (removed,),
    ast.Break: (jump,),
    ast.Continue: (jump,),
    ast.If: (condition,),
    ast.While: (condition,),
    ast.IfExp: (condition,),
    ast.comprehension: (filtered,),
    ast.Slice: (bound,),
    ast.Name: (exchanged,),
    ast.Attribute: (exchanged,),
}


def changes(node: ast.AST) -> Iterator[Change]:
    """Every change of one node; those of its children are not among them."""
    for operator in OPERATORS.get(type(node), ()):
        yield from operator(node)
