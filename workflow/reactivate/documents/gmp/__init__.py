"""Geometric parameterization (GmP): figures, tables and statements."""
