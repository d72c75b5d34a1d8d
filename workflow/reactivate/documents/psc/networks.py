"""The trained networks behind the exhibits of PSC."""

import json

from torch import nn

from reactivate.activations.annealed import AnnealedGate
from reactivate.activations.gate import gate_of
from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.observed import Observations
from reactivate.experiment.cell import Cell
from reactivate.experiment.paths import RECORD
from reactivate.models.collapsed import gated_layers


def networks(runs: Observations) -> list[NetworkRun]:
    """The networks that runs left, from their records."""
    left = []
    for place, folder in runs.folders.items():
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        (seed,) = record["seeds"]
        cell = Cell(**record["cell"])
        left.append(NetworkRun(record["scale"], record["paper"], place, cell, folder, seed))
    return left


def gates_of(network: nn.Module) -> list[AnnealedGate]:
    """The gates of a network with static PSC, layer by layer; none for other networks."""
    gates = (gate_of(layer) for _, layer in gated_layers(network))
    return [gate for gate in gates if isinstance(gate, AnnealedGate)]
