# Thousands of jobs are made and kept to the end: looking for garbage among them as often as Python
# does by itself, and once more before it ends, takes time and finds nothing.
import atexit
import gc

gc.set_threshold(1_000_000, 50, 50)
atexit.register(gc.freeze)
