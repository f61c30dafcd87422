"""`python -m atout` is the command `atout`."""

from atout.cli import main

if __name__ == "__main__":
    main()
