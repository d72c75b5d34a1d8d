"""Train one image network with a defence and leave the files that the stage train leaves."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.foundation.errors import reports_errors
from reactivate.training.classification import Classification
from reactivate.training.defending.setup import make_defence, make_defended
from reactivate.training.defending.strategy import Defending
from reactivate.training.run import Treatment


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.defend --scale S --paper P --cell C ...``, as train."""
    train_as_asked("defend", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: trains with the defence of its recipe, on images from 0 to 1.

    Its weights are those of a :class:`reactivate.defences.standardise.Standardised`.
    """
    strategy = Defending(make_defence(asked.resolved.recipe))
    return Treatment(Classification(strategy), make=make_defended)


if __name__ == "__main__":
    main()
