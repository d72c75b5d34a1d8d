import os
import re
import sys
from pathlib import Path

sys.path.insert(0, "workflow")
# rules call `python`: the one that runs Snakemake, whether its environment is activated or not
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]

from reactivate.experiment import outputs, paths
from reactivate.experiment.cell import NAME, Cell
from reactivate.experiment.experiment import (
    EVERYTHING,
    Experiment,
    pictured,
    printed_digests,
    recipes_of,
    stages_of_recipes,
)
from reactivate.experiment.loading import load_paper, load_scales, paper_names
from reactivate.experiment.resources import asks, cpus, group_of
from reactivate.experiment.signed import signed
from reactivate.foundation.digests import code_digest

with plainly():
    paths.check_results()
    load_scales()

REACH = config.get("reach", EVERYTHING)  # what this machine can run of a scale


wildcard_constraints:
    scale="|".join(load_scales()),
    paper="|".join(paper_names()),
    exhibit=f"(?!audit\\b){NAME}",  # which has files of its own
    dataset=NAME,
    cell="-".join([NAME] * 4),
    seed=r"\d+",


@plainly()
def experiment(wildcards):
    """The experiment at the scale of a rule."""
    return Experiment.load(wildcards.scale, REACH)


@plainly()
def cell(wildcards):
    """The cell of a rule: its settings, folders and code."""
    coordinates = Cell.parse(wildcards.dataset, wildcards.cell)
    return experiment(wildcards).cell(wildcards.paper, coordinates)


@plainly()
def exhibit(wildcards):
    """The exhibit of a rule: what it is made from, and its code."""
    return experiment(wildcards).exhibit(wildcards.paper, wildcards.exhibit)


def code(stage):
    """Digest of a stage's code: a change in it, or in what it imports, reruns the rule."""
    return code_digest(f"reactivate.stages.{stage}")


def cell_code(stage=None):
    """Digest of the code a cell uses: its stage, activation, parameterization and network."""
    return signed(lambda wildcards: code_digest(*cell(wildcards).modules(stage)))


def exhibit_code(stage):
    """Digest of a stage and of the function that computes or draws the exhibit."""
    return lambda wildcards: code_digest(*exhibit(wildcards).modules(stage))


def exhibit_config(wildcards):
    """The exhibit as it is configured: grid, printed numbers, metric."""
    return exhibit(wildcards).form.model_dump_json()


def made_with(records):
    """Records, and the files of their folders, which stages may read beside them.

    These have to be there, but a record tells when they change.
    """
    files = map(str, outputs.made_with(records, stages_of_recipes()))
    return [file if file.endswith(paths.RECORD) else ancient(file) for file in files]


@plainly()
def made(scale, ending, paper=None):
    """A file of every exhibit that exists so far, of one paper or all."""
    every = Experiment.load(scale, REACH)
    return [
        one.file(ending)
        for name in ([paper] if paper else every.papers)
        for one in every.exhibits(name)
    ]
