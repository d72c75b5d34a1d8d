"""Train one image network and leave its record; under torchrun, on several devices together."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.foundation.errors import reports_errors
from reactivate.training.run import Treatment


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.train --scale S --paper P --dataset D --cell C --seed N``."""
    train_as_asked("train", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: trains the network as it is."""
    return Treatment()


if __name__ == "__main__":
    main()
