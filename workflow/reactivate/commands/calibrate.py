"""Measure this machine for a minute, and keep what it can do beside the profile."""

from pathlib import Path

import yaml

from reactivate.commands.parsing import Parser
from reactivate.experiment.costs.machines import CALIBRATED, load_machine
from reactivate.foundation.files import write_atomically


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate calibrate``."""
    told = f"folder of the profile; default: {CALIBRATED}"
    parser.add_argument("--out", type=Path, default=CALIBRATED, help=told)
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="about how long it measures; default: 60"
    )
    parser.examples("reactivate calibrate", "srun --gpus 1 reactivate calibrate")
    parser.set_defaults(run=lambda a: calibrate(a.out, a.seconds))


def calibrate(out: Path = CALIBRATED, seconds: float = 60.0) -> None:
    """Writes ``gpu.yaml`` or ``cpu.yaml``, from which limits and plans are then made.

    Args:
        out: The folder of the profile.
        seconds: About how long it measures.
    """
    from reactivate.training.calibration import calibrate_machine

    machine = calibrate_machine(seconds)
    path = out / f"{machine.kind}.yaml"
    with write_atomically(path) as part:
        text = yaml.safe_dump(machine.model_dump(), sort_keys=False, width=99)
        part.write_text(f"# Measured by `reactivate calibrate`.\n{text}", encoding="utf-8")
    load_machine.cache_clear()
    for line in machine.says:
        print(line)
    print(f"wrote {path}")
