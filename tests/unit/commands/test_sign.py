"""Who signed a publication is told; somebody else, or another content, is an error."""

import subprocess
from pathlib import Path

import pytest
from reactivate.artifacts.signing import signature_findings
from reactivate.commands.sign import sign
from reactivate.evidence.publication import SIGNATURE, SUMS, write_sums

ROOT = Path(__file__).parents[3]
PUBLISHED = Path("published/smoke")
SIGNERS = Path("signers")


def new_key(name):
    path = Path(f"{name}.key").absolute()
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
    subprocess.run(command, check=True)
    return path


def public(key):
    return key.with_name(f"{key.name}.pub").read_text(encoding="utf-8")


@pytest.fixture
def key(unrun):
    """The key of one who may sign; a file is published."""
    PUBLISHED.mkdir(parents=True)
    (PUBLISHED / "audit.csv").write_text("claim,verdict\n", encoding="utf-8")
    write_sums(PUBLISHED)
    key = new_key("maintainer")
    SIGNERS.write_text(f"maintainer@example.org {public(key)}", encoding="utf-8")
    return key


def found():
    return [(f.kind, f.path.as_posix()) for f in signature_findings(PUBLISHED, SIGNERS)]


def test_what_was_signed_by_one_who_may_is_fine(key, capsys):
    sign([], key)
    assert capsys.readouterr().out == f"signed published/smoke/{SIGNATURE}\n"
    assert found() == []
    sign(["smoke"], key)  # again
    assert found() == []


def test_unsigned_is_told(key):
    assert found() == [("unsigned", f"published/smoke/{SIGNATURE}")]
    (finding,) = signature_findings(PUBLISHED, SIGNERS)
    assert not finding.wrong


def test_another_signer_is_an_error(key):
    sign([], new_key("forger"))
    (finding,) = signature_findings(PUBLISHED, SIGNERS)
    assert (finding.kind, finding.wrong) == ("missigned", True)
    assert "nobody in signers has the key that signed" in finding.says


def test_a_signature_of_another_content_is_an_error(key):
    sign([], key)
    (PUBLISHED / "audit.csv").write_text("claim,verdict\ngmp,reproduced\n", encoding="utf-8")
    write_sums(PUBLISHED)
    (finding,) = signature_findings(PUBLISHED, SIGNERS)
    assert finding.kind == "missigned"
    assert f"no signature of published/smoke/{SUMS} by maintainer@example.org" in finding.says


def test_a_signature_for_another_purpose_is_an_error(key):
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "git", str(PUBLISHED / SUMS)],
        check=True,
    )
    assert found() == [("missigned", f"published/smoke/{SIGNATURE}")]


def test_something_that_is_no_signature_is_an_error(key):
    (PUBLISHED / SIGNATURE).write_text("trust me", encoding="utf-8")
    assert found() == [("missigned", f"published/smoke/{SIGNATURE}")]


def test_what_is_not_as_listed_is_not_signed(key):
    (PUBLISHED / "audit.csv").write_text("forged", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"audit\.csv is not as published/smoke/SHA256SUMS has it"
    ):
        sign([], key)
    assert not (PUBLISHED / SIGNATURE).exists()


def test_bad_keys_and_lists_are_named(key):
    with pytest.raises(ValueError, match="--key is nowhere, which is no file; accepted: an SSH"):
        sign([], Path("nowhere"))
    with pytest.raises(ValueError, match="--key signers cannot sign: "):
        sign([], SIGNERS)
    with pytest.raises(ValueError, match="--signers is nowhere, which is no file; accepted: a f"):
        signature_findings(PUBLISHED, Path("nowhere"))
    with pytest.raises(ValueError, match="unknown scale 'smok'"):
        sign(["smok"], key)


def test_no_private_key_is_committed():
    words = "PRIVATE" + " KEY-----"
    found = subprocess.run(
        ["git", "grep", "-lF", words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.stdout == ""
