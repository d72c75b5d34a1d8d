from reactivate.experiment.labels import labels_digest


def protocols_config(wildcards):
    """The readings of a paper, over which the numbers of its tables are judged."""
    known = load_paper(wildcards.paper).protocols
    return {name: protocol.model_dump_json() for name, protocol in known.items()}


def table_config(wildcards):
    """What a table is made by; of what exists also the records that are there, which count."""
    kept = found(exhibit(wildcards).records)
    told = exhibit_config(wildcards)
    return told if kept is None else [told, kept]


rule tabulate:
    input:
        lambda wildcards: needed(made_with(exhibit(wildcards).records)),
    output:
        csv=report(
            "results/{scale}/{paper}/{exhibit}.csv",
            **told_of("table"),
        ),
        markdown="results/{scale}/{paper}/{exhibit}.md",
        latex="results/{scale}/{paper}/{exhibit}.tex",
        provenance="results/{scale}/{paper}/{exhibit}.provenance.json",
    log:
        "results/{scale}/{paper}/logs/tabulate_{exhibit}.log",
    wildcard_constraints:
        exhibit=rf"(?!(?:audit|{pictured()})\.)[a-z0-9_]+",
    threads: cpus("tabulate")
    resources:
        **asks("tabulate"),
    params:
        exhibit=table_config,
        protocols=protocols_config,
        labels=labels_digest(),
        code=code("tabulate"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.tabulate --scale {wildcards.scale:q} --paper {wildcards.paper:q}"
        " --exhibit {wildcards.exhibit:q} --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"
