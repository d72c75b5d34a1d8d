"""Train one network to find objects, on a backbone of a finished run; leave its record."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.foundation.errors import reports_errors
from reactivate.training.run import Treatment
from reactivate.training.scenes.detection import Detection
from reactivate.training.scenes.setup import detection_inputs, treatment_of


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.detect --scale S --paper P --cell C ...``, as train."""
    train_as_asked("detect", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: a detector whose backbone has the weights of the run it names."""
    folder = asked.resolved.backbone_folder(asked.seed)
    return treatment_of(Detection(), detection_inputs, folder)


if __name__ == "__main__":
    main()
