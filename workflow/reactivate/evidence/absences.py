"""Analyses that a claim needs and that are not there, or are there in the form of older code."""

from pathlib import Path

from reactivate.evidence.records import read_record
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.paths import RECORD, VALUES
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.statements import Check
from reactivate.foundation.digests import code_digest
from reactivate.judging.exact import not_run
from reactivate.judging.judgement import Judgement


def left_out(experiment: Experiment, exhibit: RunExhibit, check: Check) -> Judgement | None:
    """Judgement on what was not analysed here: the reason for it; None if it was."""
    absent = experiment.absence(exhibit, exhibit.analysis_folder / VALUES)
    if exhibit.judges(check) and not absent:
        return _of_other_runs(exhibit) if experiment.reach == EXISTING else None
    if missing := exhibit.unsupplied:
        return not_run("data_unavailable", f"{missing[0]} has to be supplied, and was not")
    if absent:
        return not_run("compute", absent)
    return not_run("compute", f"the scale {exhibit.scale} does not run all it speaks of here")


def _of_other_runs(exhibit: RunExhibit) -> Judgement | None:
    """Judgement on an analysis of runs that the configuration does not have; None for others."""
    made = read_record(exhibit.analysis_folder / RECORD)
    read = {Path(kept.file) for kept in made.read}
    wanted = {folder / RECORD for _, folder in exhibit.analysed.values()}
    if wanted <= read:
        return None
    return not_run("compute", f"{exhibit.name} was made from other runs than it now asks for")


def is_older(exhibit: RunExhibit) -> bool:
    """Whether other code than this tree's made an analysis."""
    made = read_record(exhibit.analysis_folder / RECORD)
    return made.code != code_digest(*exhibit.modules("analyse"))
