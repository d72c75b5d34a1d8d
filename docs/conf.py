"""Sphinx: the guides of this folder, and a reference of the library from its docstrings.

Nothing is fetched: the theme brings its fonts and scripts. `make docs` builds docs/_build/html.
"""

import os
import re
import sys
import tomllib
from contextlib import chdir
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PACKAGE = ROOT / "workflow" / "reactivate"
sys.path.insert(0, str(ROOT / "workflow"))

project = "reactivate"
author = "The maintainers of reactivate"
copyright = f"2026, {author}"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
version = release = PROJECT["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "second_reading", "project/measurements.md"]
html_theme = "furo"
html_title = "reactivate"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
myst_heading_anchors = 3

autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 80
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_custom_sections = ["Shape", "Departs from the paper", ("Reference", "References")]

LIBRARY = (
    *("activations", "layers", "models", "patterns", "filters", "attacks", "defences"),
    *("smoothing", "pruning", "reconstruction", "datasets", "detection", "segmentation"),
    "judging",
)
ELSEWHERE = {  # files beside this folder that are pages of the site too
    "config/README.md": "project/configuration.md",
    "profiles/README.md": "project/profiles.md",
    "data/README.md": "project/data.md",
    "SECURITY.md": "project/security.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
}
LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
LITERAL = re.compile(r"(``.+?``|:[a-z:]+:`.+?`)")
TYPE = re.compile(r"(?<=\w)_(?=\W|$)")
MATH = re.compile(r":math:`(.+?)`")  # as it is written: the program that sets it is fetched
MARKUP = re.compile(r"([*|`]|(?<=\w)_(?=\W|$))")


def modules(package):
    """Names of all modules of a package, itself first."""
    paths = sorted(path.relative_to(PACKAGE.parent) for path in (PACKAGE / package).rglob("*.py"))
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return sorted(names, key=lambda name: name.split("."))


def write(path, text):
    """Writes a page, unless it is there as it is: Sphinx reads anew what was written."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_reference():
    """Writes a page per package of the library, which autodoc fills."""
    folder = DOCS / "api"
    for package in LIBRARY:
        lines = [f"{package}\n{'=' * len(package)}\n"]
        for name in modules(package):
            if name != f"reactivate.{package}":
                lines.append(f"{name}\n{'-' * len(name)}\n")
            lines.append(f".. automodule:: {name}\n   :members:\n   :show-inheritance:\n")
        write(folder / f"{package}.rst", "\n".join(lines))


def write_pages():
    """Writes the pages of files that stand beside this folder."""
    for path, page in ELSEWHERE.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        write(DOCS / page, relinked(text, ROOT / path, DOCS / page))


def write_measurements():
    """Writes what the benchmarks measured, to be included; or that nobody has published it."""
    measured = ROOT / "published" / "benchmarks.md"
    text = "None is published: `python -m benchmarks` writes `published/benchmarks.md`.\n"
    if measured.exists():
        head, _, text = measured.read_text(encoding="utf-8").partition("\n")
        assert head.startswith("# ")  # of a page of its own
    write(DOCS / "project" / "measurements.md", text)


def write_commands():
    """Writes the page of the command line, from the help of every command."""
    from reactivate.cli import command_parser

    os.environ["COLUMNS"] = "80"
    with chdir(ROOT):  # whose scales are told
        parser, commands = command_parser()
        helps = [(each.prog, each.declared().format_help()) for each in (parser, *commands)]
    text = "\n".join(f"## {name}\n\n```text\n{told}```\n" for name, told in helps)
    write(DOCS / "project" / "commands.md", f"# The command line\n\n{text}")


def relinked(text, source, page):
    """A text whose links, right in its own folder, are right on a page of the site.

    A file that is no page is only named.
    """

    def link(found):
        target = (source.parent / found[2]).resolve()
        known = ELSEWHERE.get(os.path.relpath(target, ROOT))
        target = DOCS / known if known else target
        if DOCS not in target.parents:
            return f"`{found[1]}`"
        return f"[{found[1]}]({os.path.relpath(target, page.parent)}{found[3] or ''})"

    return LINK.sub(link, text)


def plain_text(app, what, name, obj, options, lines):
    """Escapes what is meant as it stands: formulas in docstrings are plain text."""
    for place, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            line = MATH.sub(r"``\1``", line)
            bullet, text = re.fullmatch(r"(\s*(?:\* )?)(.*)", line).groups()
            parts = LITERAL.split(text)
            parts[::2] = [MARKUP.sub(r"\\\1", part) for part in parts[::2]]
            lines[place] = bullet + "".join(parts)


def plain_types(app, what, name, obj, options, lines):
    """Escapes names of types that end like a link, such as ``numpy.bytes_``."""
    lines[:] = [TYPE.sub(r"\_", line) if ":vartype" in line else line for line in lines]


def lead_to_pages(app, name, source):
    """Lets links of a guide to files beside this folder lead to their pages."""
    if not name.startswith(("api/", "project/")):
        source[0] = relinked(source[0], DOCS / f"{name}.md", DOCS / f"{name}.md")


def setup(app):
    """Called by Sphinx."""
    write_reference()
    write_pages()
    write_commands()
    write_measurements()
    app.connect("source-read", lead_to_pages)
    app.connect("autodoc-process-docstring", plain_text, priority=100)
    app.connect("autodoc-process-docstring", plain_types, priority=900)  # after napoleon's
