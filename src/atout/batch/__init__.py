"""Thousands of matches at once, as arrays: reset, observe, mask, step, reward. After a match comes a new one.

    Batch          on the CPU, with threads
    DeviceBatch    on a GPU (`atout.batch.device`, imported on demand: it needs the package numba-cuda)

Both have the same arrays under the same names, with the same numbers, bit for bit.
"""

from atout.batch.host import Batch as Batch
