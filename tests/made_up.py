"""Made-up data in the place of a dataset, for projects of tests."""

import re


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
