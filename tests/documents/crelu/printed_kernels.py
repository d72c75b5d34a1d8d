"""The kernels of the CReLU paper's Tables S1 to S12, parsed from the document's text.

After a change: ``PYTHONPATH=tests/transcription python tests/documents/crelu/printed_kernels.py``
writes their digest anew.
"""

import json
import re
from pathlib import Path

from transcription import TEXTS, Claims, Document, digests

DIGEST = Path(__file__).with_name("kernels.json")
CAPTION = re.compile(r"Table (S\d+)\. ")
CONVOLUTION = re.compile(r"(\d+)×\1×(\d+)×(\d+)(/100)?,.*")
CONNECTED = re.compile(r"(\d+)×(\d+)(/100)?")
SIDES = {"S1": ("S1 left", "S1 right"), "S2": ("S2 left", "S2 right")}
CONTINUED = ("S4", "S5", "S6")  # print what differs from Table S3, and end in dots
CLASSES = "100"  # of "10/100"


def layer(label: str, kernel: str, activation: str) -> str | None:
    """``size x reads x filters``, with ``+`` for CReLU; None for what is no layer of weights."""
    kernel = re.sub(r"[$\s]", "", kernel.replace("\\times", "×"))
    if found := CONVOLUTION.fullmatch(kernel):
        size, reads, filters, choice = found.groups()
    elif label.startswith("fc") and (found := CONNECTED.fullmatch(kernel)):
        size = "1"
        reads, filters, choice = found.groups()
    else:
        return None
    return f"{size}x{reads}x{CLASSES if choice else filters}" + "+" * (activation == "CRelu")


def tables(text: str) -> dict[str, list[str]]:
    """The layers of each table, in their order."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        caption = CAPTION.match(line)
        if caption is None:
            lines.append(line)
            continue
        name = caption[1]
        for side, key in enumerate(SIDES.get(name, (name,))):
            found[key] = [x for x in (_layer_of(line, side) for line in lines) if x]
        if name in CONTINUED:
            found[name] += found["S3"][len(found[name]) :]
        lines = []
    return found


def _layer_of(line: str, side: int) -> str | None:
    fields = [field.strip() for field in line.split("\t")]
    if line.startswith("\t") or len(fields) < 2:
        return None
    if not re.match(r"conv|pool|fc|Layer", fields[0]):  # tables whose labels were lost
        fields = ["", *fields]
    first = 1 + 2 * side
    kernel, activation = (*fields[first : first + 2], "", "")[:2]
    return layer(fields[0], kernel, activation)


def claims(networks: dict[str, list[str]]) -> Claims:
    """Each layer under a name of its own."""
    return {
        f"crelu/{name}/layer/{number}": kernel
        for name, layers in networks.items()
        for number, kernel in enumerate(layers, start=1)
    }


def parsed(texts: Path = TEXTS) -> Claims:
    """Every layer in the document's text."""
    return claims(tables(Document("crelu").text(texts)))


if __name__ == "__main__":
    DIGEST.write_text(json.dumps(digests(parsed(), {}), indent=1) + "\n", encoding="utf-8")
