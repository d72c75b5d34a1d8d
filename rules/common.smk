import os
import sys

sys.path.insert(0, "workflow")
# rules call `python`: the one that runs Snakemake, whether its environment is activated or not
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]

from reactivate.experiment import analysis, papers, places, runs
from reactivate.foundation.digests import code_digest
from reactivate.experiment.resources import asks, cpus

runs.check_results()

REACH = config.get("reach", papers.EVERYTHING)  # what this machine can run of a scale


wildcard_constraints:
    scale="|".join(papers.load_scales()),
    paper="|".join(papers.paper_names()),
    exhibit=runs.NAME,
    dataset=runs.NAME,
    cell="-".join([runs.NAME] * 4),
    seed=r"\d+",


def code(stage):
    """Digest of a stage's code: a change in it, or in what it imports, reruns the rule."""
    return code_digest(f"reactivate.stages.{stage}")


def cell_code(stage=None):
    """Digest of the code a cell uses: its stage, activation, parameterization and network."""
    return lambda wildcards: code_digest(
        *papers.modules(
            wildcards.paper, runs.Cell.parse(wildcards.dataset, wildcards.cell), stage
        )
    )


def cell_settings(wildcards):
    """The recipe after the scale's limits: a changed value reruns this cell only."""
    cell = runs.Cell.parse(wildcards.dataset, wildcards.cell)
    settings = papers.cell_settings(wildcards.scale, wildcards.paper, cell)
    return settings.model_dump_json()


def exhibit_config(wildcards):
    """What the configuration says of an exhibit: grid, printed numbers, metric."""
    return papers.load_exhibit(wildcards.paper, wildcards.exhibit).model_dump_json()


def exhibit_code(stage):
    """Digest of a stage and of the function that computes or draws the exhibit."""
    return lambda wildcards: code_digest(
        *papers.functions(wildcards.paper, wildcards.exhibit, stage)
    )


def printed_numbers(wildcards):
    """Digests of the printed tables that the checks of a paper read."""
    return [
        papers.printed_digests(wildcards.paper, target)
        for target in papers.checks(wildcards.paper).values()
    ]


def of_exhibit(function, *more):
    """What a function of the package says of the exhibit of a rule."""
    return lambda wildcards: function(
        wildcards.scale, wildcards.paper, wildcards.exhibit, *more
    )


def audited_papers(wildcards):
    """What the configuration says of all papers; a function, so braces in it stay text."""
    return [papers.load_paper(name).model_dump_json() for name in papers.paper_names()]


def checked_claims(scale):
    """The judgements of every paper that has statements a function checks."""
    return [
        runs.checks_file(scale, name)
        for name in papers.paper_names()
        if papers.checks(name)
    ]


def exhibits(scale, ending, paper=None):
    """A file of every exhibit that exists so far, of one paper or all."""
    return [
        runs.exhibit_file(scale, name, exhibit, ending)
        for name in ([paper] if paper else papers.paper_names())
        for exhibit in papers.exhibits_made(scale, name, REACH)
    ]
