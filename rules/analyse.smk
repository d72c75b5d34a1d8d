rule analyse:
    input:
        lambda wildcards: made_with(exhibit(wildcards).inputs),
    output:
        values="results/{scale}/{paper}/analyse/{exhibit}/values.csv",
        record="results/{scale}/{paper}/analyse/{exhibit}/run.json",
    log:
        "results/{scale}/{paper}/logs/analyse_{exhibit}.log",
    threads: cpus("analyse")
    resources:
        **asks("analyse"),
    params:
        exhibit=exhibit_config,
        settings=lambda wildcards: exhibit(wildcards).settings,
        code=exhibit_code("analyse"),
    shell:
        "python -m reactivate.stages.analyse --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --exhibit {wildcards.exhibit:q} --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"


def printed_tables(wildcards):
    """Digests of the printed tables that the checks of a paper read."""
    checks = load_paper(wildcards.paper).looked_into
    return [printed_digests(wildcards.paper, target) for target in checks]


rule check:
    input:
        lambda wildcards: experiment(wildcards).judged_files(wildcards.paper),
    output:
        "results/{scale}/{paper}/analyse/claims.json",
    log:
        "results/{scale}/{paper}/logs/check.log",
    threads: cpus("check")
    resources:
        **asks("check"),
    params:
        claims=lambda wildcards: load_paper(wildcards.paper).model_dump_json(
            include={"claims", "findings"}
        ),
        printed=printed_tables,
        code=lambda wildcards: code_digest(
            "reactivate.stages.check", *load_paper(wildcards.paper).looked_into
        ),
    shell:
        "python -m reactivate.stages.check --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"
