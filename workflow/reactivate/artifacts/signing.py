"""Signatures of publications by SSH keys, as git makes them: of the list of a scale's sums."""

import subprocess
from pathlib import Path

from reactivate.auditing.findings import Finding
from reactivate.evidence.publication import SIGNATURE, SUMS
from reactivate.foundation.files import write_atomically

NAMESPACE = "reactivate"  # a signature for another purpose does not count
TOOL = "ssh-keygen"


def sign(folder: Path, key: Path) -> Path:
    """Signs the list of sums of a published scale; the path of the signature.

    Args:
        folder: The folder of the scale.
        key: A private key, or a public one whose private half ``ssh-agent`` holds.

    Raises:
        ValueError: The key cannot be used.
    """
    if not key.is_file():
        raise ValueError(f"--key is {key}, which is no file; accepted: an SSH key")
    done = _keygen("sign", "-f", str(key), "-n", NAMESPACE, content=(folder / SUMS).read_bytes())
    if done.returncode:
        raise ValueError(f"--key {key} cannot sign: {_last(done)}")
    with write_atomically(folder / SIGNATURE) as part:
        part.write_bytes(done.stdout)
    return folder / SIGNATURE


def signature_findings(folder: Path, signers: Path) -> list[Finding]:
    """What is the matter with the signature of a published scale.

    Args:
        folder: The folder of the scale.
        signers: A file of those who may sign, as ``ssh-keygen`` reads it: a name and a public key
            in each line.

    Raises:
        ValueError: There is no such file.
    """
    if not signers.is_file():
        raise ValueError(
            f"--signers is {signers}, which is no file; accepted: a file with a name and a public "
            "key in each line, see ALLOWED SIGNERS in the manual of ssh-keygen"
        )
    signature = folder / SIGNATURE
    if not signature.exists():
        said = f"{folder / SUMS} has no signature; see: reactivate sign --help"
        return [Finding("unsigned", signature, said)]
    given = "-f", str(signers), "-s", str(signature)
    found = _keygen("find-principals", *given)
    names = found.stdout.decode(errors="replace").split()
    if found.returncode or not names:
        said = f"nobody in {signers} has the key that signed ({_last(found)})"
        return [Finding("missigned", signature, said)]
    content = (folder / SUMS).read_bytes()
    checked = _keygen("verify", *given, "-I", names[0], "-n", NAMESPACE, content=content)
    if checked.returncode:
        said = f"it is no signature of {folder / SUMS} by {names[0]} ({_last(checked)})"
        return [Finding("missigned", signature, said)]
    return []


def _keygen(
    action: str, *options: str, content: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            [TOOL, "-Y", action, *options], input=content, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise ValueError(f"{TOOL} was not found; install OpenSSH 8.2 or newer") from None


def _last(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The last line that the tool said."""
    lines = (done.stderr + done.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"{TOOL} said nothing"
