"""Small projects of tests, made from the project's configuration."""

import shutil

import yaml

KEPT = {"gmp": "table3", "thesis": "table5_1"}
CLIPPED = '''"""ReLU with a ceiling."""

from torch import Tensor, nn


class Clipped(nn.Module):
    """Applies ``min(max(x, 0), 0.1)``."""

    def forward(self, x: Tensor) -> Tensor:
        return x.clamp(0, 0.1)
'''


def paper_in_one_file(config, name):
    """A paper in one file, by its path; scales, seeds and labels of its own stay behind."""
    from reactivate.experiment.loading import joined_files

    return {f"{name}/paper.yaml": joined_files(config / "papers" / name)[0]}


def drop_raised_seeds(config):
    """Leaves every cell the seeds of its recipe.

    ``reactivate decide`` raises others in the project, at scales and for cells that a small
    project may not have; a file of its own that names them is an error, as in any project.
    """
    from reactivate.experiment.seeds import SEEDS

    for path in (config / "papers").glob(f"*/{SEEDS}"):
        path.unlink()


def keep_two_cells(folder):
    """Makes the smoke scale two cells that train in a moment; adds the activation of one."""
    (folder / "workflow/reactivate/activations/clipped.py").write_text(CLIPPED)
    table = folder / "workflow/reactivate/activations/__init__.py"
    entry = '"clipped": "reactivate.activations.clipped:Clipped"'
    text = table.read_text().replace('"relu":', f'{entry},\n        "relu":', 1)
    table.write_text(text)
    drop_raised_seeds(folder / "config")
    path = folder / "config/papers/gmp/paper.yaml"
    paper = yaml.safe_load(path.read_text())
    del paper["claims"]
    path.with_name("headlines.yaml").unlink()  # they rest on claims
    exhibit = paper["exhibits"]["table3"]
    paper["exhibits"] = {"table3": exhibit}
    exhibit["rows"] = {"activation": ["relu", "clipped"]}
    exhibit["columns"] = {"dataset": ["yacht"]}
    exhibit["fixed"] = {"model": "mlp100", "parameterization": "sp"}
    exhibit["protocols"] = ["document"]
    exhibit["printed"] = {"relu": ["1.0"], "clipped": ["1.0"]}
    path.write_text(yaml.safe_dump(paper, sort_keys=False, allow_unicode=True))
    for other in path.parents[1].iterdir():
        if other != path.parent:
            shutil.rmtree(other)
    scales = {name: {"says": "test"} for name in ("smoke", "laptop", "paper")}
    (folder / "config/scales.yaml").write_text(yaml.safe_dump(scales))
    limits = {"recipes": {"document": {"epochs": 5, "seeds": 2}}}
    (path.parent / "scales.yaml").write_text(yaml.safe_dump({"smoke": limits}))


def keep_two_tables(config):
    """Leaves a table of small networks and one of image networks: the others change nothing."""
    from reactivate.experiment.loading import OWN_FORMS, joined_files

    drop_raised_seeds(config)
    for folder in (config / "papers").iterdir():
        if folder.name not in KEPT:
            shutil.rmtree(folder)
    for name, exhibit in KEPT.items():
        folder = config / "papers" / name
        paper = joined_files(folder)[0]
        paper["exhibits"] = {exhibit: paper["exhibits"][exhibit]}
        claims = paper["claims"].items()
        paper["claims"] = {k: c for k, c in claims if c.get("check", {}).get("exhibit") == exhibit}
        paper["findings"] = {}
        del paper["headlines"]  # they rest on other claims too
        scales = yaml.safe_load((folder / "scales.yaml").read_text(encoding="utf-8"))
        for scale in scales.values():
            for chosen in (scale.get("exhibits", {}), *scale.get("reaches", {}).values()):
                for other in set(chosen) - {exhibit}:
                    del chosen[other]
            scale.pop("settings", None)  # of analyses, which are not kept
        if name == "thesis":
            scales["smoke"]["exhibits"][exhibit] = {"rows": ["relu"], "columns": ["mnist"]}
        for path in folder.glob("*.yaml"):
            if path.name not in OWN_FORMS:
                path.unlink()
        for path, content in (("paper.yaml", paper), ("scales.yaml", scales)):
            text = yaml.dump(content, Dumper=Plain, sort_keys=False, allow_unicode=True)
            (folder / path).write_text(text, encoding="utf-8")


class Plain(yaml.SafeDumper):
    """Writes everything out, so that a test can edit one place."""

    def ignore_aliases(self, data):
        return True
