"""Instantaneous Importance Estimation Units (IIEU): tables and statements."""
