"""The playout policy: fast rules of thumb that play a round to its end."""
