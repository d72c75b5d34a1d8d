"""Rules of evidence: from replicates, printed numbers and readings to one fair verdict.

The audit does not judge by them yet: its verdicts are those of :mod:`reactivate.auditing`.
"""
