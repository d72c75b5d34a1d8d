"""What was changed, lost or is old is named, and nothing else is."""

import json
import shutil
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest
import yaml
from reactivate.artifacts.rebuilding import bring, rebuild
from reactivate.commands.publish import publish
from reactivate.commands.verify import find, verify
from reactivate.evidence.publication import SUMS, write_sums
from reactivate.experiment.experiment import forget
from reactivate.experiment.loading import load_paper
from reactivate.foundation.files import sha256, write_checksum, write_json

ROOT = Path(__file__).parents[3]
RESULTS, PUBLISHED = Path("results/smoke"), Path("published/smoke")
RUN = "gmp/runs/yacht/mlp100-relu-sp-document"
DATA = Path("data/prepared/yacht.safetensors")


@pytest.fixture(scope="module")
def _published_once(_run_once, tmp_path_factory):
    folder = tmp_path_factory.mktemp("published") / "project"
    shutil.copytree(_run_once, folder)
    with chdir(folder):
        forget()
        publish("smoke")
        forget()
    return folder


@pytest.fixture
def published(_published_once, tmp_path, monkeypatch):
    """Results that were published, from data whose checksums the catalog has."""
    folder = tmp_path / "project"
    shutil.copytree(_published_once, folder)
    monkeypatch.chdir(folder)
    forget()
    yield folder
    forget()


def named(published=True):
    """Kind and file of everything that is found."""
    return [(f.kind, f.path.as_posix()) for f in find(["smoke"], published)[0]]


def change_digit(path, after=""):
    """Another digit in place of the first one after a text."""
    content = path.read_bytes()
    start = content.index(after.encode()) + len(after)
    at = next(i for i in range(start, len(content)) if content[i : i + 1].isdigit())
    other = b"1" if content[at : at + 1] != b"1" else b"2"
    path.write_bytes(content[:at] + other + content[at + 1 :])


def test_nothing_is_found_where_nothing_was_changed(published, capsys):
    assert named(published=False) == []
    verify([])
    summary = capsys.readouterr().out.strip().splitlines()[-1]
    assert "2 datasets" in summary
    assert summary.endswith("nothing is wrong")


PUBLISHED_FILES = {
    "a table": ("gmp/table3.csv", "boston"),
    "a table for people": ("gmp/table3.md", "printed"),
    "a record's time": (f"{RUN}/run.json", '"seconds": '),
    "a record's code": (f"{RUN}/run.json", '"code": "'),
    "a record's files": (f"{RUN}/run.json", '"metrics.csv": "'),
    "a record's dataset": (f"{RUN}/run.json", '"sha256": "'),
    "a run's numbers": (f"{RUN}/metrics.csv", "\n"),
    "a number of the provenance": ("gmp/table3.provenance.json", '"values": ['),
    "a mean of the provenance": ("gmp/table3.provenance.json", '"mean": '),
    "a checksum of a table": ("gmp/table3.provenance.json", '"csv": "'),
    "a checksum of a record": ("gmp/table3.provenance.json", '"sha256": "'),
    "the audit": ("audit.csv", "gmp/table3/sp/boston,"),
    "the audit's numbers": ("audit.csv", "3.370±0.145,"),
    "the audit's content": ("audit.json", '"ours"'),
    "a count of verdicts": ("audit.verdicts.json", ""),
    "the page": ("audit.html", ""),
}


@pytest.mark.parametrize("what", sorted(PUBLISHED_FILES))
def test_a_changed_digit_in_a_published_file_is_named_and_nothing_else(published, what):
    name, after = PUBLISHED_FILES[what]
    change_digit(PUBLISHED / name, after)
    assert named() == [("tampered", f"published/smoke/{name}")]


# What the list of sums watches in published/, the files themselves must tell in results/.
NOT_IN_RESULTS = {"the page", "a table for people", "a record's time", "a checksum of a record"}
IN_RESULTS = {what: PUBLISHED_FILES[what] for what in PUBLISHED_FILES.keys() - NOT_IN_RESULTS} | {
    "weights": (f"{RUN}/model.safetensors", "data_offsets"),
}


@pytest.mark.parametrize("what", sorted(IN_RESULTS))
def test_a_changed_digit_in_a_result_is_named_and_nothing_else(published, what):
    name, after = IN_RESULTS[what]
    change_digit(RESULTS / name, after)
    assert named(published=False) == [("tampered", f"results/smoke/{name}")]


def test_a_changed_dataset_is_named_and_not_what_was_made_from_it(published):
    content = bytearray(DATA.read_bytes())
    content[-1] ^= 1
    DATA.write_bytes(content)
    assert named(published=False) == [("tampered", DATA.as_posix())]
    write_checksum(DATA)  # the catalog still knows
    assert named(published=False) == [("tampered", DATA.as_posix())]


