"""Made-up data in the place of a dataset, for projects of tests."""

import re

SHAPES = {"mnist": (1, 28, 28), "cifar10": (3, 32, 32)}


def write_prepared(project, name, tensors, *, told=True):
    """Writes tensors as the dataset of a name, and their checksum into the project's catalogue.

    If it is ``told``, there is a record beside them, so that Snakemake prepares nothing.
    """
    from reactivate.foundation.files import sha256, write_with_checksum
    from safetensors.torch import save_file

    path = project / "data/prepared" / f"{name}.safetensors"
    with write_with_checksum(path) as part:
        save_file(tensors, part)
    if told:
        path.with_suffix(".json").write_text("{}", encoding="utf-8")
    entry = re.compile(rf"^({name}:\n(?:  .*\n)*?  prepared:) [0-9a-f]{{64}}$", re.MULTILINE)
    found = 0
    for file in project.glob("config/**/datasets.yaml"):
        text, times = entry.subn(rf"\1 {sha256(path)}", file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")
        found += times
    assert found == 1, f"{found} entries of {name} in the catalogue of {project}"


def write_all(project):
    """Images and tables for a run of every stage, few enough to be trained on in a moment."""
    import torch

    random = torch.Generator().manual_seed(0)
    prepared = {}
    for name, shape in SHAPES.items():
        prepared[name] = {}
        for part, count in (("train", 12_800), ("test", 300)):
            labels = torch.randint(10, (count,), generator=random)
            prepared[name][f"{part}_labels"] = labels
            images = torch.randint(256, (count, *shape), generator=random, dtype=torch.uint8)
            prepared[name][f"{part}_images"] = images
    for name, features in (("boston", 13), ("yacht", 6)):
        x = torch.randn(60, features, dtype=torch.float64, generator=random)
        prepared[name] = {"x": x, "y": x[:, :1].sin()}
    shape = (3, 64, 64)
    prepared["tiny_imagenet20"] = {
        f"{part}_{kind}": tensor
        for part, count in (("train", 800), ("test", 100))
        for kind, tensor in (
            ("images", torch.randint(256, (count, *shape), generator=random, dtype=torch.uint8)),
            ("labels", torch.randint(20, (count,), generator=random)),
        )
    }
    for name, tensors in prepared.items():
        write_prepared(project, name, tensors)
