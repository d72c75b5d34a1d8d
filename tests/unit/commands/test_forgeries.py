"""Forged publications whose sums all fit are named: everything above the leaves is made again."""

import csv
import io
import json
import shutil
import subprocess
from contextlib import chdir
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from reactivate.artifacts.rebuilding import bring, rebuild
from reactivate.artifacts.rerunning import drawn, repeat, trained_runs
from reactivate.artifacts.signing import signature_findings
from reactivate.commands.publish import publish
from reactivate.commands.sign import sign
from reactivate.commands.verify import find, verify
from reactivate.evidence.publication import SIGNATURE, write_sums
from reactivate.evidence.versions import MODULE_LISTS, whole_sum
from reactivate.experiment.experiment import forget
from reactivate.foundation.files import sha256, write_json
from reactivate.stages import analyse, audit, check, join, plot

ROOT = Path(__file__).parents[3]
PUBLISHED = Path("published/smoke")
RUN = PUBLISHED / "gmp/runs/boston/mlp100-relu-gmp-document"
TABLE = PUBLISHED / "gmp/table3.provenance.json"


@pytest.fixture(scope="module")
def _drawn_once(_run_once, tmp_path_factory):
    """The runs of Table 3, and Figure 5 of the same document, published and committed."""
    folder = tmp_path_factory.mktemp("drawn") / "project"
    shutil.copytree(_run_once, folder)
    with chdir(folder):
        forget()
        whole = yaml.safe_load((ROOT / "config/papers/gmp/paper.yaml").read_text(encoding="utf-8"))
        path = Path("config/papers/gmp/paper.yaml")
        paper = yaml.safe_load(path.read_text(encoding="utf-8"))
        paper["exhibits"]["figure5"] = whole["exhibits"]["figure5"]
        text = yaml.safe_dump(paper, sort_keys=False, allow_unicode=True)
        path.write_text(text, encoding="utf-8")
        forget()
        analyse.analyse("smoke", "gmp", "figure5")
        plot.plot("smoke", "gmp", "figure5")
        check.check("smoke", "gmp")
        audit.audit("smoke", "gmp")
        join.join("smoke")
        publish("smoke")
        commit("publish")
        forget()
    return folder


@pytest.fixture
def project(_drawn_once, tmp_path, monkeypatch):
    folder = tmp_path / "project"
    shutil.copytree(_drawn_once, folder)
    monkeypatch.chdir(folder)
    forget()
    yield folder
    forget()


def commit(message):
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", message]):
        subprocess.run(["git", *words], check=True)


def reseal():
    """Makes every sum that a record or a list keeps that of the file as it is now."""
    for path in PUBLISHED.rglob("run.json"):
        record = read(path)
        there = {name for name in record["files"] if (path.parent / name).exists()}
        record["files"] |= {name: sha256(path.parent / name) for name in there}
        if path.parent.parent.name == "analyse":
            record["files"]["values.csv"] = sha256(PUBLISHED / f"gmp/{path.parent.name}.csv")
        write_json(path, record)
    for path in PUBLISHED.rglob("*.provenance.json"):
        content, stem = read(path), path.name.partition(".")[0]
        content["files"] = {e: sha256(path.with_name(f"{stem}.{e}")) for e in content["files"]}
        for cell in content["cells"]:
            for kept in cell["records"]:
                kept["sha256"] = whole_sum(here(kept["record"]))
        for kept in (content["record"] or {}).get("read", []):
            kept["sha256"] = whole_sum(here(kept["file"]))
        write_json(path, content)
    write_sums(PUBLISHED)
    commit("forge")


def here(recorded):
    return Path("published") / Path(recorded).relative_to("results")


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def replace(name, old, new, count=1):
    path = PUBLISHED / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{name} does not hold {old!r}"
    path.write_text(text.replace(old, new, count), encoding="utf-8")


def change(name, edit):
    """Edits the content of a JSON file."""
    path = PUBLISHED / name
    content = read(path)
    edit(content)
    write_json(path, content)


