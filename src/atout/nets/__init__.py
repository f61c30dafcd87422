"""Networks: weights files and the forward pass."""
