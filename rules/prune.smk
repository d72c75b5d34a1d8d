# An image network that loses parameters while it trains: the files of rule train, and the masks.
PRUNED = recipes_of("prune")


ruleorder: prune > train


rule prune:
    input:
        unpack(image_data),
    output:
        masks=RUN + "masks.csv",
        metrics=RUN + "metrics.csv",
        history=RUN + "history.csv",
        predictions=RUN + "predictions.safetensors",
        weights=RUN + "model.safetensors",
        record=RUN + "run.json",
    log:
        RUN + "prune.log",
    wildcard_constraints:
        cell="-".join([runs.NAME] * 3) + f"-(?:{PRUNED})",
    threads: cpus("prune")
    resources:
        **asks("prune"),
    params:
        settings=cell_settings,
        code=cell_code(),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.prune --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --out {params.out} --threads {threads} 2> {log}"
