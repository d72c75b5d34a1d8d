"""Train one image network as the stage train does, and record what its neurons do meanwhile."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.foundation.errors import reports_errors
from reactivate.training.observing.callback import Observing
from reactivate.training.run import Treatment


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.observe --scale S --paper P --cell C ...``, as train."""
    train_as_asked("observe", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: looks at the network, which learns what it would unseen."""
    seen = asked.resolved.observation
    points = seen.breakpoints.get(asked.cell.activation, ())
    return Treatment(callbacks=[Observing(seen, points)], identity=seen.model_dump_json())


if __name__ == "__main__":
    main()
