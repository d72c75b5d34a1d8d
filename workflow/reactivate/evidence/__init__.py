"""Evidence that runs leave, and its readers: records, provenance, numbers of tables."""
