# A dataset, or weights of others, as one safetensors file, from the first source that works.
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.weights import weight_set, weight_sets


ruleorder: convert > prepare


rule prepare:
    output:
        tensors="data/prepared/{dataset}.safetensors",
        checksum="data/prepared/{dataset}.safetensors.sha256",
        record="data/prepared/{dataset}.json",
    log:
        "results/logs/prepare/{dataset}.log",
    threads: cpus("prepare")
    resources:
        **asks("prepare"),
    params:
        source=lambda wildcards: dataset(wildcards.dataset).fingerprint(),
        code=lambda wildcards: code_digest(
            "reactivate.stages.prepare", *dataset(wildcards.dataset).readers
        ),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.prepare --dataset {wildcards.dataset:q} --out {output.tensors:q}"
        " 2> {log:q}"


rule convert:
    output:
        tensors="data/prepared/{weights}.safetensors",
        checksum="data/prepared/{weights}.safetensors.sha256",
        record="data/prepared/{weights}.json",
    log:
        "results/logs/convert/{weights}.log",
    wildcard_constraints:
        weights="|".join(weight_sets()) or "(?!)",  # where there are none, nothing matches
    threads: cpus("convert")
    resources:
        **asks("convert"),
    params:
        source=lambda wildcards: weight_set(wildcards.weights).fingerprint(),
        code=code("convert"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.convert --weights {wildcards.weights:q} --out {output.tensors:q}"
        " 2> {log:q}"


# Optional: pictures that are streamed, in a few large files. Trainings read these where they are.
rule pack:
    output:
        index="data/streamed/{dataset}/index.safetensors",
        checksum="data/streamed/{dataset}/index.safetensors.sha256",
        record="data/streamed/{dataset}/index.json",
    log:
        "results/logs/pack/{dataset}.log",
    threads: cpus("pack")
    resources:
        **asks("pack"),
    params:
        source=lambda wildcards: dataset(wildcards.dataset).fingerprint(),
        code=code("pack"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.pack --dataset {wildcards.dataset:q} --out {output.index:q}"
        " 2> {log:q}"
