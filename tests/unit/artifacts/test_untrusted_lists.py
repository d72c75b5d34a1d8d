"""Lists and files from a remote are accepted if they are what we write, and nothing else is."""

import json
from pathlib import Path

import pytest
from reactivate.artifacts.contents import check_harmless
from reactivate.artifacts.storage import _entries
from safetensors.numpy import save_file

SUM = "0123456789abcdef" * 2
FOLDER = Path("results/smoke")


def entry(name="gmp/table3.csv", checksum=SUM):
    return {"relpath": name, "md5": checksum}


MALFORMED = {
    "a number": (b"[1]", "holds 1, which names no file"),
    "nothing": (b"null", "is None, not a list"),
    "a NUL": (b"\0", "is no JSON"),
    "no text": (b"\xff\xfe", "is no JSON"),
    "an object": (b"{}", "is {}, not a list"),
    "a list in a list": (b"[[]]", "holds [], which names no file"),
    "too deep": (b"[" * 100_000, "is no JSON"),
    "no checksum": (json.dumps([{"relpath": "a"}]).encode(), "which names no file"),
    "a checksum that is a number": (json.dumps([entry(checksum=1)]).encode(), "names no file"),
    "a short checksum": (json.dumps([entry(checksum="ab")]).encode(), "with the checksum 'ab'"),
    "a name that is a list": (json.dumps([entry([])]).encode(), "which names no file"),
    "a NUL in a name": (json.dumps([entry("a\0.csv")]).encode(), "names 'a\\x00.csv'"),
    "a line end in a name": (json.dumps([entry("a\n.csv")]).encode(), "leads outside"),
    "an empty name": (json.dumps([entry("")]).encode(), "leads outside"),
    "outside": (json.dumps([entry("../x.csv")]).encode(), "leads outside"),
    "outside by the way": (json.dumps([entry("a/../../x.csv")]).encode(), "leads outside"),
    "the root": (json.dumps([entry("/etc/x.csv")]).encode(), "leads outside"),
    "a drive": (json.dumps([entry("C:\\x.csv")]).encode(), "leads outside"),
    "a hidden file": (json.dumps([entry(".git/x.csv")]).encode(), "leads outside"),
    "an option": (json.dumps([entry("-rf.csv")]).encode(), "leads outside"),
    "the same twice": (json.dumps([entry(), entry()]).encode(), "'gmp/table3.csv' twice"),
}


@pytest.mark.parametrize("what", sorted(MALFORMED))
def test_a_malformed_list_is_named_and_not_followed(what):
    content, expected = MALFORMED[what]
    with pytest.raises(ValueError, match="the list of files of results/smoke") as error:
        list(_entries(content, FOLDER))
    assert expected in str(error.value)
    assert "Restore from a remote you trust" in str(error.value)


def test_a_list_as_dvc_writes_it_is_read():
    content = json.dumps([entry(), entry("gmp/runs/a-b/seed0/run.json")]).encode()
    assert dict(_entries(content, FOLDER)) == {
        "gmp/table3.csv": SUM,
        "gmp/runs/a-b/seed0/run.json": SUM,
    }


REFUSED = (
    *("weights.pt", "weights.PT", "weights.pkl.gz", "weights.dill", "weights.h5", "weights.so"),
    *("a.npy", "a.py", "a.pth", "a.ckpt", "a.joblib", "a.exe", "a", "run.sh", "a.csv.bz2"),
    *("a.SAFETENSORS", "a.safetensors.pt", "Makefile", "a.yaml", "a.json5", "a.pickle", "a.zip"),
)


@pytest.mark.parametrize("name", REFUSED)
def test_what_nothing_here_writes_is_refused(name):
    with pytest.raises(ValueError, match=r"accepted: \.csv, \.json"):
        check_harmless(FOLDER / name)


def test_what_stages_write_is_accepted(tmp_path):
    for name in ("a.csv", "run.json", "a.md", "a.tex", "a.png", "audit.html", "a.log"):
        check_harmless(FOLDER / name)
    import numpy

    save_file({"a": numpy.zeros(1)}, tmp_path / "model.safetensors")
    check_harmless(tmp_path / "model.safetensors")
    (tmp_path / "other.safetensors").write_bytes(b"no tensors")
    with pytest.raises(ValueError, match="is not a safetensors file"):
        check_harmless(tmp_path / "other.safetensors")


def test_every_kind_of_file_that_a_rule_declares_is_accepted():
    """What the rules declare as outputs is what can be frozen and restored."""
    from reactivate.experiment import outputs

    tables = (outputs.TRAINED, outputs.OBSERVED, outputs.MEASURED)
    names = {name for table in tables for name in table.values()}
    for name in {*names, outputs.MASKS, outputs.TIMES, "notebook.ipynb"}:
        if not name.endswith(".safetensors"):
            check_harmless(FOLDER / name)
