"""Both databases, as the store's tests have them."""

from tests.store.conftest import postgres, url

__all__ = ["postgres", "url"]
