rule notebook:
    input:
        notebook=local("notebooks/{paper}.ipynb"),
        evidence=lambda wildcards: made(
            wildcards.scale, "provenance.json", wildcards.paper
        ),
        audit="results/{scale}/{paper}/audit.csv",
    output:
        notebook="results/{scale}/{paper}/notebook.ipynb",
        page="results/{scale}/{paper}/notebook.html",
    log:
        "results/{scale}/{paper}/logs/notebook.log",
    threads: cpus("notebook")
    resources:
        **asks("notebook"),
    shell:
        "(papermill -k python3 -l python {input.notebook:q} {output.notebook:q}"
        " -p scale {wildcards.scale:q} && jupyter nbconvert --to html {output.notebook:q}) 2> {log:q}"
