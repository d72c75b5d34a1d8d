"""JSON for programs and for diff, in little more than half of the bytes of an indented file."""

import json
from pathlib import Path

from reactivate.foundation.files import strict_json, write_atomically


def write_compact_json(path: Path, value: object) -> None:
    """Writes a value as JSON with a line per number or text, without indentation."""
    text = json.dumps(strict_json(value), indent=0, ensure_ascii=False, allow_nan=False)
    with write_atomically(path) as part:
        part.write_text(text + "\n", encoding="utf-8")
