from pathlib import Path

# Measurements of a trained network: attacks, certificates and reconstructions.
TRAINED = "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/"


wildcard_constraints:
    measurement=NAME,


def measured(stage):
    """The folder of one measurement of one network."""
    return f"results/{{scale}}/{{paper}}/{stage}/{{dataset}}/{{cell}}/{{measurement}}/seed{{seed}}/"


def network(wildcards):
    """Files of the network that is measured, and its data."""
    record = TRAINED.format(**wildcards) + paths.RECORD
    return {"network": made_with([Path(record)]), **image_data(wildcards)}


def measurement(wildcards):
    """The settings of a measurement, after what the scale lowers."""
    asked = experiment(wildcards).measurement(wildcards.paper, wildcards.measurement)
    return asked.model_dump_json()


rule attack:
    input:
        unpack(network),
    output:
        **files(measured("attack"), outputs.MEASURED),
    log:
        measured("attack") + "attack.log",
    threads: cpus("attack")
    resources:
        **asks("attack"),
    params:
        measurement=measurement,
        code=cell_code("attack"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.{rule} --scale {wildcards.scale:q}"
        " --paper {wildcards.paper:q} --dataset {wildcards.dataset:q} --cell {wildcards.cell:q}"
        " --seed {wildcards.seed:q} --measurement {wildcards.measurement:q} --out {params.out:q}"
        " --threads {threads}{ROOT:{output[0]}} 2> {log:q}"


use rule attack as certify with:
    output:
        **files(measured("certify"), outputs.MEASURED | {"times": outputs.TIMES}),
    log:
        measured("certify") + "certify.log",
    threads: cpus("certify")
    resources:
        **asks("certify"),
    params:
        code=cell_code("certify"),


use rule attack as reconstruct with:
    output:
        **files(measured("reconstruct"), outputs.MEASURED),
    log:
        measured("reconstruct") + "reconstruct.log",
    threads: cpus("reconstruct")
    resources:
        **asks("reconstruct"),
    params:
        code=cell_code("reconstruct"),