def audit_lines(edit):
    """Edits the lines of audit.csv."""
    path = PUBLISHED / "audit.csv"
    lines = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    names = list(lines[0])
    edit(lines)
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    path.write_text(text.getvalue(), encoding="utf-8")


def as_lines_of(name, text):
    """A change of every mention of a text in a file and in all that repeat it."""
    for path in sorted(PUBLISHED.rglob("*")):
        if path.suffix in (".csv", ".md", ".tex", ".json", ".html") and len(path.parts) < 5:
            content = path.read_text(encoding="utf-8")
            path.write_text(content.replace(name, text), encoding="utf-8")


def halve_boston():
    mean = next(c["mean"] for c in read(TABLE)["cells"] if c["row"] == "gmp")
    as_lines_of(repr(mean), repr(mean / 2))


def swap_records():
    def edit(content):
        mine, other = content["cells"][0], content["cells"][-1]
        mine["records"], other["records"] = other["records"], mine["records"]

    change("gmp/table3.provenance.json", edit)


def plant(name, text="1\n"):
    (PUBLISHED / name).parent.mkdir(parents=True, exist_ok=True)
    (PUBLISHED / name).write_text(text, encoding="utf-8")


def lose_latex():
    (PUBLISHED / "gmp/table3.tex").unlink()
    change("gmp/table3.provenance.json", lambda content: content["files"].pop("tex"))


def forge_metrics():
    path = RUN / "metrics.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    at = head.split(",").index("test_rmse")
    fields = [row.split(",") for row in rows]
    for row in fields:
        row[at] = repr(float(row[at]) / 2)
    path.write_text("\n".join([head, *map(",".join, fields), ""]), encoding="utf-8")


def set_line(number, **fields):
    return lambda lines: lines[number].update(fields)


def retell(name, old, new):
    path = Path(name)
    text = path.read_text(encoding="utf-8")
    assert old in text, text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def digit(name, after):
    """Another digit in place of the first one after a text."""
    path = PUBLISHED / name
    content = path.read_bytes()
    start = content.index(after.encode()) + len(after)
    at = next(i for i in range(start, len(content)) if content[i : i + 1].isdigit())
    other = b"1" if content[at : at + 1] != b"1" else b"2"
    path.write_bytes(content[:at] + other + content[at + 1 :])


