"""Editions: rule sets as data. `load` reads a published one by id, or house rules by path."""

from atout.editions.loader import PUBLISHED, from_tree, load, published, to_tree
from atout.editions.schema import Edition

__all__ = ["PUBLISHED", "Edition", "from_tree", "load", "published", "to_tree"]
