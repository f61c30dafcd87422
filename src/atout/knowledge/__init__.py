"""What a seat may know: redaction, belief sampling, and features for networks."""