def test_a_changed_checksum_file_is_named_and_not_its_dataset(published):
    change_digit(Path(f"{DATA}.sha256"))
    assert named() == [("tampered", f"{DATA}.sha256")]


def test_a_changed_file_supplied_by_hand_is_named(published):
    known = yaml.safe_load(Path("config/papers/gmp/datasets.yaml").read_text(encoding="utf-8"))
    sources = [s for s in known["yacht"]["sources"] if s["kind"] == "mirror"]
    raw = Path("data/raw") / sources[0]["file"]
    raw.parent.mkdir(parents=True)
    raw.write_text("not the published bytes", encoding="utf-8")
    assert named() == [("tampered", raw.as_posix())]


def test_what_was_made_from_another_dataset_than_the_catalog_has_is_foreign(published):
    content = DATA.read_bytes()
    DATA.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    found = write_checksum(DATA)
    path = Path("config/papers/gmp/datasets.yaml")
    known = yaml.safe_load(path.read_text(encoding="utf-8"))
    known["yacht"]["prepared"] = found
    path.write_text(yaml.safe_dump(known), encoding="utf-8")
    runs = ["mlp100-relu-gmp-document", "mlp100-relu-sp-document"]
    assert named() == [("foreign", f"published/smoke/gmp/runs/yacht/{r}/run.json") for r in runs]


def test_a_lost_file_is_missing_and_what_is_not_published_is_not(published):
    for name in (f"{RUN}/metrics.csv", "gmp/table3.tex"):
        (PUBLISHED / name).unlink()
    assert not (PUBLISHED / RUN / "model.safetensors").exists()
    assert named() == [
        ("missing", f"published/smoke/{RUN}/metrics.csv"),
        ("missing", "published/smoke/gmp/table3.tex"),
    ]
    (RESULTS / RUN / "model.safetensors").unlink()
    assert ("missing", f"results/smoke/{RUN}/model.safetensors") in named(published=False)


def test_a_planted_file_is_vouched_for_by_nothing(published):
    (PUBLISHED / "gmp/table4.csv").write_text("1\n", encoding="utf-8")
    assert named() == [("unvouched", "published/smoke/gmp/table4.csv")]


def test_a_table_forged_with_the_list_of_sums_is_betrayed_by_its_provenance(published):
    change_digit(PUBLISHED / "gmp/table3.csv", "boston")
    write_sums(PUBLISHED)
    assert named() == [("tampered", "published/smoke/gmp/table3.csv")]


def test_numbers_forged_with_the_list_of_sums_are_betrayed_by_the_audit(published):
    change_digit(PUBLISHED / "gmp/table3.provenance.json", '"mean": ')
    write_sums(PUBLISHED)
    assert named() == [("tampered", "published/smoke/gmp/table3.provenance.json")]


def test_an_audit_forged_with_the_list_of_sums_is_betrayed_by_its_table(published):
    text = json.loads((PUBLISHED / "audit.json").read_text(encoding="utf-8"))
    ours = text["claims"][0]["ours"]
    for name in ("audit.csv", "audit.json"):
        path = PUBLISHED / name
        path.write_text(path.read_text(encoding="utf-8").replace(ours, "3.2"), encoding="utf-8")
    write_sums(PUBLISHED)
    assert ("tampered", "published/smoke/audit.csv") in named()


def test_a_changed_list_of_sums_is_named_itself(published):
    *_, last, _ = (PUBLISHED / SUMS).read_text(encoding="utf-8").splitlines()
    change_digit(PUBLISHED / SUMS, last[:9])  # of a table, for which its provenance speaks
    assert named() == [("tampered", f"published/smoke/{SUMS}")]


def test_a_changed_sum_of_the_audit_is_told_from_a_changed_audit_by_git(published):
    commit(published)
    change_digit(PUBLISHED / SUMS)  # of audit.csv
    assert named() == [("tampered", f"published/smoke/{SUMS}")]


def test_what_is_published_and_not_as_committed_is_named(published):
    commit(published)
    assert named() == []
    (PUBLISHED / "audit.html").write_text("another page", encoding="utf-8")
    write_sums(PUBLISHED)
    assert named() == [
        ("uncommitted", f"published/smoke/{SUMS}"),
        ("unfounded", "published/smoke/audit.html"),
    ]


