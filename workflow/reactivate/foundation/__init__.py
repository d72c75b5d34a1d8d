"""What everything else stands on: files, names, errors, random streams, code digests; no torch."""
