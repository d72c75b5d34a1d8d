"""With an image in the configuration, commands of rules run in it; without, nothing changes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

RUN = "results/smoke/gmp/runs/yacht/mlp100-relu-gmp-document"
FAKE = """#!/bin/sh
if [ "$1" = "--version" ]; then echo "apptainer version 1.3.0"; exit 0; fi
echo "$@" >> "{log}"
"""


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    """A program called apptainer (and singularity) that notes how it was called."""
    log = tmp_path / "calls"
    for name in ("apptainer", "singularity"):
        program = tmp_path / name
        program.write_text(FAKE.format(log=log))
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return log


def snakemake(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "snakemake", f"{RUN}/run.json", "--cores", "1", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_command_is_handed_to_the_image(tmp_path_factory, copy_project, pretended):
    folder = tmp_path_factory.mktemp("contained")
    copy_project(folder)
    image = folder / "reactivate.sif"
    image.write_text("not a real image")
    prepared = folder / "data/prepared"
    prepared.mkdir(parents=True)
    for ending in ("safetensors", "safetensors.sha256", "json"):
        (prepared / f"yacht.{ending}").write_text("{}")
    options = ("--software-deployment-method", "apptainer", "--apptainer-args", "'--nv'")
    done = snakemake(
        folder, *options, "--allowed-rules", "sweep", "--config", f"container={image}"
    )
    assert done.returncode != 0  # it only notes the call, so no file is there
    assert pretended.exists(), done.stderr
    (call,) = [line for line in pretended.read_text().splitlines() if "stages.sweep" in line]
    assert " exec " in f" {call}"
    assert "--nv" in call
    assert str(image) in call
    assert "reactivate.warm" not in call  # which is outside of it


def test_the_recipe_installs_what_is_locked():
    recipe = Path("profiles/container.def").read_text(encoding="utf-8")
    assert "requirements.lock /opt/requirements.lock" in recipe
    assert "pip install" in recipe
    assert "-r /opt/requirements.lock" in recipe
    environment = yaml.safe_load(Path("environment.yml").read_text(encoding="utf-8"))
    version = environment["dependencies"][0].removeprefix("python=")
    assert f"From: python:{version}." in recipe
