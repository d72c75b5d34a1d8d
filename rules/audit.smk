# The claims of a paper, each with its verdict; and all papers together.
from glob import glob

from reactivate.auditing.quantities import measures_of

TEMPLATE = sorted(glob("workflow/reactivate/auditing/browser/*"))


def audit_files(folder):
    """Files that every audit leaves, of one paper or of all."""
    return {
        "csv": folder + "audit.csv",
        "json": folder + "audit.json",
        "page": report(
            folder + "audit.html",
            caption="captions/audit.rst",
            category="Audit",
            labels={"folder": folder.rstrip("/")},
        ),
        "verdicts": folder + "audit.verdicts.json",
        "agreement": folder + "audit.agreement.csv",
    }


@plainly()
def checked_claims(wildcards):
    """The judgements of a paper's statements that a function checks, if there are any."""
    checked = paths.checks_file(wildcards.scale, wildcards.paper)
    return [checked] if load_paper(wildcards.paper).looked_into else []


def evidence(wildcards):
    """The evidence of all exhibits of a paper."""
    return made(wildcards.scale, "provenance.json", wildcards.paper)


def looked_at(wildcards, paper=None):
    """Pictures, and the records behind exhibits with what was measured; the page shows them."""
    every = [
        one
        for name in ([paper] if paper else paper_names())
        for one in experiment(wildcards).exhibits(name)
    ]
    behind = outputs.made_with(
        dict.fromkeys(path for one in every for path in one.records),
        stages_of_recipes(),
    )
    shown = [one.file("png") for one in every if re.fullmatch(pictured(), one.name)]
    kept = [path for path in behind if path.name in (paths.RECORD, outputs.METRICS)]
    return [ancient(str(path)) for path in [*shown, *kept]]


rule audit:
    input:
        lambda wildcards: needed(evidence(wildcards)),
        checked_claims,
        lambda wildcards: needed(looked_at(wildcards, wildcards.paper)),
        template=local(TEMPLATE),
    output:
        **audit_files("results/{scale}/{paper}/"),
    log:
        "results/{scale}/{paper}/logs/audit.log",
    threads: cpus("audit")
    resources:
        **asks("audit"),
    params:
        paper=lambda wildcards: load_paper(wildcards.paper).model_dump_json(),
        metrics=lambda wildcards: measures_of(load_paper(wildcards.paper)),
        found=lambda wildcards: found(evidence(wildcards)),
        code=code("audit"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.audit --scale {wildcards.scale:q}"
        " --paper {wildcards.paper:q} --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"


rule join:
    input:
        audits=expand("results/{{scale}}/{paper}/audit.csv", paper=paper_names()),
        agreements=expand(
            "results/{{scale}}/{paper}/audit.agreement.csv", paper=paper_names()
        ),
        evidence=lambda wildcards: needed(
            [ancient(str(path)) for path in made(wildcards.scale, "provenance.json")]
        ),
        shown=lambda wildcards: needed(looked_at(wildcards)),
        template=local(TEMPLATE),
    output:
        **audit_files("results/{scale}/"),
    log:
        "results/{scale}/logs/join.log",
    threads: cpus("join")
    resources:
        **asks("join"),
    params:
        code=code("join"),
    shell:
        "{LAUNCH:{rule}} reactivate.stages.join --scale {wildcards.scale:q} --reach {REACH:q}{ROOT:{output[0]}} 2> {log:q}"
