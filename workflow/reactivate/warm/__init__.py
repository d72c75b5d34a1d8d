"""Stages without the wait for imports: a process that has the libraries forks one for each."""
