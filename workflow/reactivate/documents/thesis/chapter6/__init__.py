"""Thesis, chapter 6: float paths, smoothing and certificates."""
