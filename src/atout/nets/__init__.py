"""Networks as files and their forward pass."""
