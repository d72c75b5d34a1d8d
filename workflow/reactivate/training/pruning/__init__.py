"""Training while parameters are removed."""
