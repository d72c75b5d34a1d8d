"""Instantaneous Importance Estimation Units (IIEU): figures, tables and statements."""
