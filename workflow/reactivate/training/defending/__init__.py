"""Training with a defence."""
