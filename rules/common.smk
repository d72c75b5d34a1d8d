import os
import sys

sys.path.insert(0, "workflow")
# rules call `python`: the one that runs Snakemake, whether its environment is activated or not
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]

from reactivate import papers
from reactivate.datasets.catalog import dataset
from reactivate.provenance import code_digest
from reactivate.resources import asks, cpus
from reactivate.runs import (
    NAME,
    Cell,
    analysis_folder,
    check_results,
    checks_file,
    exhibit_file,
    run_folder,
)

check_results()


wildcard_constraints:
    scale="|".join(papers.load_scales()),
    paper="|".join(papers.paper_names()),
    exhibit=NAME,
    dataset=NAME,
    cell=f"{NAME}-{NAME}-{NAME}-{NAME}",


def code(stage):
    """Digest of a stage's code: a change in it, or in what it imports, reruns the rule."""
    return code_digest(f"reactivate.stages.{stage}")


def cell_code(wildcards):
    """Digest of the code a cell uses: its stage, activation and parameterization."""
    cell = Cell.parse(wildcards.dataset, wildcards.cell)
    return code_digest(*papers.modules(wildcards.paper, cell))


def cell_settings(wildcards):
    """The recipe after the scale's limits: a changed value reruns this cell only."""
    cell = Cell.parse(wildcards.dataset, wildcards.cell)
    return papers.settings(wildcards.scale, wildcards.paper, cell).model_dump_json()


def exhibit_config(wildcards):
    """What the configuration says of an exhibit: grid, printed numbers, metric."""
    return papers.load_exhibit(wildcards.paper, wildcards.exhibit).model_dump_json()


def exhibit_code(stage):
    """Digest of a stage and of the function that computes or draws the exhibit."""
    return lambda wildcards: code_digest(
        f"reactivate.stages.{stage}",
        *papers.functions(wildcards.paper, wildcards.exhibit),
    )


def exhibit_records(wildcards):
    """The records behind a table: of its runs, or of the analysis that computed it."""
    scale, paper, exhibit = wildcards.scale, wildcards.paper, wildcards.exhibit
    if papers.functions(paper, exhibit):
        return analysis_folder(scale, paper, exhibit) / "run.json"
    cells = papers.grid(scale, paper, exhibit)
    return [run_folder(scale, paper, place.cell) / "run.json" for place in cells]


def audited_papers(wildcards):
    """What the configuration says of all papers; a function, so braces in it stay text."""
    return [papers.load_paper(name).model_dump_json() for name in papers.paper_names()]


def checked_claims(scale):
    """The judgements of every paper that has statements a function checks."""
    return [
        checks_file(scale, name) for name in papers.paper_names() if papers.checks(name)
    ]


def exhibits(scale, ending, paper=None):
    """A file of every exhibit that exists so far, of one paper or all."""
    return [
        exhibit_file(scale, name, exhibit, ending)
        for name in ([paper] if paper else papers.paper_names())
        for exhibit in papers.load_paper(name).exhibits
    ]
