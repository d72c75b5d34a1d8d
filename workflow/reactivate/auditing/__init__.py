"""Judging claims from the evidence of exhibits."""
