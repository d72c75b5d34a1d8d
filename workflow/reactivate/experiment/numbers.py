"""Kinds of numbers in the configuration: finite, each with bounds, so that nonsense is named."""

from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field

LARGEST = 10**9  # nothing that is counted here comes near
Count = Annotated[int, Field(ge=1, le=LARGEST)]
CountOrZero = Annotated[int, Field(ge=0, le=LARGEST)]
SeedCount = Annotated[int, Field(ge=1, le=100)]  # of one cell; no plan of replicates goes further
# folds of which one is left out, copies that are compared
Several = Annotated[int, Field(ge=2, le=LARGEST)]
Positive = Annotated[float, Field(gt=0, le=1e6)]
NonNegative = Annotated[float, Field(ge=0, le=1e6)]
Speed = Annotated[float, Field(gt=0, le=1e21)]  # operations or bytes per second
Real = Annotated[float, Field(ge=-1e9, le=1e9)]
Rate = Annotated[float, Field(ge=1e-12, le=1e3)]  # a learning rate
Percent = Annotated[float, Field(ge=0, le=100)]
Setting = Annotated[int, Field(ge=-LARGEST, le=LARGEST)] | Real | str  # of an analysis
Argument = bool | Setting | list[Setting] | None  # of a network or an activation
Share = Annotated[float, Field(ge=0, le=1)]
ProperShare = Annotated[float, Field(ge=0, lt=1)]
Part = Annotated[float, Field(ge=1e-4, lt=1)]  # of data: less of it would be no row at all


def _increasing(numbers: list[float]) -> list[float]:
    if not all(low < high for low, high in pairwise(numbers)):
        raise ValueError(f"{numbers} do not increase; accepted: increasing numbers")
    return numbers


Increasing = AfterValidator(_increasing)  # of a list
