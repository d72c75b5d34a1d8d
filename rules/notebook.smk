# The story of a paper, executed: from results of this machine, or from published ones alone.
PAGE = ["notebooks/page/conf.json", "notebooks/page/index.html.j2"]


rule notebook:
    input:
        notebook=local("notebooks/{paper}.ipynb"),
        page=local(PAGE),
        evidence=lambda wildcards: needed(evidence(wildcards)),
        audit="results/{scale}/{paper}/audit.csv",
    output:
        notebook="results/{scale}/{paper}/notebook.ipynb",
        page="results/{scale}/{paper}/notebook.html",
    log:
        "results/{scale}/{paper}/logs/notebook.log",
    threads: cpus("notebook")
    resources:
        **asks("notebook"),
    params:
        scale=lambda wildcards: wildcards.scale,
        evidence=lambda wildcards: "results",  # a folder, of which no file is derived
        code=code_digest("reactivate.auditing.story"),
    shell:
        "(papermill -k python3 -l python {input.notebook:q} {output.notebook:q}"
        " -p scale {params.scale:q} -p evidence {params.evidence:q}"
        " && jupyter nbconvert --to html --template page"
        " --TemplateExporter.extra_template_basedirs=notebooks {output.notebook:q}) 2> {log:q}"


use rule notebook as published_notebook with:
    input:
        notebook=local("notebooks/{paper}.ipynb"),
        page=local(PAGE),
        audits=local([f"published/{scale}/audit.csv" for scale in ("laptop", "paper")]),
    output:
        notebook="results/notebooks/{paper}.ipynb",
        page="results/notebooks/{paper}.html",
    log:
        "results/notebooks/{paper}.log",
    params:
        scale="laptop",
        evidence=lambda wildcards: "published",
        code=code_digest("reactivate.auditing.story"),
