"""What runs leave and how it is read: records, provenance, numbers of tables."""
