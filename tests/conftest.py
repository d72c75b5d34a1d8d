"""For all tests: one thread each, the same examples in every run, and any order."""

import gc
import os
import pickle
import random
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
import yaml

os.environ["OMP_NUM_THREADS"] = "1"  # small tensors, tests side by side; torch reads it once

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

ROOT = Path(__file__).parents[1]
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the one in C writes the same
sys.path.append(str(Path(__file__).parent))  # for made_up.py


def pytest_addoption(parser):
    parser.addoption(
        "--shuffle", metavar="SEED", help="run files, and tests in them, in this order"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules and tests stay to the end: whoever looks for garbage need not go through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(10_000)  # tests make objects by the million, and few of them in circles


def pytest_collection_modifyitems(config, items):
    """Files stay together, so that what their tests share is made once."""
    if seed := config.getoption("--shuffle"):
        rank = {name: random.Random(f"{seed}:{name}").random() for name in map(_place, items)}
        rank |= {item: random.Random(f"{seed}:{item.nodeid}").random() for item in items}
        items.sort(key=lambda item: (rank[_place(item)], rank[item]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """Puts back what torch starts with: a stage chooses it for its process, which is ours here.

    With another choice for convolutions than for recurrent networks torch exports nothing.
    Fixtures end before: a test may have put something else in the place of these settings.
    """
    yield
    if torch := sys.modules.get("torch"):
        torch.backends.cuda.matmul.fp32_precision = "none"
        torch.backends.cudnn.conv.fp32_precision = "tf32"


def _place(item):
    return item.nodeid.partition("::")[0]


@pytest.fixture(scope="session", autouse=True)
def _parsed_once():
    """Parses a file of the configuration once in a process, however often tests read it anew.

    Each reader gets values of its own; a text that is refused is refused every time.
    """
    from reactivate.foundation import configuration

    parse = yaml.load

    @lru_cache(256)
    def parsed(text):
        return pickle.dumps(parse(text, Loader=configuration._UniqueKeys))

    def load(stream, Loader):
        if Loader is configuration._UniqueKeys and isinstance(stream, str):
            return pickle.loads(parsed(stream))
        return parse(stream, Loader)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "load", load)
        patch.setattr(configuration, "check_bounds", lru_cache(256)(configuration.check_bounds))
        yield


@pytest.fixture(scope="session")
def copy_project():
    """``copy(folder, *datasets)``: the working tree, without results, and data if prepared."""

    def copy(folder, *datasets):
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file() and not name.startswith(("results/", "published/")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for name in datasets:  # sets of images are large
            for path in (ROOT / "data/prepared").glob(f"{name}.*"):
                (folder / "data/prepared").mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, folder / "data/prepared")

    return copy


@pytest.fixture(scope="session")
def write_paper():
    """``write_paper(folder, name, **changed)``: a paper of the project, with sections changed.

    It has no headlines, which name claims and exhibits that a change may take away.
    """
    from reactivate.experiment.loading import joined_files

    def write(folder, name, **changed):
        content = {**joined_files(ROOT / "config/papers" / name)[0], **changed}
        content.pop("headlines", None)
        own = folder / "config/papers" / name
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir(parents=True)
        text = yaml.dump(content, Dumper=DUMPER, sort_keys=False, allow_unicode=True)
        (own / "paper.yaml").write_text(text, encoding="utf-8")
        for more in ("datasets.yaml", "weights.yaml", "metrics.yaml", "labels.yaml"):
            if (ROOT / "config/papers" / name / more).exists():
                shutil.copy(ROOT / "config/papers" / name / more, own)

    return write
