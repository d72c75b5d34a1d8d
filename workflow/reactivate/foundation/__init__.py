"""Ground of all other packages: files, names, errors, random streams, code digests; no torch."""
