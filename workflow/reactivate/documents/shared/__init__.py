"""Code that several documents use."""
