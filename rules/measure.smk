# What is asked of a trained network: attacks, certificates and reconstructions.
TRAINED = "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/"
ATTACKED = "results/{scale}/{paper}/attack/{dataset}/{cell}/{measurement}/seed{seed}/"
CERTIFIED = "results/{scale}/{paper}/certify/{dataset}/{cell}/{measurement}/seed{seed}/"
REBUILT = (
    "results/{scale}/{paper}/reconstruct/{dataset}/{cell}/{measurement}/seed{seed}/"
)


wildcard_constraints:
    measurement=runs.NAME,


def measurement(wildcards):
    """What is measured, after what the scale lowers."""
    return papers.measurement(
        wildcards.scale, wildcards.paper, wildcards.measurement
    ).model_dump_json()


rule attack:
    input:
        weights=TRAINED + "model.safetensors",
        record=TRAINED + "run.json",
    output:
        images=ATTACKED + "images.csv",
        metrics=ATTACKED + "metrics.csv",
        record=ATTACKED + "run.json",
    log:
        ATTACKED + "attack.log",
    threads: cpus("attack")
    resources:
        **asks("attack"),
    params:
        measurement=measurement,
        code=cell_code("attack"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.attack --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --measurement {wildcards.measurement} --out {params.out} --threads {threads} 2> {log}"


rule certify:
    input:
        weights=TRAINED + "model.safetensors",
        record=TRAINED + "run.json",
    output:
        images=CERTIFIED + "images.csv",
        metrics=CERTIFIED + "metrics.csv",
        record=CERTIFIED + "run.json",
    log:
        CERTIFIED + "certify.log",
    threads: cpus("certify")
    resources:
        **asks("certify"),
    params:
        measurement=measurement,
        code=cell_code("certify"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.certify --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --measurement {wildcards.measurement} --out {params.out} --threads {threads} 2> {log}"


rule reconstruct:
    input:
        weights=TRAINED + "model.safetensors",
        record=TRAINED + "run.json",
    output:
        images=REBUILT + "images.csv",
        metrics=REBUILT + "metrics.csv",
        record=REBUILT + "run.json",
    log:
        REBUILT + "reconstruct.log",
    threads: cpus("reconstruct")
    resources:
        **asks("reconstruct"),
    params:
        measurement=measurement,
        code=cell_code("reconstruct"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.reconstruct --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --measurement {wildcards.measurement} --out {params.out} --threads {threads} 2> {log}"
