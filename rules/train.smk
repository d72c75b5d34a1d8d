# Networks and what they leave. Image networks are trained one by one; where something is done to
# one meanwhile, the rule is made from rule train: see defend.smk, prune.smk and observe.smk.
RUN = "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/"


@signed
def image_data(wildcards):
    """Files that an image network reads; pictures are streamed from a folder of the user's."""
    if getattr(dataset(wildcards.dataset), "is_streamed", False):
        return {}
    path = paths.dataset_file(wildcards.dataset)
    return {"data": ancient(str(path)), "checksum": f"{path}.sha256"}


@signed
def cell_settings(wildcards):
    """The recipe after the scale's limits: a changed value reruns this cell only."""
    return cell(wildcards).settings.model_dump_json()


def files(folder, names):
    """Files in a folder, by what they are."""
    return {what: folder + name for what, name in names.items()}


def cells_of(stage):
    """Pattern of the cells whose recipe, of any paper, is of a stage."""
    return "-".join([NAME] * 3) + f"-(?:{'|'.join(recipes_of(stage))})"


rule sweep:
    input:
        data=ancient("data/prepared/{dataset}.safetensors"),
        checksum="data/prepared/{dataset}.safetensors.sha256",
    output:
        **files("results/{scale}/{paper}/runs/{dataset}/{cell}/", outputs.SWEPT),
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
        "{LAUNCH:{rule}} reactivate.stages.sweep --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --dataset {wildcards.dataset:q} --cell {wildcards.cell:q} --out {params.out:q}"
        "{ROOT:{output[0]}} 2> {log:q}"


rule train:
    input:
        unpack(image_data),
    output:
        **files(RUN, outputs.TRAINED),
    log:
        RUN + "train.log",
    group:
        group_of("train", LAUNCH.processes)
    threads: cpus("train", LAUNCH.processes)
    resources:
        **asks("train", LAUNCH.processes),
    params:
        settings=cell_settings,
        code=cell_code(),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.{rule} --scale {wildcards.scale:q}"
        " --paper {wildcards.paper:q} --dataset {wildcards.dataset:q} --cell {wildcards.cell:q}"
        " --seed {wildcards.seed:q} --out {params.out:q} --threads {threads}{PASSING:{rule}}"
        "{ROOT:{output[0]}} 2> {log:q}"
