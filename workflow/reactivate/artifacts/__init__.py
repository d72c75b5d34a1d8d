"""Results as they are shared: contents, Snakemake's memory of them, where DVC keeps them."""
