"""A publication as a Workflow Run RO-Crate: workflow, data, runs and results in one archive.

Reference:
    Leo et al., Recording provenance of workflow runs with RO-Crate, PLOS ONE 2024;
    https://w3id.org/ro/wfrun/workflow/0.5
"""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.data_entity import DataEntity
from rocrate.rocrate import ROCrate

from reactivate.artifacts.codecheck import MANIFEST
from reactivate.artifacts.signing import NAMESPACE
from reactivate.evidence.publication import SIGNATURE, SUMS
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.catalog.entries import written_entries
from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RECORD
from reactivate.foundation.files import sha256

ROCRATE_VERSION = "1.1"  # which the profiles below build on
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
BIOSCHEMAS = "https://bioschemas.org/profiles"
WORKFLOW_PROFILE = f"{BIOSCHEMAS}/ComputationalWorkflow/1.0-RELEASE"
PARAMETER_PROFILE = f"{BIOSCHEMAS}/FormalParameter/1.0-RELEASE"
TERMS = "https://w3id.org/ro/terms/workflow-run/context"  # defines sha256
WORKFLOW = "Snakefile"
FOLDERS = {
    "rules": "The rules that the Snakefile includes",
    "workflow": "The package that the rules call",
    "config": "Recipes, printed numbers, scales and datasets",
    "profiles": "How Snakemake runs on a laptop and on a cluster",
}
README = "README.md"
LOCKS = ("requirements.lock", "requirements-torch.lock")
FILES = (README, MANIFEST, *LOCKS, "environment.yml", "pyproject.toml", "Makefile")
ENCODINGS = {
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".yml": "application/yaml",
}
EXHIBITS = (".csv", ".png", ".svg")
LICENCE = "Not stated for the results; the licence of each dataset is said beside it."


def crate(scale: str, tree: Path, committed: str) -> ROCrate:
    """The crate of a published scale.

    Args:
        scale: The scale.
        tree: The files of a commit, among them the publication, and the manifest for CODECHECK.
        committed: Time of the commit.
    """
    made = ROCrate(version=ROCRATE_VERSION)
    made.metadata.extra_contexts.append(TERMS)
    made.name = f"reactivate, scale {scale}"
    made.description = (
        "Five documents on neural-network activations, reproduced, with an audit of every number "
        f"that they print. Scale {scale}: {load_scale(scale).says}."
    )
    made.license = LICENCE
    made.datePublished = committed
    for profile, (name, number) in PROFILES.items():
        _say(made, profile, "CreativeWork", name=name, version=number)
    made.root_dataset.append_to("conformsTo", [{"@id": profile} for profile in PROFILES])
    workflow = _add_workflow(made, tree)
    publication = tree / PUBLISHED / scale
    results = [_add_file(made, tree, path) for path in _exhibits(publication)]
    _add_folder(made, tree, f"{PUBLISHED}/{scale}", "Provenance, records of all runs, the audit")
    _add_attestation(made, tree, publication)
    used = [_say_dataset(made, tree, *said) for said in _datasets(publication)]
    action = made.add_action(
        workflow,
        f"#run-{scale}",
        object=[_say_scale(made, workflow, scale), *used],
        result=results,
        properties={
            "name": f"snakemake {scale}",
            "description": f"All runs behind it took {_hours(publication):.1f} hours together.",
            "endTime": committed,
        },
    )
    made.root_dataset["mentions"] = action
    return made


def _say(made: ROCrate, identifier: str, kind: str, **properties: Any) -> ContextEntity:
    """Adds an entity that is no file to a crate."""
    return made.add(ContextEntity(made, identifier, {"@type": kind, **properties}))


def _add_workflow(made: ROCrate, tree: Path) -> DataEntity:
    workflow = made.add_workflow(tree / WORKFLOW, WORKFLOW, main=True, lang="snakemake")
    workflow["name"] = "reactivate"
    workflow["description"] = "Every table and figure of the five documents is a target."
    workflow["encodingFormat"] = "text/plain"
    workflow["version"] = version("reactivate")
    workflow["conformsTo"] = _say_profile(made, WORKFLOW_PROFILE, "ComputationalWorkflow")
    for folder, description in FOLDERS.items():
        _add_folder(made, tree, folder, description)
    for name in FILES:
        _add_file(made, tree, tree / name)
    made.dereference(README)["about"] = made.root_dataset
    return workflow


def _say_profile(made: ROCrate, profile: str, name: str) -> ContextEntity:
    return _say(made, profile, "CreativeWork", name=name, version="1.0-RELEASE")


def _add_folder(made: ROCrate, tree: Path, folder: str, description: str) -> None:
    said = {"name": folder, "description": description}
    made.add_directory(tree / folder, f"{folder}/", properties=said)


def _add_attestation(made: ROCrate, tree: Path, publication: Path) -> None:
    """Adds the list of all sums and, if it was signed, the signature, which is of that list."""
    listed = _add_file(made, tree, publication / SUMS)
    listed["description"] = "SHA-256 of every published file; sha256sum -c reads it."
    if (publication / SIGNATURE).exists():
        signed = _add_file(made, tree, publication / SIGNATURE)
        signed["description"] = (
            f"SSH signature of {SUMS} for the purpose {NAMESPACE!r}: check it with reactivate "
            "verify --signers, or with ssh-keygen -Y verify."
        )
        signed["about"] = listed


def _exhibits(publication: Path) -> Iterator[Path]:
    """Tables and figures that were published, the numbers of figures, and the audit."""
    for paper in paper_names():
        for name in load_paper(paper).exhibits:
            paths = (publication / paper / f"{name}{ending}" for ending in EXHIBITS)
            yield from filter(Path.exists, paths)
    yield publication / "audit.csv"


def _add_file(made: ROCrate, tree: Path, path: Path) -> DataEntity:
    place = path.relative_to(tree).as_posix()
    properties = {
        "name": place,
        "encodingFormat": ENCODINGS.get(path.suffix, "text/plain"),
        "contentSize": str(path.stat().st_size),
        "sha256": sha256(path),
    }
    return made.add_file(path, place, properties=properties)


def _say_scale(made: ROCrate, workflow: DataEntity, scale: str) -> ContextEntity:
    """Adds the scale to a crate: the one input that a user chooses."""
    workflow["input"] = _say(
        made,
        "#scale",
        "FormalParameter",
        name="scale",
        additionalType="Text",
        description="How much of the printed protocol is run: smoke, laptop or paper.",
        conformsTo=_say_profile(made, PARAMETER_PROFILE, "FormalParameter"),
    )
    return _say(
        made,
        "#scale-chosen",
        "PropertyValue",
        name="scale",
        value=scale,
        exampleOfWork={"@id": "#scale"},
    )


def _datasets(publication: Path) -> list[tuple[str, str]]:
    """Name and checksum of every dataset that a published run has read."""
    read = (record.data for record in _records(publication))
    return sorted({(data.name, data.sha256) for data in read if data is not None})


def _say_dataset(made: ROCrate, tree: Path, name: str, checksum: str) -> ContextEntity:
    entries = written_entries(tree / "config/datasets.yaml")
    known: dict[str, str] = entries[name][0] if name in entries else {}
    return _say(
        made,
        f"#dataset-{name}",
        "Dataset",
        name=known.get("title", name),
        license=known.get("licence", "not stated"),
        description="As prepared for training; the catalog in config has its sources.",
        sha256=checksum,
    )


def _hours(publication: Path) -> float:
    return sum(record.times.seconds for record in _records(publication)) / 3600


def _records(publication: Path) -> Iterator[Record]:
    yield from map(read_record, publication.rglob(RECORD))
