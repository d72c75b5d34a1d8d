# Measurements of a trained network: attacks, certificates and reconstructions.
TRAINED = "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/"


wildcard_constraints:
    measurement=NAME,


def measured(stage, name):
    """A file that a stage leaves of one measurement of one network."""
    folder = "{dataset}/{cell}/{measurement}/seed{seed}"
    return f"results/{{scale}}/{{paper}}/{stage}/{folder}/{name}"


def measurement(wildcards):
    """The settings of a measurement, after what the scale lowers."""
    asked = experiment(wildcards).measurement(wildcards.paper, wildcards.measurement)
    return asked.model_dump_json()


rule attack:
    input:
        weights=TRAINED + "model.safetensors",
        record=TRAINED + "run.json",
    output:
        images=measured("attack", "images.csv"),
        metrics=measured("attack", "metrics.csv"),
        record=measured("attack", "run.json"),
    log:
        measured("attack", "attack.log"),
    threads: cpus("attack")
    resources:
        **asks("attack"),
    params:
        measurement=measurement,
        code=cell_code("attack"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.{rule} --scale {wildcards.scale:q}"
        " --paper {wildcards.paper:q} --dataset {wildcards.dataset:q} --cell {wildcards.cell:q}"
        " --seed {wildcards.seed:q} --measurement {wildcards.measurement:q} --out {params.out:q}"
        " --threads {threads} 2> {log:q}"


use rule attack as certify with:
    output:
        images=measured("certify", "images.csv"),
        metrics=measured("certify", "metrics.csv"),
        times=measured("certify", "times.csv"),
        record=measured("certify", "run.json"),
    log:
        measured("certify", "certify.log"),
    threads: cpus("certify")
    resources:
        **asks("certify"),
    params:
        code=cell_code("certify"),


use rule attack as reconstruct with:
    output:
        images=measured("reconstruct", "images.csv"),
        metrics=measured("reconstruct", "metrics.csv"),
        record=measured("reconstruct", "run.json"),
    log:
        measured("reconstruct", "reconstruct.log"),
    threads: cpus("reconstruct")
    resources:
        **asks("reconstruct"),
    params:
        code=cell_code("reconstruct"),
