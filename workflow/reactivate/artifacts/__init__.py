"""Results as they are shared: contents, Snakemake's memory of them, their place in DVC."""
