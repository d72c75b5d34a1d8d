"""The Content-Security-Policy of the page: what browsers may run and load."""

import base64
import hashlib


def policy(style: str, code: str) -> str:
    """The rule for browsers: nothing runs, and nothing is loaded, but what the page came with.

    Args:
        style: Content of the page's only style.
        code: Content of its only script.
    """
    allowed = {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": _hashed(style),
        "script-src": _hashed(code),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in allowed.items())


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
