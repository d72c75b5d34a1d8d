"""One image network: its training, its measures and the files they leave."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors.torch import save
from torch import nn

from reactivate.experiment.arithmetic import Arithmetic, Compilation
from reactivate.experiment.cell import Cell
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.files import write_atomically, write_rows
from reactivate.foundation.workplace import checkpoints
from reactivate.training.callbacks import Callback, Left
from reactivate.training.classification import PREDICTIONS, Classification
from reactivate.training.heartbeat import HEARTBEAT, Heartbeat, ProgressBar
from reactivate.training.inputs import Inputs, Share
from reactivate.training.setup import make_clock, make_trainable
from reactivate.training.snapshots import Snapshots
from reactivate.training.tasks import Task
from reactivate.training.trainer import SECONDS_BETWEEN_SNAPSHOTS, Trainer

WRITTEN = ("metrics.csv", "history.csv", PREDICTIONS, "model.safetensors")  # of a classifier
Make = Callable[[Cell, ImageSettings, int, torch.device, int], tuple[nn.Module, Inputs]]


@dataclass(frozen=True)
class Treatment:
    """The way in which a stage trains a network; plain training by default.

    Args:
        task: Makes the loss of a step, and measures the network.
        callbacks: Look at the network, or change it.
        make: Makes the network of a cell, and what it reads.
        identity: What the settings of the cell do not say, and yet decides what is left.
        read: Records of the runs whose weights the network starts from.
    """

    task: Task = field(default_factory=Classification)
    callbacks: Sequence[Callback] = ()
    make: Make = make_trainable
    identity: str = ""
    read: Sequence[Path] = ()


@dataclass
class Run:
    """The training of one network, with the files that it leaves in a folder.

    Args:
        cell: The network, its dataset and its recipe.
        chosen: The recipe after the limits of the scale.
        seed: Decides weights, order and augmentation; with folds, which one is left out.
        out: The folder.
        digest: Digest of the code that runs.
        data: Identity of the dataset.
        stage: Name of the stage, for whoever watches.
        treatment: What is done to the network while it trains.
        arithmetic: How the machine computes.
        micro_batch: See :class:`reactivate.training.trainer.Trainer`.
    """

    cell: Cell
    chosen: ImageSettings
    seed: int
    out: Path
    digest: str
    data: str
    stage: str = "train"
    treatment: Treatment = field(default_factory=Treatment)
    arithmetic: Arithmetic = field(default_factory=Arithmetic)
    micro_batch: int | None = None

    def __post_init__(self) -> None:
        parts = (self.chosen.model_dump_json(), self.seed, self.digest, self.data)
        identity = f"{' '.join(map(str, parts))} {self.treatment.identity}"
        if self.micro_batch is not None:
            identity += f" micro-batches of {self.micro_batch}"
        self.snapshots = Snapshots(
            checkpoints(self.out) / "newest", hashlib.sha256(identity.encode()).hexdigest()
        )

    def train(
        self,
        share: Share,
        device: torch.device,
        workers: int,
        seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS,
        ending: Callable[[], bool] = bool,
    ) -> None:
        """Trains to the end, from the newest snapshot if there is one; the first process measures.

        Args:
            share: Part of every batch that this process computes.
            device: Where it does.
            workers: Processes that decode pictures for it.
            seconds_between: Time between two snapshots.
            ending: Tells whether the process is to end.
        """
        treatment = self.treatment
        network, inputs = treatment.make(self.cell, self.chosen, self.seed, device, workers)
        treatment.task.check_fit(network, inputs, self.cell, self.chosen.classes)
        title = f"{self.stage} {self.cell.dataset} {self.cell.stem} seed {self.seed}"
        tellers = [ProgressBar(title), Heartbeat(self.out / HEARTBEAT)]
        self.trainer = Trainer(
            network,
            inputs,
            self.chosen.recipe,
            self.chosen.lr,
            make_clock(self.chosen, inputs.steps),
            key=(self.cell.dataset, self.seed),
            share=share,
            task=treatment.task,
            callbacks=[*treatment.callbacks, *tellers],
            snapshots=self.snapshots,
            seconds_between=seconds_between,
            compilation=self.compilation(share),
            micro_batch=self.micro_batch,
            ending=ending,
            tests=self.chosen.tests is None,
        )
        self.state = self.trainer.fit()
        if share.rank == 0:
            self.measured = treatment.task.measure(self.trainer, self.state)

    def compilation(self, share: Share) -> Compilation:
        """How the network is compiled: not at all where its passes wait for other processes."""
        alone = self.stage == "train" and share.processes == 1
        return self.arithmetic.compile if alone else "none"

    @property
    def network(self) -> nn.Module:
        """The trained network."""
        return self.trainer.network

    def write(self) -> Left:
        """Writes metrics, history, predictions, weights, and the files of the callbacks.

        Returns:
            The names of all files, and what the callbacks have to say for the record.
        """
        left = [callback.leave(self.trainer, self.out) for callback in self.trainer.callbacks]
        write_rows(self.out / "metrics.csv", [{"seed": self.seed, **self.measured.metrics}])
        write_rows(self.out / "history.csv", self.state.history, self.trainer.columns)
        weights = {k: t.contiguous() for k, t in self.network.cpu().state_dict().items()}
        predictions = self.measured.files
        for name, content in (predictions | {"model.safetensors": save(weights)}).items():
            with write_atomically(self.out / name) as part:
                part.write_bytes(content)
        written = ("metrics.csv", "history.csv", *predictions, "model.safetensors")
        files = (*written, *(name for one in left for name in one.files))
        return Left(files, {key: value for one in left for key, value in one.entries.items()})

    def forget(self) -> None:
        """Removes the snapshots, once nobody needs them."""
        shutil.rmtree(self.snapshots.path.parent, ignore_errors=True)
