# An image network that loses parameters while it trains: the files of rule train, and the masks.
ruleorder: prune > train


use rule train as prune with:
    output:
        **trained(RUN),
        masks=RUN + "masks.csv",
    log:
        RUN + "prune.log",
    wildcard_constraints:
        cell=cells_of("prune"),
    group:
        group_of("prune")
    threads: cpus("prune")
    resources:
        **asks("prune"),
