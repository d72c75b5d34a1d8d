"""JSON for programs and for diff, in little more than half of the bytes of an indented file."""

import json
import re
from pathlib import Path
from textwrap import indent

from reactivate.foundation.files import strict_json, write_atomically

MODULES = re.compile(r'^"modules": \{\n(.+?)\n\}', re.MULTILINE | re.DOTALL)


def write_compact_json(path: Path, value: object) -> None:
    """Writes a value as JSON with a line per number or text, without indentation.

    Only a list of modules is indented: by that a publication finds it, which keeps equal lists
    once (:mod:`reactivate.evidence.publication`).
    """
    text = json.dumps(strict_json(value), indent=0, ensure_ascii=False, allow_nan=False)
    text = MODULES.sub(lambda found: f'"modules": {{\n{indent(found[1], "  ")}\n}}', text)
    with write_atomically(path) as part:
        part.write_text(text + "\n", encoding="utf-8")
