# A dataset as one safetensors file, from the first of its sources that works.
from reactivate.datasets.catalog import dataset


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
        code=code("prepare"),
    shell:
        "python -m reactivate.stages.prepare --dataset {wildcards.dataset} --out {output.tensors}"
        " 2> {log}"
