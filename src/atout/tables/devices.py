"""Players who share a guest's device: their ids are the guest's with a number behind it."""

from __future__ import annotations


def at_device(guest: str, player: int) -> str:
    """The id of a player at a guest's device: the guest, or one of those who share it at a shared table."""
    return f"{guest}+{player}" if player else guest


def owner(guest: str) -> str:
    """The guest whose device a player uses; random ids contain no plus.

    >>> owner(at_device("Wv3sM1qzX0kq8kQm", 2)), owner("Wv3sM1qzX0kq8kQm")
    ('Wv3sM1qzX0kq8kQm', 'Wv3sM1qzX0kq8kQm')
    """
    return guest.partition("+")[0]
