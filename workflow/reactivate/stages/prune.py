"""Train one image network while parameters are removed; leave what the stage train leaves."""

from reactivate.evidence.image_runs import train_as_asked
from reactivate.evidence.requests import Request
from reactivate.experiment.recipes import Pruned
from reactivate.foundation.errors import reports_errors
from reactivate.training.pruning.callback import PruningWhileTraining
from reactivate.training.run import Treatment


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.prune --scale S --paper P --cell C ...``, as train."""
    train_as_asked("prune", __doc__, treat)


def treat(asked: Request) -> Treatment:
    """Treatment of a run: prunes as its recipe says; the folder gets ``masks.csv``, too."""
    recipe = asked.resolved.recipe
    if not isinstance(recipe, Pruned):
        raise ValueError(
            f"recipe {asked.cell.recipe} has stage {recipe.stage}; accepted: prune. "
            "Change its stage and give it `pruning`"
        )
    return Treatment(callbacks=[PruningWhileTraining(recipe.pruning)])


if __name__ == "__main__":
    main()
