"""A table is made where results are kept in a storage of Snakemake's, the same as in a folder."""

import json
import os
import shutil

import pytest

pytestmark = pytest.mark.slow

TABLE = "results/smoke/gmp/table3.csv"


@pytest.fixture
def rsync():
    """The program that the plugin copies with."""
    if not shutil.which("rsync"):
        told = "the storage plugin fs needs rsync; install it with: apt-get install rsync"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)


def test_a_table_is_made_in_a_storage_as_it_is_made_in_a_folder(rsync, computed, tmp_path):
    clone, store = type(computed)(tmp_path / "clone"), tmp_path / "store"
    computed.git("clone", "--quiet", ".", str(clone.folder))
    shutil.copytree(computed.folder / "data/prepared", store / "data/prepared")
    storage = ["--default-storage-provider", "fs", "--default-storage-prefix", str(store)]
    done = clone.snakemake(TABLE, *storage, "--cores", "1")
    assert done.returncode == 0, done.stdout
    assert not (clone.folder / TABLE).exists()
    assert (store / TABLE).read_bytes() == (computed.folder / TABLE).read_bytes()
    provenance = json.loads((store / TABLE).with_suffix(".provenance.json").read_text())
    records = [kept["record"] for cell in provenance["cells"] for kept in cell["records"]]
    assert len(records) == 2
    for record in records:  # kept by the names that they have everywhere
        assert record.startswith("results/smoke/gmp/runs/")
        kept = json.loads((store / record).read_text())
        assert kept["environment"]["git"]["commit"] == clone.git("rev-parse", "HEAD").strip()
    again = clone.snakemake("-n", TABLE, *storage)
    assert "Nothing to be done" in again.stdout
