"""An audit of what exists: an exhibit whose run failed is not the end of it, and says why."""

import csv
import shutil

import pytest
import yaml

pytestmark = pytest.mark.slow

AUDIT = "results/smoke/audit.html"
BROKEN = """
    def forward(self, x: Tensor) -> Tensor:
        raise ValueError("the disk is full")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory, small_project):
    """Two tables, the network of one of which cannot be trained; all that can be made was."""
    clone = small_project(tmp_path_factory.mktemp("existing") / "a")
    path = clone.folder / "config/papers/gmp/paper.yaml"
    paper = yaml.safe_load(path.read_text(encoding="utf-8"))
    whole = paper["exhibits"]["table3"]
    paper["exhibits"] = {
        name: whole | {"rows": {"activation": [row]}, "printed": {row: ["1.0"]}}
        for name, row in (("table3", "relu"), ("table4", "clipped"))
    }
    path.write_text(yaml.safe_dump(paper, sort_keys=False, allow_unicode=True), encoding="utf-8")
    source = clone.folder / "workflow/reactivate/activations/clipped.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text[: text.index("\n    def forward")] + BROKEN, encoding="utf-8")
    done = clone.snakemake("--keep-going", "--cores", "2", "--", AUDIT)
    assert done.returncode != 0
    assert "snakemake --config reach=existing -- results/SCALE/audit.html" in done.stdout
    return clone


def rows(clone):
    with (clone.folder / "results/smoke/audit.csv").open(encoding="utf-8") as file:
        return {row["claim"]: row for row in csv.DictReader(file)}


def existing(clone):
    return clone.snakemake("--config", "reach=existing", "--cores", "1", "--", AUDIT)


def test_one_failed_run_does_not_keep_other_exhibits_from_being_made(project):
    assert (project.folder / "results/smoke/gmp/table3.csv").exists()
    assert not (project.folder / "results/smoke/gmp/table4.csv").exists()
    assert not (project.folder / AUDIT).exists()


@pytest.fixture
def clone(project, tmp_path):
    """A copy of the project, to be audited."""
    shutil.copytree(project.folder, tmp_path / "b", symlinks=True)
    return type(project)(tmp_path / "b")


def test_what_exists_is_audited_and_the_rest_names_its_failure(clone):
    done = existing(clone)
    assert done.returncode == 0, done.stdout
    assert "rule sweep" not in done.stdout
    found = rows(clone)
    assert set(found) == {"gmp/table3/relu/yacht", "gmp/table4/clipped/yacht"}
    judged, absent = found.values()
    assert judged["verdict"] == "not_comparable(scale)"
    assert absent["verdict"] == "not_run(compute)"
    assert absent["reason"].startswith("1 of 1 runs that it needs are missing; results/smoke/gmp/")
    assert absent["reason"].endswith("sweep.log ends with: error: the disk is full")
    assert absent["reason"] in (clone.folder / AUDIT).read_text(encoding="utf-8")
    assert "Nothing to be done" in existing(clone).stdout


def test_the_audit_is_made_anew_when_more_exists_or_all_is_asked_for(clone):
    assert existing(clone).returncode == 0
    source = clone.folder / "workflow/reactivate/activations/clipped.py"
    text = source.read_text(encoding="utf-8")
    mended = text.replace('raise ValueError("the disk is full")', "return x.clamp(0, 0.1)")
    source.write_text(mended, encoding="utf-8")
    assert clone.snakemake("results/smoke/gmp/table4.csv", "--cores", "1").returncode == 0
    assert existing(clone).returncode == 0
    first = rows(clone)
    assert {row["verdict"] for row in first.values()} == {"not_comparable(scale)"}
    done = clone.snakemake(AUDIT, "--cores", "1")
    assert done.returncode == 0, done.stdout
    assert rows(clone) == first


TABLE = "results/smoke/gmp/table3.csv"


def table(clone):
    return clone.snakemake("--config", "reach=existing", "--cores", "1", "--", TABLE)


@pytest.fixture
def two_rows(clone):
    """The clone with a table of two rows, the network of one of which was trained."""
    path = clone.folder / "config/papers/gmp/paper.yaml"
    paper = yaml.safe_load(path.read_text(encoding="utf-8"))
    whole = paper["exhibits"].pop("table4") | {
        "rows": {"activation": ["relu", "clipped"]},
        "printed": {"relu": ["1.0"], "clipped": ["1.0"]},
    }
    paper["exhibits"] = {"table3": whole}
    path.write_text(yaml.safe_dump(paper, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return clone


def rows_of_table(clone):
    with (clone.folder / TABLE).open(encoding="utf-8") as file:
        return {row["row"]: row["n"] for row in csv.DictReader(file)}


def test_a_table_of_what_exists_leaves_out_what_was_not_run(two_rows):
    done = table(two_rows)
    assert done.returncode == 0, done.stdout
    assert "rule sweep" not in done.stdout
    found = rows_of_table(two_rows)
    assert found["relu"]
    assert not found.get("clipped")
    assert "Nothing to be done" in table(two_rows).stdout


def test_a_table_of_what_does_not_exist_says_so(two_rows):
    for record in (two_rows.folder / "results/smoke/gmp/runs").rglob("run.json"):
        record.unlink()
    (two_rows.folder / TABLE).unlink()
    done = table(two_rows)
    assert done.returncode != 0
    log = two_rows.folder / "results/smoke/gmp/logs/tabulate_table3.log"
    said = "error: none of the runs of gmp/table3 at the scale smoke exists"
    assert said in log.read_text(encoding="utf-8") + done.stdout
