"""Measure this machine for a minute, and keep what it can do beside the profile."""

from pathlib import Path

import yaml

from reactivate.experiment.costs.machines import CALIBRATED, load_machine
from reactivate.foundation.files import write_atomically


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
