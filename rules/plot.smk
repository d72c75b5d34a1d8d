from reactivate.experiment.labels import labels_digest


rule plot:
    input:
        lambda wildcards: made_with(exhibit(wildcards).records),
    output:
        png=report("results/{scale}/{paper}/{exhibit}.png", **told_of("figure")),
        svg="results/{scale}/{paper}/{exhibit}.svg",
        pdf="results/{scale}/{paper}/{exhibit}.pdf",
        csv="results/{scale}/{paper}/{exhibit}.csv",
        provenance="results/{scale}/{paper}/{exhibit}.provenance.json",
    log:
        "results/{scale}/{paper}/logs/plot_{exhibit}.log",
    wildcard_constraints:
        exhibit=pictured(),
    threads: cpus("plot")
    resources:
        **asks("plot"),
    params:
        exhibit=exhibit_config,
        labels=labels_digest(),
        code=exhibit_code("plot"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.plot --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --exhibit {wildcards.exhibit:q} --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"
