"""Concatenated ReLU (CReLU): figures, tables and statements."""
