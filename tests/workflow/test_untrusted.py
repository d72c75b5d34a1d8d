"""A hostile remote: nothing of it is run, and nothing is written outside the results."""

import hashlib
import json
import pickle
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

WEIGHTS = "gmp/runs/yacht/mlp100-relu-sp-document/model.safetensors"
ARCHIVE = "snakemake.json"


class Bomb:
    """Leaves a file when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (Path.touch, (self.mark,))


class Remote:
    """The remote of a clone and the pointer to it, both in the hands of an attacker."""

    def __init__(self, clone):
        self.store = clone.folder.parent / "reactivate-dvc/files/md5"
        self.pointer = clone.folder / "results/smoke.dvc"
        self.listed = self.path(self.pointer.read_text().split("md5: ")[1].split()[0])
        self.entries = json.loads(self.listed.read_text())

    def path(self, checksum):
        return self.store / checksum[:2] / checksum[2:]

    def read(self, name):
        entry = next(entry for entry in self.entries if entry["relpath"] == name)
        return self.path(entry["md5"]).read_bytes()

    def add(self, content, ending=""):
        checksum = hashlib.md5(content).hexdigest() + ending
        self.path(checksum).parent.mkdir(exist_ok=True)
        self.path(checksum).write_bytes(content)
        return checksum

    def publish(self, name, content):
        """Replaces or adds a file and all checksums that lead to it."""
        self.entries = [entry for entry in self.entries if entry["relpath"] != name]
        self.entries.append({"md5": self.add(content), "relpath": name})
        checksum = self.add(json.dumps(self.entries).encode(), ".dir")
        self.pointer.write_text(f"outs:\n- md5: {checksum}\n  hash: md5\n  path: smoke\n")


@pytest.fixture
def remote(fresh):
    return Remote(fresh)


def refusal(clone):
    done = clone.reactivate("restore", "--scale", "smoke")
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    assert not (clone.folder / ".snakemake/metadata").exists()
    return done.stdout


def test_a_pickle_in_place_of_weights_is_refused(fresh, remote, tmp_path):
    remote.publish(WEIGHTS, pickle.dumps(Bomb(tmp_path / "mark")))
    assert f"results/smoke/{WEIGHTS} is not a safetensors file" in refusal(fresh)
    assert not (fresh.folder / "results/smoke").exists()
    assert not (tmp_path / "mark").exists()


def test_content_that_was_exchanged_on_the_remote_is_refused(fresh, remote, tmp_path):
    checksum = hashlib.md5(remote.read(WEIGHTS)).hexdigest()
    remote.path(checksum).chmod(0o644)
    remote.path(checksum).write_bytes(pickle.dumps(Bomb(tmp_path / "mark")))
    assert f"has another content for results/smoke/{WEIGHTS}" in refusal(fresh)
    assert not (fresh.folder / "results/smoke").exists()
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("name", ["../../../outside.txt", "/tmp/reactivate-outside.txt"])
def test_a_path_outside_its_folder_is_refused(fresh, remote, tmp_path, name):
    remote.publish(name, b"outside")
    assert f"names {name!r}" in refusal(fresh)
    assert not (tmp_path / "outside.txt").exists()
    assert not (fresh.folder / "results/smoke" / name).exists()


def test_a_list_of_files_that_git_does_not_name_is_refused(fresh, remote):
    remote.listed.chmod(0o644)
    remote.listed.write_text("[]")
    assert "the list of files of results/smoke is not the one" in refusal(fresh)


def test_metadata_that_names_a_shell_command_is_refused(fresh, remote, tmp_path):
    memories = json.loads(remote.read(ARCHIVE))
    memories["results/smoke/gmp/table3.csv"]["shellcmd"] = f"touch {tmp_path}/mark"
    remote.publish(ARCHIVE, json.dumps(memories).encode())
    assert "unknown key 'shellcmd'" in refusal(fresh)
    assert not (tmp_path / "mark").exists()


def test_a_command_in_the_place_of_the_rules_own_is_only_compared(fresh, remote, tmp_path):
    memories = json.loads(remote.read(ARCHIVE))
    for memory in memories.values():
        memory["code"] = f"touch {tmp_path}/mark"
    remote.publish(ARCHIVE, json.dumps(memories).encode())
    done = fresh.reactivate("restore", "--scale", "smoke")
    assert "intact, but the code or configuration of this tree is not what made it" in done.stdout
    assert not (tmp_path / "mark").exists()


def test_metadata_of_a_file_outside_is_refused(fresh, remote):
    memories = json.loads(remote.read(ARCHIVE))
    memories["results/smoke/../../Snakefile"] = memories["results/smoke/gmp/table3.csv"]
    remote.publish(ARCHIVE, json.dumps(memories).encode())
    assert "'results/smoke/../../Snakefile', which is outside" in refusal(fresh)


def test_a_pickle_cannot_be_frozen(unfrozen, tmp_path):
    weights = unfrozen.folder / "results/smoke/gmp/weights.pt"
    weights.write_bytes(pickle.dumps(Bomb(tmp_path / "mark")))
    done = unfrozen.reactivate("freeze")
    assert done.returncode == 1
    assert "weights.pt is of a kind that may run code when it is loaded" in done.stdout
    assert not (tmp_path / "mark").exists()
