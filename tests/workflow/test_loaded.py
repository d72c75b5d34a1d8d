"""Every module of the package that a stage loads counts in its digest, or is known not to.

Every stage is run once, at scale smoke, on small made-up data.
"""

import os
import subprocess
import sys
from contextlib import chdir

import pytest
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
SHAPES = {"mnist": (1, 28, 28), "cifar10": (3, 32, 32)}


def write_data(folder):
    """Images and tables of the right shapes, few enough to be trained on in a moment."""
    import torch
    from made_up import write_prepared

    random = torch.Generator().manual_seed(0)
    prepared = {}
    for name, shape in SHAPES.items():
        prepared[name] = {}
        for part, count in (("train", 12_800), ("test", 300)):
            labels = torch.randint(10, (count,), generator=random)
            prepared[name][f"{part}_labels"] = labels
            images = torch.randint(256, (count, *shape), generator=random, dtype=torch.uint8)
            prepared[name][f"{part}_images"] = images
    for name, features in (("boston", 13), ("yacht", 6)):
        x = torch.randn(60, features, dtype=torch.float64, generator=random)
        prepared[name] = {"x": x, "y": x[:, :1].sin()}
    shape = (3, 64, 64)
    prepared["tiny_imagenet20"] = {
        f"{part}_{kind}": tensor
        for part, count in (("train", 800), ("test", 100))
        for kind, tensor in (
            ("images", torch.randint(256, (count, *shape), generator=random, dtype=torch.uint8)),
            ("labels", torch.randint(20, (count,), generator=random)),
        )
    }
    for name, tensors in prepared.items():
        write_prepared(folder, name, tensors)


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    folder = tmp_path_factory.mktemp("loaded") / "project"
    copy_project(folder)
    write_data(folder)
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
