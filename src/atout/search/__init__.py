"""Compiled search over the kernel's records: exact play with open cards."""
