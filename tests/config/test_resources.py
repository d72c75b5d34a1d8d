"""What jobs ask for: every rule is listed, every mistake is named."""

import re
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.costs.jobs import MODELLED
from reactivate.experiment.costs.limits import load_limits, predict
from reactivate.experiment.loading import load_scales
from reactivate.experiment.resources import (
    asked,
    asks,
    cpus,
    group_of,
    load_resources,
    resources,
)

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


SWEEP = {"paper": "gmp", "dataset": "boston", "cell": "mlp100-relu-gmp-document"}
TRAIN = {"paper": "thesis", "dataset": "cifar10", "cell": "vgg16-relu-bn-chapter3", "seed": "0"}
LARGE = {"paper": "gmp", "dataset": "imagenet", "cell": "resnet50-relu-bn-resnet50", "seed": "0"}
UNMODELLED = sorted(set(load_resources()) - set(MODELLED))


@pytest.mark.parametrize("resource", ["mem_mb", "runtime"])
def test_a_retry_asks_for_more_memory_and_time(resource):
    ask = asks("sweep")[resource]
    wildcards = {"scale": "smoke", **SWEEP}
    assert ask(wildcards, attempt=2) == 2 * ask(wildcards, attempt=1)


def test_no_retry_asks_for_more_than_the_most():
    names = {"scale": "paper", "paper": "iieu", "dataset": "imagenet"}
    long = {**names, "cell": "mobilenet_v2-iieu_dc-bn-cfg_c_authors_code", "seed": "0"}
    minutes = [asks("train")["runtime"](long, attempt=n) for n in (1, 2, 3)]
    assert minutes[1:] == [load_limits().most.minutes] * 2
    memory = [asks("prepare")["mem_mb"]({}, attempt=n) for n in (1, 3, 1000)]
    assert memory == [2000, 6000, load_limits().most.memory_mb]


def test_a_certification_of_streamed_pictures_does_not_ask_for_memory_for_all():
    stem = "resnet50_robust-relu-bn-imagenet_smoothadv_025"
    names = {"scale": "paper", "paper": "thesis", "dataset": "imagenet", "cell": stem}
    given = resources("certify", {**names, "measurement": "imagenet_repress_010_025_authors_code"})
    assert given.memory_mb < 10_000


def test_processes_ask_for_a_gpu_each_on_one_machine():
    one, four = (asks("train", processes) for processes in (1, 4))
    wildcards = {"scale": "paper", **LARGE}
    assert one["gpu"](wildcards) == 1
    assert four["gpu"](wildcards) == 4
    assert four["nodes"](wildcards) == 1
    assert "nodes" not in one
    given = resources("train", wildcards, processes=4)
    each = predict("train", wildcards, gpus=1, processes=4)
    assert cpus("train", 4)(wildcards) == four["cpus_per_task"](wildcards) == 4 * each.cpus
    assert four["mem_mb"](wildcards, attempt=1) == 4 * each.limit_memory_mb
    assert four["runtime"](wildcards, attempt=1) == given.minutes == each.limit_minutes


@pytest.mark.parametrize("rule", ["prune", "observe"])
def test_what_is_not_divided_takes_as_long_with_more_processes(rule):
    wildcards = {"scale": "paper", **TRAIN}
    one, four = (predict(rule, wildcards, gpus=1, processes=n).seconds for n in (1, 4))
    assert one == four


def test_a_rule_without_a_model_multiplies_what_it_is_given():
    assert resources("audit", {"scale": "paper", "paper": "psc"}, processes=3).cpus == 3


def test_gpus_that_train_together_shorten_a_job_by_less_than_their_number():
    wildcards = {"scale": "paper", **LARGE}
    one, four = (predict("train", wildcards, gpus=1, processes=n) for n in (1, 4))
    together = one.machine.together
    assert one.seconds / 4 / together < four.seconds < one.seconds / 2
    minutes = (asks("train", n)["runtime"](wildcards, attempt=1) for n in (1, 4))
    assert next(minutes) > next(minutes) * 2


@pytest.mark.parametrize("scale", load_scales())
@pytest.mark.parametrize("rule", [*UNMODELLED, "sweep"])
def test_a_cluster_is_asked_for_the_cpus_whatever_the_machine_that_sends_the_job_has(rule, scale):
    wildcards = {"scale": scale, **SWEEP}
    assert asks(rule)["cpus_per_task"](wildcards) == cpus(rule)(wildcards)


@pytest.mark.parametrize("rule", UNMODELLED)
def test_a_rule_whose_work_is_unknown_asks_for_what_it_is_given(rule):
    assert resources(rule, {"scale": "paper", "paper": "psc"}) == asked(rule, "paper")


def test_a_job_asks_for_its_predicted_time_and_a_stated_margin():
    wildcards = {"scale": "paper", **TRAIN}
    predicted, given = predict("train", wildcards, gpus=1), resources("train", wildcards)
    factor = load_limits().time_factor
    assert 0 <= given.minutes - factor * predicted.seconds / 60 <= 10
    assert given.memory_mb >= load_limits().memory_factor * predicted.memory_mb
    assert given.gpus == asked("train", "paper").gpus == 1
    assert asks("train")["runtime"](wildcards, attempt=1) == given.minutes


def test_limits_stay_within_their_bounds():
    bounds = load_limits()
    small = resources("train", {**TRAIN, "scale": "smoke"})
    assert small.minutes == bounds.least.minutes
    large = resources("train", {**LARGE, "scale": "paper"})
    assert bounds.least.minutes < large.minutes <= bounds.most.minutes
    assert large.cpus <= bounds.most.cpus


def test_decoding_asks_for_more_cores_than_images_from_memory():
    large, small = (resources("train", {**w, "scale": "paper"}) for w in (LARGE, TRAIN))
    assert large.cpus > small.cpus


def test_trainings_of_minutes_are_grouped_where_they_have_a_gpu_and_long_ones_never():
    assert group_of("train")({"scale": "paper", **LARGE}) is None
    assert group_of("train")({"scale": "laptop", **TRAIN}) is None  # no GPU
    name = group_of("train")({**TRAIN, "scale": "paper"})
    seconds = predict("train", {**TRAIN, "scale": "paper"}, gpus=1).seconds
    minutes = int(name.removeprefix("minutes_"))
    assert 60 * minutes / 2 < seconds <= 60 * minutes


def test_a_group_of_the_profile_lasts_about_an_hour():
    profile = yaml.safe_load(Path("profiles/slurm/profile.yaml").read_text(encoding="utf-8"))
    assert profile["set-resource-scopes"] == ["gpu=local"]
    assert profile["resources"] == ["gpu=1"]
    parts = dict(part.split("=") for part in profile["group-components"])
    names = {f"minutes_{2**power}" for power in range(6)}
    assert set(parts) == names
    for name, members in parts.items():
        longest = int(members) * int(name.removeprefix("minutes_"))
        assert longest == pytest.approx(load_limits().group_minutes, abs=16)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sweep: {every: {cpus: 1, memory_mb: 900, minutes: 1, gpu: 0}}", "unknown key 'gpu'"),
        ("sweep: {every: {cpus: 1, memory_mb: 900, minutes: 1, gpus: -1}}", "sweep.every.gpus"),
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
