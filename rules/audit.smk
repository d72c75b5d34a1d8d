def audited_papers(wildcards):
    """What the configuration says of all papers; a function, so braces in it stay text."""
    return [load_paper(name).model_dump_json() for name in paper_names()]


def checked_claims(scale):
    """The judgements of every paper that has statements a function checks."""
    return [
        paths.checks_file(scale, name)
        for name in paper_names()
        if load_paper(name).checked
    ]


rule audit:
    input:
        lambda wildcards: made(wildcards.scale, "provenance.json"),
        lambda wildcards: checked_claims(wildcards.scale),
        template=[
            f"workflow/reactivate/auditing/page.{e}" for e in ("html", "css", "js")
        ],
    output:
        csv="results/{scale}/audit.csv",
        json="results/{scale}/audit.json",
        page="results/{scale}/audit.html",
        verdicts="results/{scale}/audit.verdicts.json",
        agreement="results/{scale}/audit.agreement.csv",
    log:
        "results/{scale}/logs/audit.log",
    threads: cpus("audit")
    resources:
        **asks("audit"),
    params:
        papers=audited_papers,
        code=code("audit"),
    shell:
        "python -m reactivate.stages.audit --scale {wildcards.scale} --reach {REACH} 2> {log}"
