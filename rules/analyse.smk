from reactivate.experiment.experiment import EXISTING
from reactivate.foundation.files import sha256


def analysis(wildcards):
    """The entry of config/resources.yaml for an analysis."""
    return "analyse_on_gpu" if exhibit(wildcards).on_gpu else "analyse"


rule analyse:
    input:
        lambda wildcards: made_with(exhibit(wildcards).inputs),
    output:
        values="results/{scale}/{paper}/analyse/{exhibit}/values.csv",
        record="results/{scale}/{paper}/analyse/{exhibit}/run.json",
    log:
        "results/{scale}/{paper}/logs/analyse_{exhibit}.log",
    threads: cpus("analyse", entry=analysis)
    resources:
        **asks("analyse", entry=analysis),
    params:
        exhibit=exhibit_config,
        settings=lambda wildcards: exhibit(wildcards).settings,
        code=exhibit_code("analyse"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.analyse --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --exhibit {wildcards.exhibit:q} --reach {REACH:q} --threads {threads}{ROOT:{output[0]}}"
        " 2> {log:q}"


def printed_tables(wildcards):
    """Digests of the printed tables that the checks of a paper read."""
    checks = load_paper(wildcards.paper).looked_into
    return [printed_digests(wildcards.paper, target) for target in checks]


def needed(files):
    """Files that a table or an audit has made first; one of what exists has none made."""
    return [] if REACH == EXISTING else files


def found(files):
    """Checksums of the files that a table or an audit of what exists finds: others make it anew."""
    if REACH != EXISTING:
        return None
    return {str(path): sha256(Path(path)) for path in files if os.path.exists(path)}


def judged_files(wildcards):
    """The values of analyses that statements of a paper are judged from."""
    return experiment(wildcards).judged_files(wildcards.paper)


rule check:
    input:
        lambda wildcards: needed(judged_files(wildcards)),
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
        found=lambda wildcards: found(judged_files(wildcards)),
        code=lambda wildcards: code_digest(
            "reactivate.stages.check", *load_paper(wildcards.paper).looked_into
        ),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.check --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"
