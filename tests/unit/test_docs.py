"""Every path, module and command that the documentation names exists."""

import re
from pathlib import Path

import pytest
from reactivate.foundation.digests import read

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "workflow" / "reactivate"
GUIDES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))
CODE = ("config/README.md", "docs/architecture.md", "docs/adding.md", "docs/numbers.md")
TEXTS = ["README.md", "config/README.md", *GUIDES]
BASES = (ROOT, ROOT / "config", ROOT / "workflow", PACKAGE)  # what a path may be below
# of examples, of mutants, and of what `reactivate decide` writes
MADE_UP = re.compile(r"\bprelu\b|\b(hump|table9|figure9)\b|figure1\.csv|^XX|/seeds\.yaml$")
MADE = (  # not in git, or not before somebody has published it
    *("results", "checkpoints", "data/raw", "data/prepared", "exports", "project/measurements"),
    *("published/benchmarks", "published/notebooks"),
)
SOURCES = {".py", ".smk", ".yaml", ".md", ".toml", ".ipynb", ".lock"}
FOLDERS = {path.name for base in BASES for path in base.iterdir() if path.is_dir()}


def quoted(text):
    """Words in code: between backquotes, and in blocks."""
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [word.strip(".,:;()[]\"'") for code in (*blocks, *spans) for word in code.split()]


def paths(text):
    """Words that name a file of sources, or something in a folder of this repository."""
    for word in dict.fromkeys(quoted(text)):
        path = re.sub(r"[#:].*", "", word)  # a place in a page, an attribute of a module
        plain = re.fullmatch(r"[\w.{}*/-]+", path) and not MADE_UP.search(path)
        first, slash, _ = path.partition("/")
        ours = Path(path).suffix in SOURCES or (slash and first in FOLDERS)
        if plain and ours and not path.startswith(("..", *MADE)):
            yield path


def exists(path):
    """Whether something is there; ``{key}`` stands for any name."""
    pattern = re.sub(r"\{\w+\}", "*", path).strip("/")
    bases = BASES if "/" in path.strip("/") else [*BASES, None]
    return any(
        next(base.glob(pattern) if base else ROOT.glob(f"[!.]*/**/{pattern}"), None)
        for base in bases
    )


@pytest.mark.parametrize("name", TEXTS)
def test_every_path_that_a_text_names_exists(name):
    named = list(paths((ROOT / name).read_text(encoding="utf-8")))
    assert len(named) > 5 or name not in CODE  # which speak of many files
    assert [path for path in named if not exists(path)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_module_that_a_text_names_exists(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"\breactivate(?:\.[a-z_][a-z0-9_]*)+", text))
    modules = {module for module in named if not MADE_UP.search(module)}
    assert [module for module in sorted(modules) if read(module) is None] == []


def test_the_readme_is_short_and_its_picture_small():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 130
    (picture,) = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert (ROOT / picture).stat().st_size < 200_000
    assert (ROOT / picture).with_suffix(".py").exists()  # which makes it again


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_leads_to_a_file(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (ROOT / name).parent.joinpath(link).exists()] == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_word_of_the_command_line_that_a_text_uses_is_one(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    words = set(re.findall(r"(?:^|`|\$ )reactivate ([a-z]+)", text, re.MULTILINE))
    assert [word for word in words if not (PACKAGE / "commands" / f"{word}.py").exists()] == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("`training/trainer.py` and `config/papers/{key}/paper.yaml`", []),
        ("`training/teacher.py`, `rules/new/`", ["training/teacher.py", "rules/new/"]),
        ("```\nsnakemake results/x.csv  # see rules/plots.smk\n```", ["rules/plots.smk"]),
    ],
)
def test_a_path_that_is_not_there_is_found(text, missing):
    assert [path for path in paths(text) if not exists(path)] == missing
