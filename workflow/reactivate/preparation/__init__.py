"""Preparation of datasets: from their sources to tensors."""
