"""Exhibits and statements that follow from definitions, without training."""
