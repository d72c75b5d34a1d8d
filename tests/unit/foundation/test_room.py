"""A full or closed disk is told with the place and the setting, whoever writes."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_atomically
from reactivate.foundation.room import cannot_write, os_error, setting_of

ROOT = Path(__file__).parents[3]
MOUNT = "mount -t tmpfs -o size={size},{mode} none {place} && exec {python} -c {script}"
WRITERS = {  # each writes more than the disk holds
    "json": "from reactivate.foundation.files import write_json\nwrite_json(path, 'x' * 300_000)",
    "rows": """
from reactivate.foundation.files import write_rows
write_rows(path, [{'a': 'x' * 1000}] * 300)""",
    "a table": """
import pandas
from reactivate.foundation.files import write_atomically
with write_atomically(path) as part:
    pandas.DataFrame({'a': ['x' * 1000] * 300}).to_csv(part)""",
    "tensors": """
import numpy
from safetensors.numpy import save_file
from reactivate.foundation.files import write_with_checksum
with write_with_checksum(path) as part:
    save_file({'a': numpy.zeros(300_000)}, part)""",
    "pieces": """
from reactivate.evidence.pieces import Pieces
pieces = Pieces(path)
for number in range(5_000):
    pieces.get('x' * 100 + str(number), lambda: {'a': 1.0})""",
    "a copy": """
from pathlib import Path
import numpy
from reactivate.commands.publish import _copy
source = next(Path(numpy.__file__).parent.rglob("*.so"))
_copy(source, path)""",
}
SCRIPT = """
from pathlib import Path
from reactivate.foundation.errors import reports_errors
path = Path({path!r})
@reports_errors
def main():
{writer}
main()
"""


def on_small_disk(place, writer, size="64k", mode="rw"):
    """What a writer says whose disk is small, or closed."""
    indented = "\n".join(f"    {line}" for line in writer.strip().splitlines())
    script = SCRIPT.format(path=str(place / "results/a.out"), writer=indented)
    command = MOUNT.format(
        size=size, mode=mode, place=place, python=sys.executable, script='"$SCRIPT"'
    )
    return subprocess.run(
        ["unshare", "-Urm", "sh", "-c", command],
        env={**os.environ, "SCRIPT": script, "TMPDIR": "/var/tmp"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def place(tmp_path):
    """A folder on which a disk of its own can be mounted."""
    tried = on_small_disk(tmp_path, "pass")
    if shutil.which("unshare") is None or tried.returncode:
        pytest.skip(f"no disk can be mounted here: {tried.stderr.strip()[-100:]}")
    return tmp_path


@pytest.mark.parametrize("what", sorted(WRITERS))
def test_a_full_disk_is_told_with_place_and_setting(place, what):
    done = on_small_disk(place, WRITERS[what])
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left on device; make room" in done.stderr
    named = f"cannot write {place / 'results/a.out'}" in done.stderr
    assert named or "make room in results/ and data/" in done.stderr


def test_a_copy_that_does_not_fit_is_not_blamed_on_its_source(tmp_path):
    full = errno.ENOSPC, os.strerror(errno.ENOSPC)
    path = tmp_path / "results/a.csv"
    with (
        pytest.raises(OSError, match=r"cannot write .*results/a\.csv: No space left"),
        write_atomically(path) as part,
    ):
        raise OSError(*full, "source.csv", None, str(part))
    assert not list(path.parent.iterdir())


def test_a_disk_that_can_only_be_read_is_told(place):
    done = on_small_disk(place, WRITERS["json"], mode="ro")
    assert done.returncode == 1
    said = "Read-only file system; make the folder writable or set another with a link in place of"
    assert done.stderr.strip() == f"error: cannot write {place / 'results/a.out'}: {said} results/"


def test_a_used_up_quota_is_told():
    error = OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
    said = str(cannot_write(Path("results/smoke/a.csv"), error))
    told = "make room on its disk or set another with a link in place of results/"
    assert said == f"cannot write results/smoke/a.csv: {os.strerror(errno.EDQUOT)}; {told}"


@pytest.mark.parametrize(
    ("path", "variable", "setting"),
    [
        ("results/a.csv", None, "a link in place of results/"),
        ("data/prepared/a.safetensors", None, "a link in place of data/"),
        ("/scratch/kept/a.safetensors", "REACTIVATE_CHECKPOINTS", "REACTIVATE_CHECKPOINTS"),
        ("/scratch/kept/a.zip", "REACTIVATE_CACHE", "REACTIVATE_CACHE"),
        ("/tmp/reactivate-x/results/a.csv", None, "TMPDIR"),
        ("elsewhere/a.csv", None, "--out"),
    ],
)
def test_the_setting_is_the_one_of_the_place(monkeypatch, path, variable, setting):
    monkeypatch.chdir("/")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp")
    for name in ("REACTIVATE_CHECKPOINTS", "REACTIVATE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, "/scratch/kept")
    assert setting_of(Path(path)) == setting


def test_what_the_system_said_is_found_in_words_of_libraries():
    assert os_error(ValueError("no number")) is None
    assert os_error(RuntimeError("I/O error: x (os error 30)")).errno == errno.EROFS


def test_an_error_without_a_file_names_all_places(capsys):
    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(SystemExit):
        reports_errors(full)()
    said = capsys.readouterr().err
    assert all(name in said for name in ("results/", "data/", "REACTIVATE_CACHE", "TMPDIR"))
