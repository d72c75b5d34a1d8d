"""Thesis, chapter 4: activation regions."""
