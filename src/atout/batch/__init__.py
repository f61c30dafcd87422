"""Thousands of matches at once, as arrays: reset, observe, mask, step, reward; finished matches begin anew.

    Batch          on the CPU, with threads
    DeviceBatch    the same on a GPU (`atout.batch.device`, imported on demand: it needs the package numba-cuda)

Both hold the same arrays under the same names and give the same numbers, bit for bit.
"""

from atout.batch.host import Batch as Batch
