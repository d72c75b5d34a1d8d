"""Published runs were made with the settings that the configuration has today."""

import pytest
from reactivate.evidence.records import read_record
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import PUBLISHED, RECORD
from reactivate.experiment.run_cell import RunCell

SCALES = ("laptop", "paper")


def cells(scale: str, paper: str) -> list[RunCell]:
    """Every cell that the exhibits of a paper train, once."""
    experiment = Experiment.load(scale)
    return list(
        {
            place.cell: exhibit.cell(place)
            for exhibit in experiment.exhibits(paper)
            for place in exhibit.places
        }.values()
    )


@pytest.mark.parametrize("paper", Experiment.load("laptop").papers)
@pytest.mark.parametrize("scale", SCALES)
def test_what_a_scale_changes_is_what_published_runs_were_made_with(scale: str, paper: str):
    """The audit reads a scale's settings in the configuration, and says them of the runs."""
    different = {}
    for cell in cells(scale, paper):
        now = cell.settings.model_dump(mode="json")
        for folder in cell.folders(PUBLISHED):
            if not (folder / RECORD).exists():
                continue
            then = read_record(folder / RECORD).settings or {}
            changed = [key for key in ("epochs", "data_fraction") if then.get(key) != now.get(key)]
            for group, key in (("recipe", "batch_size"), ("model", "width")):
                if then.get(group, {}).get(key) != now.get(group, {}).get(key):
                    changed.append(key)
            if changed:
                different[folder.as_posix()] = changed
    assert not different, f"train them again, or take them out of {PUBLISHED}: {different}"
