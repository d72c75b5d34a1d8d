rule tabulate:
    input:
        records=exhibit_runs("run.json"),
        metrics=exhibit_runs("metrics.csv"),
    output:
        csv="results/{scale}/{paper}/{exhibit}.csv",
        markdown="results/{scale}/{paper}/{exhibit}.md",
        latex="results/{scale}/{paper}/{exhibit}.tex",
        provenance="results/{scale}/{paper}/{exhibit}.provenance.json",
    log:
        "results/{scale}/{paper}/logs/{exhibit}.log",
    threads: cpus("tabulate")
    resources:
        **asks("tabulate"),
    params:
        exhibit=exhibit_config,
        code=code("tabulate"),
    shell:
        "python -m reactivate.stages.tabulate --scale {wildcards.scale} --paper {wildcards.paper}"
        " --exhibit {wildcards.exhibit} 2> {log}"
