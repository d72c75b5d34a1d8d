# An image network trained with a defence: the files of rule train, in the same folders.
DEFENDED = recipes_of("defend")
RUN = "results/{scale}/{paper}/runs/{dataset}/{cell}/seed{seed}/"


ruleorder: defend > train


rule defend:
    input:
        unpack(image_data),
    output:
        metrics=RUN + "metrics.csv",
        history=RUN + "history.csv",
        predictions=RUN + "predictions.safetensors",
        weights=RUN + "model.safetensors",
        record=RUN + "run.json",
    log:
        RUN + "defend.log",
    wildcard_constraints:
        cell="-".join([runs.NAME] * 3) + f"-(?:{DEFENDED})",
    threads: cpus("defend")
    resources:
        **asks("defend"),
    params:
        settings=cell_settings,
        code=cell_code(),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.defend --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --out {params.out} --threads {threads} 2> {log}"
