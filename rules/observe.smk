# The training of an image network once more, looked at all the while; it ends with the same weights.
OBSERVED = "results/{scale}/{paper}/observe/{dataset}/{cell}/seed{seed}/"


rule observe:
    input:
        unpack(image_data),
    output:
        activations=OBSERVED + "activations.csv",
        of_weights=OBSERVED + "weights.csv",
        network=OBSERVED + "network.csv",
        entropies=OBSERVED + "entropies.csv",
        metrics=OBSERVED + "metrics.csv",
        history=OBSERVED + "history.csv",
        predictions=OBSERVED + "predictions.safetensors",
        weights=OBSERVED + "model.safetensors",
        record=OBSERVED + "run.json",
    log:
        OBSERVED + "observe.log",
    threads: cpus("observe")
    resources:
        **asks("observe"),
    params:
        settings=cell_settings,
        seen=lambda wildcards: analysis.observation(
            wildcards.scale,
            wildcards.paper,
            runs.Cell.parse(wildcards.dataset, wildcards.cell).recipe,
        ).model_dump_json(),
        code=cell_code("observe"),
        out=lambda wildcards, output: os.path.dirname(output.record),
    shell:
        "python -m reactivate.stages.observe --scale {wildcards.scale} --paper {wildcards.paper}"
        " --dataset {wildcards.dataset} --cell {wildcards.cell} --seed {wildcards.seed}"
        " --out {params.out} --threads {threads} 2> {log}"
