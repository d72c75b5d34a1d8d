"""Commands of the package: what is not a rule."""
