# The training of an image network once more, looked at all the while; it ends with the same weights.
OBSERVED = "results/{scale}/{paper}/observe/{dataset}/{cell}/seed{seed}/"


def observed(wildcards):
    """The observation of a cell: a changed value observes it again."""
    return cell(wildcards).observation.model_dump_json()


use rule train as observe with:
    output:
        **files(OBSERVED, outputs.TRAINED | outputs.OBSERVED),
    log:
        OBSERVED + "observe.log",
    group:
        group_of("observe")
    threads: cpus("observe")
    resources:
        **asks("observe"),
    params:
        seen=observed,
        code=cell_code("observe"),
