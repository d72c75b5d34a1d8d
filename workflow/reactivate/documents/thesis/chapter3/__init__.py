"""Thesis, chapter 3: activation functions in training."""
