rule sweep:
    input:
        data=ancient("data/prepared/{dataset}.safetensors"),
        checksum="data/prepared/{dataset}.safetensors.sha256",
    output:
        metrics="results/{scale}/{paper}/runs/{dataset}/{cell}/metrics.csv",
        history="results/{scale}/{paper}/runs/{dataset}/{cell}/history.csv",
        weights="results/{scale}/{paper}/runs/{dataset}/{cell}/model.safetensors",
        record="results/{scale}/{paper}/runs/{dataset}/{cell}/run.json",
    log:
        "results/{scale}/{paper}/runs/{dataset}/{cell}/sweep.log",
    threads: cpus("sweep")
    resources:
        **asks("sweep"),
    params:
        settings=cell_settings,
        code=cell_code(),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.sweep --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --out {params.out} 2> {log}"


rule train:
    input:
        unpack(image_data),
    output:
        metrics="results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/metrics.csv",
        history="results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/history.csv",
        predictions="results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/predictions.safetensors",
        weights="results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/model.safetensors",
        record="results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/run.json",
    log:
        "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/train.log",
    threads: cpus("train")
    resources:
        **asks("train"),
    params:
        settings=cell_settings,
        code=cell_code(),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "{LAUNCH} reactivate.stages.train --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --out {params.out} --threads {threads} 2> {log}"
