# An image in which all commands run, for `--software-deployment-method apptainer`: docs/cluster.md.
if "container" in config:

    container: config["container"]
