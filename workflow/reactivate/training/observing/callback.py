"""Look at a network while it trains, and leave tables of what was seen."""

from collections.abc import Sequence
from pathlib import Path

from torch import Tensor

from reactivate.experiment.observations import Observation
from reactivate.foundation.files import write_atomically
from reactivate.training.callbacks import Callback, Left
from reactivate.training.observing.moments import moments
from reactivate.training.observing.recorder import Recorder
from reactivate.training.observing.scene import make_scene
from reactivate.training.observing.tables import tables_of
from reactivate.training.trainer import Trainer


class Observing(Callback):
    """Records what the neurons of a network do; the network learns what it would unseen.

    Args:
        observation: What is looked at, and how often.
        breakpoints: Sets of them with which pattern similarity is taken, beside the activations'
            own.
    """

    works_alone = True

    def __init__(
        self, observation: Observation, breakpoints: Sequence[Sequence[float]] = ()
    ) -> None:
        self.observation, self.breakpoints = observation, breakpoints

    def on_start(self, trainer: Trainer) -> None:
        """Makes the recorder; the scene is that of all networks on the dataset."""
        scene = make_scene(self.observation, trainer.inputs, trainer.key[0])
        when = moments(self.observation, trainer.clock)
        self.recorder = Recorder(
            trainer.network, scene, when, self.breakpoints, self.observation.each_step
        )

    def on_gradients(self, trainer: Trainer) -> None:
        """Looks before a step, while its gradients are there."""
        self.recorder.look(trainer.network, trainer.step)

    def on_end(self, trainer: Trainer) -> None:
        """Looks at the trained network."""
        self.recorder.look_last(trainer.network, trainer.step)

    def state_dict(self) -> dict[str, Tensor]:
        """All that was recorded so far."""
        return self.recorder.state_dict()

    def load_state_dict(self, tensors: dict[str, Tensor]) -> None:
        """Goes on recording after what was recorded."""
        self.recorder.load_state_dict(tensors)

    def leave(self, trainer: Trainer, out: Path) -> Left:
        """Writes the tables; the record tells what was looked at."""
        tables = tables_of(self.recorder, trainer.clock)
        for name, table in tables.items():
            with write_atomically(out / f"{name}.csv") as part:
                table.to_csv(part, index=False)
        files = tuple(f"{name}.csv" for name in tables)
        return Left(files, {"observation": self.observation.model_dump()})
