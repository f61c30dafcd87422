"""The open-card solver (double dummy): exact values of a position with all cards known."""
