"""A network is measured again with the same bytes; the time that it took stands apart."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pandas as pd
import pytest
import torch
from reactivate.evidence.pieces import PIECES
from reactivate.evidence.records import read_record, verify_record
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import forget
from reactivate.experiment.measurements import Attack, Certification, Fgsm
from reactivate.experiment.paths import measurement_folder, seed_folder
from reactivate.experiment.run_cell import RunCell
from reactivate.foundation.files import sha256
from reactivate.foundation.workplace import checkpoints
from reactivate.stages import attack, certify
from reactivate.training.inputs import Batch
from torch import nn

ROOT = Path(__file__).parents[3]
CELL = Cell("cifar10", "vgg16_robust", "relu", "bn", "defend_noise_250")
HOW = {
    "certify": Certification(
        stage="certify", sigma=0.5, n0=10, n=100, alpha=0.1, every=2, images=4, radii=[0.0, 0.5]
    ),
    "attack": Attack(stage="attack", attack=Fgsm(name="fgsm", epsilon=30.0), images=9),
}
STAGES = {"certify": certify, "attack": attack}


class Images:
    """Inputs that write down the numbers of the images that are asked for."""

    def __init__(self, x, y, log):
        self.x, self.y, self.log = x, y, log

    def count(self, part):
        return len(self.y)

    def measured(self, part, views, numbers, size):
        for part in torch.split(numbers, size):
            with self.log.open("a", encoding="utf-8") as file:
                file.write("".join(f"{number} " for number in part.tolist()))
            yield Batch(self.x[part], self.y[part], len(part))


@pytest.fixture
def measure(unrun, leave_record, monkeypatch, write_paper):
    """``measure(stage)``: runs a stage on a made-up network; the folder it leaves."""
    write_paper(unrun, "thesis")
    shutil.copy(ROOT / "config/papers/thesis/scales.yaml", unrun / "config/papers/thesis")
    shutil.copy(ROOT / "config/scales.yaml", unrun / "config/scales.yaml")
    forget()
    folder = seed_folder("smoke", "thesis", CELL, 0)
    folder.mkdir(parents=True)
    (folder / "metrics.csv").write_text("seed\n0\n", encoding="utf-8")
    leave_record(folder, stage="defend", paper="thesis", scale="smoke", cell=CELL, seeds=[0])
    torch.manual_seed(0)
    network = nn.Sequential(nn.Flatten(), nn.Linear(12, 5), nn.ReLU(), nn.Linear(5, 3)).eval()
    x, y = torch.rand(9, 3, 2, 2), torch.arange(9) % 3
    for stage in STAGES.values():
        monkeypatch.setattr(stage, "unit_network", lambda run: network)
    monkeypatch.setattr(attack, "unit_images", lambda run, count: (x[:count], y[:count]))
    monkeypatch.setattr(certify, "unit_inputs", lambda run: Images(x, y, unrun / "read"))

    def run(stage, asked=None):
        out = measurement_folder("smoke", "thesis", stage, CELL, "plain", 0)
        monkeypatch.setattr(RunCell, "measurement", lambda *_: HOW[asked or stage])
        given = {"scale": "smoke", "paper": "thesis", "dataset": CELL.dataset, "cell": CELL.stem}
        given |= {"measurement": "plain", "seed": "0", "out": str(out)}
        options = [word for name, value in given.items() for word in (f"--{name}", value)]
        monkeypatch.setattr(sys, "argv", [stage, *options])
        STAGES[stage].main()
        return out

    return run


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_a_measurement_again_gives_the_same_bytes_of_all_that_is_vouched_for(measure, stage):
    out = measure(stage)
    first = verify_record(out / "run.json").files
    assert set(first) == {"images.csv", "metrics.csv"}
    shutil.rmtree(out)
    assert verify_record(measure(stage) / "run.json").files == first


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_the_record_names_the_network_and_all_that_decides(measure, stage):
    record = read_record(measure(stage) / "run.json")
    network = seed_folder("smoke", "thesis", CELL, 0) / "run.json"
    assert (record.stage, record.measurement, record.cell) == (stage, "plain", CELL)
    assert [(r.file, r.sha256) for r in record.read] == [(network.as_posix(), sha256(network))]
    assert record.data == read_record(network).data
    assert record.settings == HOW[stage].model_dump()
    assert (record.computing.device, record.computing.tf32) == ("cpu", False)


def test_no_table_that_is_vouched_for_tells_the_time(measure):
    out = measure("certify")
    assert list(pd.read_csv(out / "images.csv")) == [
        *("idx", "label", "predict", "radius", "correct", "counts"),
    ]
    times = pd.read_csv(out / "times.csv")
    assert list(times) == ["idx", "seconds"]
    assert times["idx"].tolist() == [0, 2, 4, 6]
    assert (times["seconds"] > 0).all()
    assert not checkpoints(out).exists()


def test_certifying_reads_the_images_that_it_certifies_and_no_other(measure):
    measure("certify")
    assert Path("read").read_text(encoding="utf-8") == "0 2 4 6 "


@pytest.mark.slow
@pytest.mark.parametrize("place", [None, "elsewhere"])
def test_a_killed_certification_keeps_its_rows_and_their_seconds(measure, monkeypatch, place):
    if place:
        monkeypatch.setenv("REACTIVATE_CHECKPOINTS", place)
    whole = verify_record(measure("certify") / "run.json").files
    out = measurement_folder("smoke", "thesis", "certify", CELL, "plain", 0)
    shutil.rmtree(out)
    real, done = certify.certify_image, []

    def killed(*arguments, **options):
        if len(done) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        done.append(real(*arguments, **options))
        return done[-1]

    child = os.fork()
    if not child:
        monkeypatch.setattr(certify, "certify_image", killed)
        measure("certify")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert not (out / "run.json").exists()
    folder = Path(place, out) if place else out / "checkpoints"
    kept = [json.loads(line) for line in (folder / PIECES).read_text().splitlines()[1:]]
    again = []
    monkeypatch.setattr(
        certify, "certify_image", lambda *a, **o: again.append(real(*a, **o)) or again[-1]
    )
    assert verify_record(measure("certify") / "run.json").files == whole
    assert [list(row) for row in kept] == [["0"], ["2"]]
    assert Path("read").read_text(encoding="utf-8") == "0 2 4 6 0 2 4 6 4 6 "
    before = [row["seconds"] for line in kept for row in line.values()]
    seconds = pd.read_csv(out / "times.csv", dtype=str)["seconds"].map(float).tolist()
    assert seconds == [*before, *(row.seconds for row in again)]
    assert not folder.exists()


def test_a_measurement_of_another_stage_is_refused(measure, capsys):
    with pytest.raises(SystemExit):
        measure("certify", asked="attack")
    assert "plain is for the stage attack; accepted: one for certify" in capsys.readouterr().err
