rule analyse:
    input:
        of_exhibit(analysis.analysis_inputs, REACH),
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
        settings=of_exhibit(analysis.analysis_settings),
        code=exhibit_code("analyse"),
    shell:
        "python -m reactivate.stages.analyse --scale {wildcards.scale} --paper {wildcards.paper}"
        " --exhibit {wildcards.exhibit} --reach {REACH} 2> {log}"


rule check:
    input:
        lambda wildcards: analysis.judged_files(wildcards.scale, wildcards.paper, REACH),
    output:
        "results/{scale}/{paper}/analyse/claims.json",
    log:
        "results/{scale}/{paper}/logs/check.log",
    threads: cpus("check")
    resources:
        **asks("check"),
    params:
        checks=lambda wildcards: papers.checks(wildcards.paper),
        printed=printed_numbers,
        code=lambda wildcards: code_digest(
            "reactivate.stages.check", *papers.checks(wildcards.paper).values()
        ),
    shell:
        "python -m reactivate.stages.check --scale {wildcards.scale} --paper {wildcards.paper}"
        " --reach {REACH} 2> {log}"
