rule audit:
    input:
        lambda wildcards: exhibits(wildcards.scale, "provenance.json"),
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