# what is forged -> how, and the file that must be named
FORGERIES = {
    # the five that passed when sums were all that was looked at
    "a verdict": (
        lambda: audit_lines(set_line(0, verdict="reproduced")),
        "audit.csv",
    ),
    "a number of the page": (
        lambda: digit("audit.html", '"gmp/table3/sp/boston","'),
        "audit.html",
    ),
    "a digit of the table for people": (
        lambda: (digit("gmp/table3.md", "says |"), digit("gmp/table3.tex", "says &")),
        "gmp/table3.md",
    ),
    "the metrics of a run": (forge_metrics, "gmp/table3.csv"),
    "a number in table, provenance and audit": (halve_boston, "gmp/table3.csv"),
    # twenty and more
    "a verdict in table and content": (
        lambda: (
            audit_lines(set_line(0, verdict="reproduced")),
            change("audit.json", lambda c: c["claims"][0].update(verdict="reproduced")),
        ),
        "audit.csv",
    ),
    "a reason": (lambda: audit_lines(set_line(1, reason="it is so")), "audit.csv"),
    "a number of replicates": (lambda: audit_lines(set_line(0, n="13")), "audit.csv"),
    "an end of an interval": (lambda: audit_lines(set_line(0, low="0.1")), "audit.csv"),
    "a claim that is left out": (lambda: audit_lines(lambda lines: lines.pop(2)), "audit.csv"),
    "a claim that is told twice": (
        lambda: audit_lines(lambda lines: lines.append(lines[0])),
        "audit.csv",
    ),
    "the reply of an author": (lambda: audit_lines(set_line(-1, reply="I agree")), "audit.csv"),
    "a count of verdicts": (lambda: digit("audit.verdicts.json", ": "), "audit.verdicts.json"),
    "an agreement of orders": (
        lambda: digit("audit.agreement.csv", "gmp,"),
        "audit.agreement.csv",
    ),
    "a headline": (
        lambda: change("audit.json", lambda c: c["headlines"]["gmp"][0].update(summary="True.")),
        "audit.json",
    ),
    "a finding": (
        lambda: change("audit.json", lambda c: c["findings"].update(gmp=[{"says": "fine"}])),
        "audit.json",
    ),
    "the time of a run in the audit": (
        lambda: change("audit.json", lambda c: c["runs"][0].update(seconds=1.5)),
        "audit.json",
    ),
    "the scale of an audit": (
        lambda: change("audit.json", lambda c: c.update(scale="paper")),
        "audit.json",
    ),
    "the program of the page": (
        lambda: replace("audit.html", "function show(", "function hide("),
        "audit.html",
    ),
    "a sentence of the page": (
        lambda: replace("audit.html", "</body>", "<p>All is reproduced.</p></body>"),
        "audit.html",
    ),
    "a caption": (
        lambda: change("gmp/table3.provenance.json", lambda c: c.update(caption="Ten seeds.")),
        "gmp/table3.provenance.json",
    ),
    "a standard error": (
        lambda: change(
            "gmp/table3.provenance.json", lambda c: c["cells"][0].update(standard_error=0.001)
        ),
        "gmp/table3.provenance.json",
    ),
    "a printed number": (
        lambda: replace("gmp/table3.csv", "3.370±0.145", "3.170±0.145"),
        "gmp/table3.csv",
    ),
    "runs of another row": (swap_records, "gmp/table3.provenance.json"),
    "a table that nobody made": (lambda: plant("gmp/table4.csv"), "gmp/table4.csv"),
    "a file among those of a run": (
        lambda: plant(f"{RUN.relative_to(PUBLISHED)}/extra.csv"),
        f"{RUN.relative_to(PUBLISHED)}/extra.csv",
    ),
    "a table that is lost": (lose_latex, "gmp/table3.tex"),
    "the caption of a figure": (
        lambda: change("gmp/figure5.provenance.json", lambda c: c.update(caption="Figure 6.")),
        "gmp/figure5.provenance.json",
    ),
    "a count in the README": (
        lambda: retell("README.md", "of 2 claims behind them 2 open", "of 2 claims 1 open"),
        "README.md",
    ),
    "a module that no record names": (
        lambda: change(MODULE_LISTS, lambda c: c["modules"].append(f"reactivate.more {'0' * 16}")),
        MODULE_LISTS,
    ),
    "the hash of a module": (lambda: digit(MODULE_LISTS, '"reactivate '), MODULE_LISTS),
    "an answer": (
        lambda: retell("docs/answers.md", "No answer yet", "True"),
        "docs/answers.md",
    ),
}


def wrong():
    return {f.path.as_posix(): f for f in find([], published=True)[0] if f.wrong}


def test_nothing_is_wrong_before(project, capsys):
    verify([], published=True)
    told = capsys.readouterr().out.splitlines()[-1]
    leaves = "1 judgements of papers, 1 pictures, 6 records, 9 tables of numbers"
    assert f"everything but 17 leaves, which are taken on trust ({leaves})" in told
    assert told.endswith("nothing is wrong")


@pytest.mark.parametrize("what", sorted(FORGERIES))
def test_what_is_forged_above_the_leaves_is_named(project, what):
    forge, name = FORGERIES[what]
    forge()
    reseal()
    path = name if name.endswith(".md") and "gmp" not in name else f"published/smoke/{name}"
    assert path in wrong()


def test_both_values_are_told(project):
    mean = next(c["mean"] for c in read(TABLE)["cells"] if c["row"] == "gmp")
    halve_boston()
    reseal()
    said = wrong()["published/smoke/gmp/table3.csv"].says
    assert said == f"line 4, column value is {mean / 2!r}, rebuilt {mean!r}"


