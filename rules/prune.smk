# An image network that loses parameters while it trains: the files of rule train, and the masks.
ruleorder: prune > train


use rule train as prune with:
    output:
        **files(RUN, outputs.TRAINED | {"masks": outputs.MASKS}),
    log:
        RUN + "prune.log",
    wildcard_constraints:
        cell=cells_of("prune"),
    group:
        group_of("prune")
    threads: cpus("prune")
    resources:
        **asks("prune"),
