"""What jobs ask for: every rule is listed, every mistake is named."""

import re
from pathlib import Path

import pytest
from reactivate.experiment.loading import load_scales
from reactivate.experiment.resources import asked, asks, cpus, load_resources

RULES = sorted(
    (path.name, name)
    for path in Path("rules").glob("*.smk")
    for name in re.findall(r"^rule (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize(("file", "rule"), RULES)
@pytest.mark.parametrize("scale", load_scales())
def test_every_rule_says_what_it_asks_for_at_every_scale(file, rule, scale):
    assert asked(rule, scale).memory_mb >= 100
    assert f'**asks("{rule}"' in (Path("rules") / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", load_resources())
@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_only_the_paper_scale_asks_for_a_gpu(rule, scale):
    assert asked(rule, scale).gpus == 0


def test_a_retry_asks_for_more_memory():
    memory = asks("sweep")["mem_mb"]
    wildcards = {"scale": "smoke"}
    assert memory(wildcards, attempt=2) == 2 * memory(wildcards, attempt=1)


@pytest.mark.parametrize("scale", load_scales())
@pytest.mark.parametrize("rule", load_resources())
def test_a_cluster_is_asked_for_the_cpus_whatever_the_machine_that_sends_the_job_has(rule, scale):
    wildcards = {"scale": scale}
    assert asks(rule)["cpus_per_task"](wildcards) == cpus(rule)(wildcards)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sweep: {every: {cpus: 1, memory_mb: 900, minutes: 1, gpu: 0}}", "unknown key 'gpu'"),
        ("sweep: {every: {cpus: 1, memory_mb: 900, minutes: 1, gpus: 2}}", "sweep.every.gpus"),
        ("sweep: {smok: {cpus: 1, memory_mb: 900, minutes: 1, gpus: 0}}", "unknown scale 'smok'"),
        ("sweep: {smoke: {cpus: 1, memory_mb: 900, minutes: 1, gpus: 0}}", "of scale .laptop"),
        ("swep: {}", "unknown rule 'sweep'"),
        ("- sweep", "a mapping"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path, text, message):
    path = tmp_path / "resources.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as problem:
        asked("sweep", "laptop", path)
    assert str(path) in str(problem.value)
