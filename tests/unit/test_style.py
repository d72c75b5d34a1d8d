"""What keeps the project readable: sizes, names, and imports that the code digest can follow."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "workflow" / "reactivate"
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py"))
STAGES = sorted(path.stem for path in (PACKAGE / "stages").glob("*.py") if path.stem != "__init__")
RULE_FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "rules").glob("*.smk"))
FORBIDDEN = {"utils", "helpers", "misc", "common"}


def lines(name):
    return len((ROOT / name).read_text(encoding="utf-8").splitlines())


def rules():
    """The text of every rule; one that is made from another has the other's command."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in RULE_FILES) + "\n"
    body = r"((?:(?:    .*)?\n)+)"
    found = dict(re.findall(rf"^rule (\w+):\n{body}", text, re.MULTILINE))
    made = re.findall(rf"^use rule (\w+) as (\w+) with:\n{body}", text, re.MULTILINE)
    for base, name, own in made:
        found[name] = own + found[base][found[base].index("    shell:\n") :]
    return {name: body.replace("{rule}", name) for name, body in found.items()}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_fits_three_hundred_lines(name):
    assert lines(name) <= 300


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_fits_a_hundred_and_fifty_lines(name):
    assert lines(f"workflow/reactivate/stages/{name}.py") <= 150


@pytest.mark.parametrize("name", RULE_FILES)
def test_a_file_of_rules_fits_a_hundred_lines(name):
    assert lines(name) <= 100


def test_the_snakefile_fits_fifty_lines():
    assert lines("Snakefile") <= 50


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_has_a_rule_of_the_same_name_that_calls_it(name):
    assert name in rules()
    assert f"{{LAUNCH:{name}}} reactivate.stages.{name} " in rules()[name]


@pytest.mark.parametrize("name", ["sweep", "train", "defend", "prune", "observe"])
def test_names_in_the_command_of_a_training_are_quoted(name):
    command = rules()[name].partition("    shell:\n")[2]
    fields = set(re.findall(r"\{(wildcards\.\w+|params\.\w+|log)(:q)?\}", command))
    assert {field for field, quoted in fields if not quoted} <= {"wildcards.seed"}  # digits


@pytest.mark.parametrize("name", sorted(rules()))
def test_a_rule_logs_and_runs_one_shell_command(name):
    body = rules()[name]
    assert "    log:\n" in body
    assert "    shell:\n" in body
    assert re.findall(r"^    (?:run|script|notebook):", body, re.MULTILINE) == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_not_named_after_what_it_is_not(name):
    assert Path(name).stem not in FORBIDDEN


@pytest.mark.parametrize("name", MODULES)
def test_imports_are_absolute_so_that_the_code_digest_follows_them(name):
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports if node.level] == []
    assert [ast.unparse(node) for node in imports if node.names[0].name == "*"] == []


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__init__.py")])
def test_a_module_says_in_one_sentence_what_is_found_here(name):
    docstring = ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8")))
    assert docstring
    assert docstring.splitlines()[0].rstrip().endswith((".", ":"))


@pytest.mark.parametrize("name", MODULES)
def test_library_code_draws_from_named_generators_only(name):
    """Layers and dropout draw from torch's own stream; it may be seeded by a named one only."""
    text = (ROOT / name).read_text(encoding="utf-8")
    seeded = r"torch\.manual_seed(?!\(generator\()|np\.random\.seed|\brandom\.seed"
    assert re.findall(seeded, text) == []
