# Networks on the weights of a finished run: rule train with one more input.
ruleorder: detect > segment > train


def backbone(wildcards):
    """Data of a network, and the weights that its backbone starts from."""
    folder = cell(wildcards).backbone_folder(int(wildcards.seed))
    record = folder / paths.RECORD
    return {"backbone": made_with([record]), **image_data(wildcards)}


use rule train as detect with:
    input:
        unpack(backbone),
    output:
        **files(RUN, outputs.OF_STAGE["detect"]),
    log:
        RUN + "detect.log",
    wildcard_constraints:
        cell=cells_of("detect"),
    group:
        group_of("detect", LAUNCH.processes)
    threads: cpus("detect", LAUNCH.processes)
    resources:
        **asks("detect", LAUNCH.processes),


use rule train as segment with:
    input:
        unpack(backbone),
    output:
        **files(RUN, outputs.OF_STAGE["segment"]),
    log:
        RUN + "segment.log",
    wildcard_constraints:
        cell=cells_of("segment"),
    group:
        group_of("segment", LAUNCH.processes)
    threads: cpus("segment", LAUNCH.processes)
    resources:
        **asks("segment", LAUNCH.processes),
