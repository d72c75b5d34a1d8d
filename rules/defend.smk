# An image network trained with a defence: the files of rule train, in the same folders.
ruleorder: defend > train


use rule train as defend with:
    log:
        RUN + "defend.log",
    wildcard_constraints:
        cell=cells_of("defend"),
    group:
        group_of("defend", LAUNCH.processes)
    threads: cpus("defend", LAUNCH.processes)
    resources:
        **asks("defend", LAUNCH.processes),
