"""Functions of rules that know their signature, which Snakemake asks for at every call."""

import inspect
from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


def signed(function: Function) -> Function:
    """The function, with the signature that ``inspect`` would work out again and again.

    Snakemake looks at the parameters of a function two or three times whenever it calls it, and
    calls tens of thousands of them to build the DAG of a scale.

    Example:
        >>> list(inspect.signature(signed(lambda wildcards, attempt: attempt)).parameters)
        ['wildcards', 'attempt']
    """
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return function
