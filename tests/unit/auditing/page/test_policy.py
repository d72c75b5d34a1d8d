"""The page allows its own script and style by their hashes, and nothing else."""

import base64
import hashlib
import re


def hashed(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_has_the_hashes_of_what_is_on_the_page(project):
    text = (project / "page.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (code,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    assert allowed["style-src"] == f"'sha256-{hashed(style)}'"
    assert allowed["script-src"] == f"'sha256-{hashed(code)}'"
    for name in ("default-src", "base-uri", "form-action"):  # the first is not that of the others
        assert allowed[name] == "'none'"
    assert "unsafe" not in policy
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_no_text_ends_the_script_that_it_is_in(project):
    text = (project / "page.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert "<" not in data


def test_the_program_of_the_page_makes_elements_and_no_markup(project):
    text = (project / "page.html").read_text(encoding="utf-8")
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert name not in text
