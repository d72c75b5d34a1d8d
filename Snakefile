"""Reproduce every table and figure: prepare -> train | prune | defend | detect | segment | observe -> attack | certify | reconstruct | analyse -> tabulate | plot -> audit."""


include: "rules/memory.smk"
include: "rules/telling.smk"
include: "rules/common.smk"
include: "rules/launch.smk"
include: "rules/container.smk"
include: "rules/prepare.smk"
include: "rules/train.smk"
include: "rules/defend.smk"
include: "rules/prune.smk"
include: "rules/scenes.smk"
include: "rules/observe.smk"
include: "rules/measure.smk"
include: "rules/analyse.smk"
include: "rules/tabulate.smk"
include: "rules/plot.smk"
include: "rules/audit.smk"
include: "rules/notebook.smk"


onerror:
    print(
        "What was made can be audited; the rest is then not_run, with the reason:"
    )
    print("  snakemake --config reach=existing -- results/SCALE/audit.html")


rule smoke:
    default_target: True
    input:
        "results/smoke/audit.html",
        lambda wildcards: made("smoke", "csv"),


rule laptop:
    input:
        "results/laptop/audit.html",
        lambda wildcards: made("laptop", "csv"),


rule paper:
    input:
        "results/paper/audit.html",
        lambda wildcards: made("paper", "csv"),