def test_values_of_an_analysis_are_those_that_it_recorded(project):
    digit("gmp/figure5.csv", "\n")
    change(
        "gmp/figure5.provenance.json",
        lambda c: c["files"].update(csv=sha256(PUBLISHED / "gmp/figure5.csv")),
    )
    write_sums(PUBLISHED)
    commit("forge")
    assert list(wrong()) == ["published/smoke/gmp/figure5.csv"]


def forge_consistently():
    """A leaf is forged, and everything above it is made from it by the project's own code."""
    forge_metrics()
    record = read(RUN / "run.json")
    record["files"]["metrics.csv"] = sha256(RUN / "metrics.csv")
    write_json(RUN / "run.json", record)
    place = Path("forger").absolute()
    bring(PUBLISHED, place / "results/smoke")
    rebuild(place, ["smoke"])
    shutil.rmtree(PUBLISHED)
    shutil.move(place / "results/smoke", PUBLISHED)
    for text in ("README.md", "docs/answers.md"):
        shutil.move(place / text, text)
    shutil.rmtree(place)
    write_sums(PUBLISHED)
    commit("forge")


@pytest.mark.slow
def test_a_leaf_that_is_forged_with_everything_above_it_is_named_by_training_again(
    project, capsys
):
    forge_consistently()
    assert wrong() == {}
    assert len(trained_runs(["smoke"])) == 4
    capsys.readouterr()
    with pytest.raises(SystemExit):
        verify([], published=True, rerun=4, as_json=True)  # all of them
    findings = json.loads(capsys.readouterr().out)["findings"]
    (found,) = [finding for finding in findings if finding["kind"] == "unrepeated"]
    assert found["path"] == str(RUN / "metrics.csv")
    assert "column test_rmse is " in found["says"]


def test_a_forged_curve_is_named_by_training_again(project, edit):
    head = (RUN / "curve.csv").read_text(encoding="utf-8").splitlines()[1]
    edit(RUN / "curve.csv", head, head.replace(",", ",1", 1))
    runs = trained_runs(["smoke"])
    (found,) = repeat(RUN / "run.json", runs[RUN / "run.json"])
    assert (found.kind, found.path) == ("unrepeated", RUN / "curve.csv")


def test_a_curve_of_a_run_that_has_no_history_is_not_vouched_for(project):
    edited = PUBLISHED / "gmp/analyse/figure5/curve.csv"
    edited.write_text("epoch,loss\n1,2\n", encoding="utf-8")
    write_sums(PUBLISHED)
    commit("forge")
    assert wrong()[edited.as_posix()].kind == "unvouched"


def test_a_leaf_that_is_forged_with_everything_above_it_is_named_by_its_signature(project):
    key = Path("maintainer").absolute()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    public = Path("maintainer.pub").read_text(encoding="utf-8")
    Path("signers").write_text(f"maintainer@example.org {public}", encoding="utf-8")
    sign([], key)
    commit("sign")
    verify([], published=True, signers=Path("signers"))
    signature = (PUBLISHED / SIGNATURE).read_bytes()
    forge_consistently()
    (PUBLISHED / SIGNATURE).write_bytes(signature)
    commit("keep the signature")
    with pytest.raises(SystemExit):
        verify([], published=True, signers=Path("signers"))
    (found,) = signature_findings(PUBLISHED, Path("signers"))
    assert found.kind == "missigned"


def test_cheap_runs_are_drawn_more_often():
    took = {"a": 1.0, "b": 100.0, "c": 100.0, "d": 100.0}
    runs = {
        Path(name): SimpleNamespace(times=SimpleNamespace(seconds=seconds))
        for name, seconds in took.items()
    }
    draws = [drawn(runs, 1)[0].name for _ in range(300)]
    assert draws.count("a") > 270  # its share is 1 / 1.03
    assert sorted(drawn(runs, 4)) == sorted(runs)
    with pytest.raises(ValueError, match="there is no run to train again below published"):
        drawn({}, 1)
