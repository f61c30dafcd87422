"""Editions: rule sets as data. `load` reads a published one by id, or house rules by path."""

from atout.editions.loader import PUBLISHED, edition_name, file_of, from_tree, load, published, to_tree
from atout.editions.schema import Edition

__all__ = ["PUBLISHED", "Edition", "edition_name", "file_of", "from_tree", "load", "published", "to_tree"]
