"""Train one network to tell the class of every pixel, on a backbone of a finished run."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.foundation.errors import reports_errors
from reactivate.training.run import Treatment
from reactivate.training.scenes.segmentation import Segmentation
from reactivate.training.scenes.setup import segmentation_inputs, treatment_of


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.segment --scale S --paper P --cell C ...``, as train."""
    train_as_asked("segment", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: a segmenter whose encoder has the weights of the run it names."""
    folder = asked.resolved.backbone_folder(asked.seed)
    return treatment_of(Segmentation(), segmentation_inputs, folder)


if __name__ == "__main__":
    main()
