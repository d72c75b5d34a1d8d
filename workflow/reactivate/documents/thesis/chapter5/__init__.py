"""Thesis, chapter 5: pattern similarity, neuron entropy, pruning."""
