"""Reproduces five documents on neural-network activations and audits every number they print."""
