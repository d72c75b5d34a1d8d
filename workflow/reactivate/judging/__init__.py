"""Rules of evidence: from replicates, printed numbers and readings to one fair verdict."""
