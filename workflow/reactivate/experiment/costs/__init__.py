"""Costs of runs, told before they run: the work of a job, and the machine that does it."""
