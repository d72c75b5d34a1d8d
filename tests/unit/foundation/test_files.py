"""Files are written whole or not at all, and a changed file is noticed."""

import errno
import json
import math
import os
import signal
import subprocess
import sys
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import pytest
from reactivate.foundation import files
from reactivate.foundation.files import (
    checksum_path,
    read_json,
    recalled,
    remembered,
    sha256,
    strict_json,
    verify_checksum,
    write_atomically,
    write_checksum,
    write_json,
    write_with_checksum,
)

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_sha256_equals_the_published_test_vector(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert sha256(path) == ABC


def test_written_file_replaces_the_old_one_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "made" / "here" / "a.txt"
    for content in ("old", "new"):
        with write_atomically(path) as part:
            part.write_text(content)
    assert path.read_text() == "new"
    assert [left.name for left in path.parent.iterdir()] == ["a.txt"]


def test_a_long_name_of_a_machine_leaves_room_for_that_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("platform.node", lambda: "n" * 253)  # the longest that the network knows
    spec = find_spec(files.__name__)
    there = module_from_spec(spec)
    spec.loader.exec_module(there)
    path = tmp_path / ("a" * 150)
    with there.write_atomically(path) as part:
        part.write_text("x")
    assert path.read_text() == "x"


def test_written_file_has_the_permissions_the_user_asks_for(tmp_path):
    with write_atomically(tmp_path / "a.txt") as part:
        part.write_text("x")
    (tmp_path / "plain").touch()
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("error", [RuntimeError("stop"), KeyboardInterrupt()])
def test_failure_half_way_keeps_the_old_file_and_leaves_nothing(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def half(part):
        part.write_text("ha")
        raise error

    with pytest.raises(type(error)), write_atomically(path) as part:
        half(part)
    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["a.txt"]


def test_killed_process_leaves_no_file_of_that_name(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from reactivate.foundation.files import write_with_checksum\n"
        "with write_with_checksum(Path(sys.argv[1])) as part:\n"
        "    part.write_text('ha'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "a.txt"
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    assert not checksum_path(path).exists()
    assert all(left.name.endswith(".part") for left in tmp_path.iterdir())


def test_folder_that_is_a_file_is_named_with_what_to_do(tmp_path):
    (tmp_path / "results").write_text("in the way")
    path = tmp_path / "results" / "a.txt"
    with pytest.raises(OSError) as error, write_atomically(path, "--out"):
        pass
    assert str(error.value) == (
        f"cannot write {path}: {path.parent} is not a folder; "
        "make the folder writable or set another with --out"
    )


@pytest.mark.parametrize("step", ["touch", "replace"])
def test_unwritable_folder_is_named_with_what_to_do(tmp_path, monkeypatch, step):
    def refuse(self, *_args, **_options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    path = tmp_path / "a.txt"
    monkeypatch.setattr(Path, step, refuse)
    with (
        pytest.raises(OSError, match=r"cannot write .*a.txt: Permission denied; make the folder"),
        write_atomically(path, "REACTIVATE_CACHE") as part,
    ):
        part.write_text("x")
    assert not list(tmp_path.iterdir())


def test_full_disk_is_an_error_about_the_file_being_written(tmp_path):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with (
        pytest.raises(OSError, match=r"cannot write .*a.txt: No space left"),
        write_atomically(tmp_path / "a.txt"),
    ):
        raise full
    assert not list(tmp_path.iterdir())


def test_error_about_another_file_is_not_blamed_on_the_one_being_written(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"), write_atomically(tmp_path / "a.txt"):
        (tmp_path / "missing").read_text()


def test_json_keeps_order_and_letters(tmp_path):
    write_json(tmp_path / "a.json", {"z": 1, "a": "Tüfekci"})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"z": 1, "a": "Tüfekci"}
    assert text == '{\n  "z": 1,\n  "a": "Tüfekci"\n}\n'


@pytest.mark.parametrize(
    ("value", "text"), [(math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "nan")]
)
def test_a_number_that_json_lacks_is_a_text_that_float_reads(tmp_path, value, text):
    write_json(tmp_path / "a.json", {"deep": [{"values": (1.5, value)}], "top": value})
    content = (tmp_path / "a.json").read_text(encoding="utf-8")
    found = json.loads(content, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert found == {"deep": [{"values": [1.5, text]}], "top": text}
    assert repr(float(found["top"])) == repr(value)


@pytest.mark.parametrize(
    "value",
    [0, 1.5, -0.0, True, None, "inf", "nan", 10**400, [], {}, {"a": [1, {"b": None}]}],
)
def test_what_json_has_is_kept(value):
    assert strict_json(value) == value
    assert type(strict_json(value)) is type(value)


def test_the_value_itself_is_left_alone():
    value = {"a": [math.inf]}
    strict_json(value)
    assert value == {"a": [math.inf]}


def test_checksum_file_is_what_sha256sum_reads(tmp_path):
    with write_with_checksum(tmp_path / "abc") as part:
        part.write_bytes(b"abc")
    assert (tmp_path / "abc.sha256").read_text() == f"{ABC}  abc\n"
    assert verify_checksum(tmp_path / "abc") == ABC


def test_changed_file_is_rejected_with_both_checksums(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    write_checksum(path)
    path.write_bytes(b"abd")
    with pytest.raises(ValueError) as error:
        verify_checksum(path)
    assert str(error.value) == (
        f"{path} has sha256 {sha256(path)}, but abc.sha256 says {ABC}; "
        "it was changed or damaged: delete both and make it again with snakemake"
    )


def test_file_without_checksum_or_missing_is_rejected(tmp_path):
    path = tmp_path / "abc"
    with pytest.raises(ValueError, match="does not exist; make it with: snakemake"):
        verify_checksum(path)
    path.write_bytes(b"abc")
    with pytest.raises(ValueError, match=r"has no checksum file abc\.sha256"):
        verify_checksum(path)


@pytest.mark.parametrize("content", ["", "abc", f"{ABC}  other\n", f"{ABC[:10]}  abc\n"])
def test_checksum_file_of_another_form_is_rejected(tmp_path, content):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    checksum_path(path).write_text(content)
    with pytest.raises(ValueError, match="accepted: '<sha256>  abc'"):
        verify_checksum(path)


@pytest.mark.parametrize("value", [{}, {"a": [1, None], "ü": {"b": "c"}}])
def test_what_was_written_as_json_is_read(tmp_path, value):
    write_json(tmp_path / "value.json", value)
    assert read_json(tmp_path / "value.json") == value


@pytest.mark.parametrize(
    ("text", "kind"), [("[1]", "list"), ("1.5", "float"), ("null", "NoneType")]
)
def test_json_that_holds_no_object_is_named(tmp_path, text, kind):
    path = tmp_path / "value.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"value.json holds {kind}; accepted: a JSON object"):
        read_json(path)


@pytest.fixture
def source(tmp_path):
    """A file, the module that reads it, and ``read()``: the outcome, and how often it was made."""
    path, maker = tmp_path / "text.py", tmp_path / "maker.py"
    path.write_text("one two")
    maker.write_text("split")
    made = []

    def read():
        files._maker.cache_clear()
        found = remembered(path, str(maker), lambda text: made.append(text) or text.split())
        return found, len(made)

    return path, maker, read


def test_an_outcome_is_remembered_until_file_or_maker_change(source):
    path, maker, read = source
    assert read() == (["one", "two"], 1)
    assert read() == (["one", "two"], 1)
    before = path.stat().st_mtime_ns
    path.write_text("one 2wo")  # as long
    os.utime(path, ns=(before, before))
    assert read() == (["one", "2wo"], 2)
    maker.write_text("other")
    assert read() == (["one", "2wo"], 3)
    assert read() == (["one", "2wo"], 3)


@pytest.mark.parametrize("damage", ["", "[", "{}", "[]", '["other key", "three"]', "7"])
def test_a_damaged_memory_is_made_again(source, damage):
    path, _, read = source
    read()
    (kept,) = (path.parent / "__pycache__").iterdir()
    kept.write_text(damage)
    assert read() == (["one", "two"], 2)
    assert read() == (["one", "two"], 2)


def test_what_cannot_be_remembered_is_made_each_time(source):
    path, _, read = source
    (path.parent / "__pycache__").write_text("no folder")
    assert [read(), read()] == [(["one", "two"], 1), (["one", "two"], 2)]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Asks for the outcome of a function of bytes; the outcome, and how often it was made."""
    monkeypatch.setattr(files, "MOST_RECALLED", 3)
    maker = tmp_path / "maker.py"
    maker.write_text("code")
    made = []

    def compute(content):
        made.append(content)
        return [content.decode()]

    def ask(content):
        files._maker.cache_clear()
        return recalled(content, str(maker), lambda: compute(content)), len(made)

    return maker, ask


def test_an_outcome_is_recalled_for_the_same_bytes_and_the_same_maker(asked):
    maker, ask = asked
    assert [ask(b"a"), ask(b"b"), ask(b"a")] == [(["a"], 1), (["b"], 2), (["a"], 2)]
    maker.write_text("other")
    assert ask(b"a") == (["a"], 3)


def test_of_recalled_outcomes_the_oldest_go_when_there_are_too_many(asked):
    maker, ask = asked
    for number, content in enumerate([b"a", b"b", b"c", b"d"]):
        ask(content)
        newest = max((maker.parent / "__pycache__").iterdir(), key=lambda p: p.stat().st_mtime_ns)
        os.utime(newest, ns=(number, number + 10**15))
    assert len(list((maker.parent / "__pycache__").iterdir())) == 3
    assert ask(b"d") == (["d"], 4)
    assert ask(b"a") == (["a"], 5)


def test_a_damaged_outcome_is_made_again_and_one_that_cannot_be_kept_each_time(asked):
    maker, ask = asked
    ask(b"a")
    (kept,) = (maker.parent / "__pycache__").iterdir()
    kept.write_text("[")
    assert [ask(b"a"), ask(b"a")] == [(["a"], 2), (["a"], 2)]
    kept.unlink()
    kept.parent.rmdir()
    kept.parent.write_text("no folder")
    assert [ask(b"a"), ask(b"a")] == [(["a"], 3), (["a"], 4)]
