"""``reactivate decide``: it takes the best look that fits, and goes on when it was killed."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from reactivate.commands import decide as command
from reactivate.commands.decide import best_look, decide, plan
from reactivate.commands.decision_log import DecisionLog, Look, log_file, resumed, write_log
from reactivate.commands.look_costs import Work
from reactivate.commands.open_claims import OpenClaim, Prospect, open_claims
from reactivate.commands.repository import git
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.loading import load_seeds
from reactivate.experiment.raising import raise_seeds
from reactivate.judging.looks import SEQUENTIAL
from reactivate.judging.prospects import Inquiry

ROOT = Path(__file__).parents[3]
PSC = "published/laptop/psc"
SVD, HELP = "psc/findings/gating_beats_svd", "psc/findings/negatives_help"
CELLS = {
    "relu": "cifar10/resnet14-relu-bn-cifar",
    "psc": "cifar10/resnet14_balanced-psc-bn-cifar",
    "spsc": "cifar10/resnet14-spsc-bn-cifar",
    "psc_svd": "cifar10/resnet14_low_rank-psc-bn-cifar",
}
SECONDS = 90.0


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A fresh clone in which three seeds of psc are published, and nothing was run."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "config/papers/psc/seeds.yaml").unlink(missing_ok=True)
    for name in CELLS.values():
        for seed in range(3):
            folder = Path(PSC, "runs", name, f"seed{seed}")
            (tmp_path / folder).mkdir(parents=True)
            record = json.loads((ROOT / folder / "run.json").read_text(encoding="utf-8"))
            (tmp_path / folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    forget()
    yield tmp_path
    forget()


def accuracies(**rows):
    """Publishes the accuracies of the first three seeds of each row."""
    for row, numbers in rows.items():
        for seed, top1 in enumerate(numbers):
            write_metrics(Path(PSC, "runs", CELLS[row], f"seed{seed}"), seed, top1)


def write_metrics(folder, seed, top1):
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"seed": [seed], "top1": [top1]}).to_csv(folder / "metrics.csv", index=False)


class Runs:
    """Instead of Snakemake: leaves metrics and records of the runs it is asked for.

    Args:
        top1: Row of accuracy by cell, as a function of the seed.
        killed_after: Runs after which it is killed.
    """

    def __init__(self, top1, killed_after=None):
        self.top1, self.killed_after, self.asked = top1, killed_after, []

    def __call__(self, targets, cores, profile):
        self.asked.append(list(targets))
        for count, target in enumerate(map(Path, targets)):
            if count == self.killed_after:
                self.killed_after = None
                raise KeyboardInterrupt
            if target.exists():
                continue
            name = "/".join(target.parts[4:6])
            (row,) = [row for row, cell in CELLS.items() if cell == name]
            seed = int(target.parent.name.removeprefix("seed"))
            write_metrics(target.parent, seed, self.top1(row, seed))
            first = Path(PSC, "runs", name, "seed0/run.json")
            record = json.loads(first.read_text(encoding="utf-8"))
            record["seeds"] = [seed]
            record |= {"seconds": SECONDS} if "seconds" in record else {}
            target.write_text(json.dumps(record), encoding="utf-8")


@pytest.fixture
def run_with(monkeypatch):
    def replace(runs):
        monkeypatch.setattr(command, "snakemake", runs)
        return runs

    return replace


OPEN = {"spsc": (46.0, 45.2, 46.6), "psc_svd": (44.1, 44.8, 45.0), "relu": (45.0, 45.5, 46.0)}
OPEN |= {"psc": (44.9, 45.4, 46.2)}


def as_before(row, seed):
    return OPEN[row][seed % 3] + 0.05 * seed


def seeds_of(row):
    return Experiment.load("laptop").cell("psc", Cell.parse(*CELLS[row].split("/"))).seeds


def test_published_seeds_and_new_ones_decide_together(clone, run_with, capsys):
    accuracies(**OPEN)
    runs = run_with(Runs(as_before))
    decide([SVD], "laptop", 5.0)
    said = capsys.readouterr().out
    assert f"{SVD}: 5 replicates, 4 runs" in said
    assert "holds" in said
    new = {Path(target).parent.name for targets in runs.asked for target in targets}
    assert {"seed3", "seed4"} <= new
    assert not new & {"seed0", "seed1", "seed2"}
    assert seeds_of("spsc") == seeds_of("psc_svd") in (5, 8, 13)
    assert seeds_of("relu") == 3
    log = json.loads(log_file("laptop").read_text(encoding="utf-8"))
    assert log["finished"]
    (claim,) = open_claims("laptop", [SVD])
    assert claim.judgement.n == seeds_of("spsc")


@pytest.mark.usefixtures("committer")
def test_raised_seeds_are_committed_before_their_runs_and_nothing_else_is(clone, run_with):
    accuracies(**OPEN)
    git("init", "--quiet")
    git("add", "config", "published")
    git("commit", "--quiet", "-m", "before")
    (clone / "config/labels.yaml").write_text("{}\n", encoding="utf-8")
    seen = []

    class Seeing(Runs):
        def __call__(self, *asked):
            seen.append(git("status", "--porcelain", "--untracked-files=no").strip())
            super().__call__(*asked)

    run_with(Seeing(as_before))
    decide([SVD], "laptop", 5.0, commit=True)
    assert seen
    assert set(seen) == {"M config/labels.yaml"}
    messages = git("log", "--format=%s", "--", "config/papers/psc/seeds.yaml").splitlines()
    assert messages[-1] == f"seeds: 5 replicates of {SVD} at laptop"
    assert git("show", "--name-only", "--format=", "HEAD") == "config/papers/psc/seeds.yaml"


@pytest.mark.usefixtures("committer")
def test_without_being_asked_nothing_is_committed(clone, run_with):
    accuracies(**OPEN)
    git("init", "--quiet")
    git("add", "config", "published")
    git("commit", "--quiet", "-m", "before")
    run_with(Runs(as_before))
    decide([SVD], "laptop", 5.0)
    assert git("log", "--format=%s") == "before"


def test_it_never_looks_between_looks(clone, run_with):
    accuracies(**OPEN)
    runs = run_with(Runs(lambda row, seed: OPEN[row][(seed * 2) % 3] - (row == "spsc")))
    decide(["psc"], "laptop", 50.0)
    for look in json.loads(log_file("laptop").read_text(encoding="utf-8"))["looks"]:
        assert look["seeds"] in (3, 5, 8, 13)
    assert runs.asked


@pytest.mark.slow
def test_killed_and_started_again_it_comes_to_the_same_decision(
    clone, run_with, capsys, monkeypatch
):
    accuracies(**OPEN)
    shutil.copytree(clone, clone / "other", ignore=shutil.ignore_patterns("other"))
    run_with(Runs(as_before))
    decide(["psc"], "laptop", 0.5)
    whole = state(clone)
    monkeypatch.chdir(clone / "other")
    forget()
    run_with(Runs(as_before, killed_after=1))
    with pytest.raises(KeyboardInterrupt):
        decide(["psc"], "laptop", 0.5)
    begun = DecisionLog.model_validate_json(log_file("laptop").read_text(encoding="utf-8"))
    assert begun.unfinished is not None
    assert not begun.finished
    capsys.readouterr()
    decide(["psc"], "laptop", 0.5)
    assert f"going on with the look at {begun.unfinished.claim}" in capsys.readouterr().out
    assert state(clone / "other") == whole


def state(folder):
    seeds = yaml.safe_load((folder / "config/papers/psc/seeds.yaml").read_text(encoding="utf-8"))
    log = json.loads((folder / "results/laptop/decide.json").read_text(encoding="utf-8"))
    verdicts = {c.name: str(c.judgement.verdict) for c in open_claims("laptop", ["psc"])}
    return seeds, log, verdicts


def test_a_look_that_does_not_fit_is_not_begun(clone, run_with, capsys):
    accuracies(**OPEN)
    runs = run_with(Runs(as_before))
    (claim,) = open_claims_lent(SVD)
    decide([SVD], "laptop", claim.next.hours * 0.99)
    assert runs.asked == []
    assert not (clone / "config/papers/psc/seeds.yaml").exists()
    said = capsys.readouterr().out
    assert "decided with 0.000 of" in said
    assert f"{SVD}: 5: {claim.next.hours:.3f} h" in said


def open_claims_lent(name):
    with command.lent("laptop", ["psc"]):
        return open_claims("laptop", [name])


def test_the_cost_of_a_look_is_what_its_missing_runs_took_before(clone):
    accuracies(**OPEN)
    (claim,) = open_claims_lent(SVD)
    expected = 0.0
    for row in ("spsc", "psc_svd"):
        took = []
        for seed in range(3):
            record = json.loads(Path(PSC, "runs", CELLS[row], f"seed{seed}/run.json").read_text())
            took.append(seconds_of(record))
        expected += 2 * sum(took) / 3 / 3600
    assert claim.look == 5
    assert claim.next.hours == pytest.approx(expected)
    assert claim.prospects[13].hours == pytest.approx(5 * expected)


def seconds_of(record):
    """The seconds of a record of any version, which ran on one thread."""
    return record["times"]["seconds"] if "times" in record else record["seconds"]


@pytest.mark.parametrize("there", [[], ["results/laptop/psc/mine.txt"]])
def test_a_plan_leaves_the_clone_as_it_was(clone, there):
    accuracies(**OPEN)
    for name in there:
        Path(name).parent.mkdir(parents=True)
        Path(name).write_text("mine", encoding="utf-8")
    before = {path: path.is_file() and path.read_bytes() for path in clone.rglob("*")}
    plan(["psc"], "laptop", hours=1)
    assert {path: path.is_file() and path.read_bytes() for path in clone.rglob("*")} == before


def test_the_cost_of_an_observed_claim_is_that_of_its_observations(clone):
    (claim,) = open_claims("laptop", ["thesis/claims/deep_weights_vary_less"])
    targets = [path.as_posix() for path in claim.work(2).seconds]
    runs = [target for target in targets if "/observe/" in target]
    assert len(runs) == len(targets) - 1  # and the analysis of them
    seeds = max(2, claim.exhibit.cell(claim.places[0]).seeds)
    assert sorted({target.split("/")[-2] for target in runs}) == [
        f"seed{seed}" for seed in range(seeds)
    ]
    assert all(seconds is not None for seconds in claim.work(2).seconds.values())
    asked = [path.as_posix() for path in claim.targets(claim.work(2))]
    assert asked == targets
    assert [path.as_posix() for path in claim.targets(Work())] == targets[-1:]


def test_a_plan_runs_nothing_and_changes_no_seeds(clone, run_with, capsys):
    accuracies(**OPEN)
    runs = run_with(Runs(as_before))
    plan(["psc"], "laptop", 5.0)
    assert runs.asked == []
    assert not (clone / "config/papers/psc/seeds.yaml").exists()
    assert not log_file("laptop").exists()
    assert f"{SVD}: 5: " in capsys.readouterr().out


def test_an_effect_that_stays_around_zero_is_given_up(clone, run_with, capsys):
    quiet = {"spsc": (45.0, 46.0, 45.5), "psc_svd": (45.6, 45.1, 45.9)}
    accuracies(**OPEN | quiet)
    run_with(Runs(lambda row, seed: 45.5 + (seed % 2)))
    decide([SVD], "laptop", 5.0)
    assert "stays undecided, no replicates would change it" in capsys.readouterr().out
    assert seeds_of("spsc") in (3, 5, 8)


def test_networks_that_have_not_learned_are_not_run_again(clone, run_with, capsys):
    accuracies(**OPEN | {"spsc": (10.0, 10.1, 9.9)})
    runs = run_with(Runs(as_before))
    decide([SVD], "laptop", 5.0)
    assert runs.asked == []
    assert f"{SVD}: not_comparable(untrained)" in capsys.readouterr().out


def test_a_comparison_whose_rows_a_scale_does_not_run_is_listed_as_not_run(clone, capsys):
    decide(["psc"], "smoke", 1.0)
    said = capsys.readouterr().out
    assert f"{SVD}: not_run(compute): no run of spsc, psc_svd on cifar10 is there" in said
    assert "decided with 0.000 of 1 core-hours: 0" in said


@pytest.mark.parametrize(
    ("asked", "scale", "hours", "message"),
    [
        (["pcs"], "laptop", 1.0, r"unknown paper 'pcs'; did you mean psc\?"),
        (["psc/claims/x"], "laptop", 1.0, "unknown comparison 'psc/claims/x'.*gating_beats_svd"),
        ([], "laptpo", 1.0, r"unknown scale 'laptpo'; did you mean laptop\?"),
        ([], "laptop", 0.0, "--hours is 0.0; accepted: core-hours above 0"),
        ([], "laptop", float("nan"), "--hours is nan"),
        ([], "laptop", -1.0, "--hours is -1.0"),
    ],
)
def test_a_request_that_cannot_be_is_answered_with_what_is_accepted(
    clone, asked, scale, hours, message
):
    with pytest.raises(ValueError, match=message):
        decide(asked, scale, hours)


def test_the_best_look_brings_most_decisions_an_hour_of_those_that_fit():
    def claim(name, **looks):
        """A claim whose prospects are told, not found."""
        made = OpenClaim(name, None, (), Inquiry({}, None, SEQUENTIAL), False)
        prospects = {int(look[1:]): Prospect(*told) for look, told in looks.items()}
        made.__dict__.update(closed="", prospects=prospects)
        return made

    cheap = claim("cheap", n3=(0.1, 0.1), n8=(0.2, 0.3))  # 1 an hour
    late = claim("late", n3=(0.0, 0.2), n8=(0.9, 0.5))  # 1.8 an hour, but not at once
    dear = claim("dear", n3=(1.0, 2.0))
    assert best_look([cheap, late, dear], 3.0).name == "late"
    assert best_look([cheap, dear], 3.0).name == "cheap"
    assert best_look([cheap, late, dear], 0.15).name == "cheap"
    assert best_look([cheap, late, dear], 0.05) is None


def test_seeds_are_raised_and_never_lowered(clone):
    cell = Cell.parse(*CELLS["relu"].split("/"))
    raise_seeds("laptop", "psc", {cell: 8})
    raise_seeds("laptop", "psc", {cell: 5})
    assert load_seeds("psc") == {"laptop": {cell: 8}}


def test_a_number_that_cannot_be_leaves_the_file_as_it_was(clone):
    cell, path = Cell.parse(*CELLS["relu"].split("/")), Path("config/papers/psc/seeds.yaml")
    with pytest.raises(ValueError, match="less than or equal to 100"):
        raise_seeds("laptop", "psc", {cell: 200})
    assert not path.exists()
    raise_seeds("laptop", "psc", {cell: 8})
    before = path.read_bytes()
    with pytest.raises(ValueError, match="no exhibit of this scale"):
        raise_seeds("smoke", "psc", {cell: 8})
    assert path.read_bytes() == before
    assert seeds_of("relu") == 8


LOOK = Look(claim=SVD, seeds=5, cells=[CELLS["relu"]], records=[], targets=[])


def test_another_request_does_not_go_on_with_a_look_that_was_begun(clone):
    write_log("laptop", DecisionLog(asked=["psc"], hours=1.0).begin(LOOK))
    assert resumed("laptop", ["psc"], 1.0).unfinished == LOOK
    with pytest.raises(ValueError, match="reactivate decide psc --scale laptop --hours 1, which"):
        resumed("laptop", ["gmp"], 1.0)
    write_log("laptop", DecisionLog(asked=["psc"], hours=1.0).begin(LOOK).complete())
    assert resumed("laptop", ["gmp"], 1.0).looks == []
    assert len(resumed("laptop", ["psc"], 1.0).looks) == 1


def test_a_finished_request_starts_anew(clone):
    log = DecisionLog(asked=["psc"], hours=1.0, looks=[LOOK], finished=True)
    write_log("laptop", log)
    assert resumed("laptop", ["psc"], 1.0) == DecisionLog(asked=["psc"], hours=1.0)


@pytest.mark.parametrize("text", ["{", "[]", '{"asked": 1}', '{"version": 2}'])
def test_a_log_that_was_damaged_is_named(clone, text):
    log_file("laptop").parent.mkdir(parents=True)
    log_file("laptop").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"results/laptop/decide\.json"):
        resumed("laptop", ["psc"], 1.0)
