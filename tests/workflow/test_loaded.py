"""Every module of the package that a stage loads counts in its digest, or is known not to.

Every stage is run once, at scale smoke, on small made-up data.
"""

import os
import subprocess
import sys
from contextlib import chdir

import pytest
from made_up import write_all
from reactivate.auditing.currency import CHECK, targets_of
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import read_provenance
from reactivate.evidence.records import read_record
from reactivate.experiment.experiment import forget
from reactivate.foundation.digests import NEUTRAL, closure, is_neutral

pytestmark = pytest.mark.slow

TARGETS = [
    f"results/smoke/{name}"
    for name in (
        "gmp/table3.csv",  # sweep
        "psc/audit.html",  # train, analyse, plot, check, tabulate, audit
        "thesis/figure5_4.png",  # observe
        "thesis/figure5_11.png",  # prune
        "thesis/table6_1.csv",  # defend, attack
        "thesis/figure6_1.png",  # an analysis of networks
        "thesis/figure6_8.png",  # certify
        "crelu/table6.csv",  # reconstruct
        "iieu/table3.csv",  # names that an exhibit's function loads
        "thesis/table3_1.csv",
    )
]
STAGES = {
    *("sweep", "train", "observe", "prune", "defend", "attack", "certify", "reconstruct"),
    *("analyse", "plot"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    folder = tmp_path_factory.mktemp("loaded") / "project"
    copy_project(folder)
    write_all(folder)
    command = [sys.executable, "-m", "snakemake", *TARGETS, "--cores", "2"]
    environment = os.environ | {"PYTHONPATH": str(folder / "workflow")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with chdir(folder):
        forget()
        yield folder
        forget()


def told(folder):
    """Every record, with its file."""
    for path in sorted((folder / "results").rglob("run.json")):
        yield path, read_record(path)
    for path in sorted((folder / "results").rglob("*.provenance.json")):
        record = read_provenance(path).record
        if record is not None:
            yield path, record


def test_every_stage_was_run(project):
    assert {record.stage for _, record in told(project)} == STAGES


def test_what_a_run_loads_counts_in_its_digest(project):
    holes = {}
    for path, record in told(project):
        assert f"reactivate.stages.{record.stage}" in record.modules
        counted = closure(*targets_of(record))
        missing = [n for n in record.modules if n not in counted and not is_neutral(n)]
        if missing:
            holes[path.relative_to(project).as_posix()] = missing
    assert holes == {}


def test_what_checks_load_counts_in_their_digests(project):
    (path,) = (project / "results").rglob("claims.json")
    judgements = read_judgements(path)
    functions = [looked.function for looked in judgements.looked.values()]
    counted = closure(CHECK, *functions)
    assert [n for n in judgements.modules if n not in counted and not is_neutral(n)] == []


def test_what_does_not_count_is_a_short_list_with_reasons():
    assert len(NEUTRAL) <= 12
    assert all(len(reason) > 30 for reason in NEUTRAL.values())
