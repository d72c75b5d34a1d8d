"""A publication as an archive: a crate that can be read back, and a manifest of its exhibits."""

import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from reactivate.artifacts.crate import FILES, FOLDERS, PROFILES
from reactivate.commands.export import export
from reactivate.evidence.publication import SIGNATURE, SUMS, write_sums
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.cell import Cell
from reactivate.foundation.files import sha256
from rocrate.rocrate import ROCrate

ROOT = Path(__file__).parents[3]
EXHIBITS = ["published/laptop/gmp/table3.csv", "published/laptop/gmp/figure2.png"]


def git(*arguments):
    names = [f"-c user.{key}=test@example.org" for key in ("name", "email")]
    subprocess.run(["git", *" ".join(names).split(), *arguments], check=True)


@pytest.fixture
def project(tmp_path, monkeypatch, leave_record):
    """A repository with one published table and figure, and rubbish that is in no commit."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    for name in [*FILES, "Snakefile"]:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tmp_path / name)
    for name in set(FOLDERS) - {"config"}:
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").write_text("x = 1\n")
    publication = tmp_path / "published/laptop"
    (publication / "gmp/runs/yacht").mkdir(parents=True)
    (publication / "gmp/table3.csv").write_text("a,b\n1,2\n")
    (publication / "gmp/figure2.png").write_bytes(b"picture")
    (publication / "audit.csv").write_text("claim,verdict\n")
    (publication / "gmp/runs/yacht/metrics.csv").write_text("seed\n0\n")
    took = {"seconds": 7200.0, "training_seconds": None, "resumes": 0}
    cell = Cell("yacht", "mlp100", "relu", "sp", "document")
    known = {"paper": "gmp", "scale": "laptop", "cell": cell, "seeds": [0]}
    leave_record(publication / "gmp/runs/yacht", **known, times=took)
    write_sums(publication)
    (publication / SIGNATURE).write_text("a signature\n")
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "-m", "start")
    (tmp_path / "workflow/uncommitted.py").write_text("x = 2\n")
    return tmp_path


@pytest.fixture
def unpacked(project, capsys):
    with ZipFile(export("laptop")) as archive:
        names = archive.namelist()
        assert len(set(names)) == len(names)
        archive.extractall(project / "unpacked")
    assert "wrote exports/laptop.crate.zip" in capsys.readouterr().out
    return project / "unpacked"


def test_a_reader_finds_workflow_run_inputs_and_results(unpacked):
    crate = ROCrate(unpacked)
    assert crate.mainEntity.id == "Snakefile"
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} == set(crate.mainEntity.type)
    assert {each["@id"] for each in _listed(crate.root_dataset["conformsTo"])} >= set(PROFILES)
    action = crate.root_dataset["mentions"]
    action = action[0] if isinstance(action, list) else action
    assert action.type == "CreateAction"
    assert action["instrument"] == crate.mainEntity
    assert {result.id for result in action["result"]} == {*EXHIBITS, "published/laptop/audit.csv"}
    scale, yacht = action["object"]
    assert scale["value"] == "laptop"
    assert scale["exampleOfWork"] == crate.mainEntity["input"]
    assert yacht["sha256"] == dataset("yacht").prepared
    assert "2.0 hours" in action["description"]


def _listed(value):
    listed = value if isinstance(value, list) else [value]
    return [each if isinstance(each, dict) else {"@id": each.id} for each in listed]


def test_every_file_that_the_crate_names_is_there_with_its_checksum(unpacked):
    crate = ROCrate(unpacked)
    files = [entity for entity in crate.data_entities if "File" in str(entity.type)]
    assert len(files) > len(EXHIBITS)
    for entity in files:
        assert (unpacked / entity.id).is_file()
        if "sha256" in entity.properties():
            assert sha256(unpacked / entity.id) == entity["sha256"]


def test_records_are_inside_and_what_is_in_no_commit_is_not(unpacked):
    assert (unpacked / "published/laptop/gmp/runs/yacht/run.json").is_file()
    assert (unpacked / "workflow/code.py").is_file()
    assert not (unpacked / "workflow/uncommitted.py").exists()


def test_the_manifest_names_every_exhibit_and_what_it_shows(unpacked):
    manifest = yaml.safe_load((unpacked / "codecheck.yml").read_text())
    assert manifest["version"] == "https://codecheck.org.uk/spec/config/1.0/"
    assert sorted(entry["file"] for entry in manifest["manifest"]) == sorted(EXHIBITS)
    assert all((unpacked / entry["file"]).is_file() for entry in manifest["manifest"])
    table = next(e for e in manifest["manifest"] if e["file"].endswith("table3.csv"))
    assert table["comment"].startswith("gmp, Table 3: Test RMSE")
    assert "Neural characteristic activation value" in manifest["paper"]["title"]


def test_a_scale_without_a_committed_publication_is_refused(project):
    with pytest.raises(ValueError, match=r"published/paper is in no commit.*accepted.*publish"):
        export("paper")
    assert not (project / "exports").exists()


def test_the_signature_is_bundled_with_the_list_that_it_is_of(unpacked):
    crate = ROCrate(unpacked)
    signed = crate.dereference(f"published/laptop/{SIGNATURE}")
    assert signed["about"].id == f"published/laptop/{SUMS}"
    assert (unpacked / signed.id).read_text() == "a signature\n"
    assert signed["sha256"] == sha256(unpacked / signed.id)
