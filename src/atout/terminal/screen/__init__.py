"""The table on a whole terminal screen, with Textual (the extra `atout[terminal]`)."""
