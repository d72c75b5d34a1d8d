"""Commands of the package, one per word of the command line."""
