"""Tables in the memory of this worker: commands, subscribers and what they are sent, bots, deadlines, archive."""