def commit(folder):
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "published"], [*who, "commit", "-qm", "publish"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def test_without_its_list_of_sums_a_publication_is_incomplete(published):
    (PUBLISHED / SUMS).unlink()
    assert named() == [("missing", f"published/smoke/{SUMS}")]


@pytest.mark.parametrize("name", ["audit.json", "audit.verdicts.json", f"{RUN}/run.json"])
def test_a_result_that_is_no_longer_json_is_named(published, name):
    (RESULTS / name).write_text('{"cut": ', encoding="utf-8")
    assert named(published=False) == [("tampered", f"results/smoke/{name}")]


def test_a_claim_that_is_told_twice_or_not_at_all_is_named(published):
    path = RESULTS / "audit.csv"
    head, first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([head, first, first, *rest, ""]), encoding="utf-8")
    (found,) = find(["smoke"])[0]
    assert str(found) == "tampered results/smoke/audit.csv: gmp/table3/sp/boston is there twice"
    path.write_text("\n".join([head, *rest, ""]), encoding="utf-8")
    (found,) = [f for f in find(["smoke"])[0] if f.kind == "tampered"]
    assert "gmp/table3/sp/boston is only in audit.json" in found.says


def test_other_code_and_uncommitted_code_are_told_but_wrong_only_if_asked(published, capsys):
    record = PUBLISHED / RUN / "run.json"
    content = json.loads(record.read_text(encoding="utf-8"))
    content["environment"]["git"] = {"commit": "abc", "dirty": True}
    write_json(record, {**content, "code": "0" * 16})
    place = Path("again").absolute()
    bring(PUBLISHED, place / RESULTS)
    rebuild(place, ["smoke"])
    shutil.rmtree(PUBLISHED)
    shutil.copytree(place / RESULTS, PUBLISHED)
    write_sums(PUBLISHED)
    assert named() == [("dirty", record.as_posix()), ("stale", record.as_posix())]
    verify(["smoke"], published=True)
    assert "made by code 0000000000000000, which now is" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        verify(["smoke"], published=True, strict=True)
    assert stop.value.code == 1


def test_an_audit_older_than_its_table_is_stale(published, monkeypatch):
    from reactivate.stages import tabulate

    path = RESULTS / RUN
    metrics = (path / "metrics.csv").read_text(encoding="utf-8").splitlines()
    (path / "metrics.csv").write_text("\n".join([*metrics, metrics[-1], ""]), encoding="utf-8")
    record = json.loads((path / "run.json").read_text(encoding="utf-8"))
    record["files"]["metrics.csv"] = sha256(path / "metrics.csv")
    write_json(path / "run.json", record)
    tabulate.tabulate("smoke", "gmp", "table3")
    assert named(published=False) == [("stale", "results/smoke/audit.csv")]


def test_a_number_that_is_now_printed_otherwise_makes_table_and_audit_stale(published, edit):
    printed = load_paper("gmp").tables["table3"].printed_at("gmp", "boston")
    edit("config/papers/gmp/paper.yaml", printed, "9.87±0.65")
    forget()
    found = {f.path.name: f for f in find(["smoke"])[0] if f.kind == "stale"}
    table, audit = found["table3.provenance.json"], found["audit.csv"]
    again = "make it again with: snakemake --force table3.csv"
    assert table.says == f"printed otherwise in config/papers; {again}"
    said = "1 of its claims are printed otherwise in config/papers"
    assert audit.says.startswith(f"{said}, e.g. gmp/table3/gmp/boston")


def test_what_is_wrong_is_one_line_each_and_the_exit_code(published, capsys):
    change_digit(PUBLISHED / "gmp/table3.csv", "boston")
    with pytest.raises(SystemExit) as stop:
        verify(["smoke"])
    line, summary = capsys.readouterr().out.splitlines()
    assert line.startswith("tampered published/smoke/gmp/table3.csv: sha256 is ")
    assert "but published/smoke/gmp/table3.provenance.json recorded " in line
    assert summary.endswith("s: 1 tampered")
    assert stop.value.code == 1


def test_nothing_to_verify_is_said(unrun):
    with pytest.raises(ValueError, match="there is nothing to verify; accepted: results/smoke or"):
        verify([])
    with pytest.raises(ValueError, match="unknown scale 'smok'; did you mean smoke"):
        verify(["smok"])


def test_what_the_project_has_published_is_as_it_was_recorded(monkeypatch):
    """Some of it may be older than the code: that is told, and nothing else may be found."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("reactivate.commands.verify.data_findings", list)
    found = find([], published=True)[0]
    assert [str(f) for f in found if f.wrong and f.kind != "uncommitted"] == []


@pytest.mark.slow
def test_a_copy_of_a_published_scale_tells_a_forged_number(tmp_path, monkeypatch):
    """The real files, in a folder that is no repository."""
    for name in ("config", "published"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copyfile(ROOT / "README.md", tmp_path / "README.md")
    monkeypatch.chdir(tmp_path)
    table = Path("published/paper/gmp/table3.csv")
    change_digit(table, "boston")
    found = find(["paper"], published=True)[0]
    assert [(f.kind, f.path) for f in found if f.wrong] == [("tampered", table)]
