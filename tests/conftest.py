"""For all tests: one thread each, and the same examples in every run."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # small tensors, tests side by side; torch reads it once

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
