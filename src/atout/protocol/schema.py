"""JSON Schema of the protocol's types, under the names they were published with.

Clients are generated from these names, so a type that is renamed in Python keeps its published one.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import msgspec

PUBLISHED_NAMES = {"TableSettings": "Settings", "ChatMessage": "Line", "SeatMoved": "Moved"}


def schema_components(types: Sequence[Any], prefix: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schema of each type, and the definitions they refer to as `prefix` and a name."""
    schemas, components = msgspec.json.schema_components(types, ref_template=prefix + "{name}")
    renamed = {PUBLISHED_NAMES.get(name, name): _renamed(schema, prefix) for name, schema in components.items()}
    return [_renamed(schema, prefix) for schema in schemas], renamed


def _renamed(schema: Any, prefix: str) -> Any:
    """The schema with every type's own name and all references to types replaced."""
    if isinstance(schema, list):
        return [_renamed(one, prefix) for one in schema]
    if isinstance(schema, dict):
        renamed = {key: _renamed(value, prefix) for key, value in schema.items()}
        if isinstance(renamed.get("description"), str):
            text = cleandoc(renamed["description"])  # Python before 3.13 keeps the indentation
            renamed["description"] = text.partition(">>>")[0].strip()  # without examples in Python
        return renamed
    if isinstance(schema, str):
        name = schema.removeprefix(prefix)
        return schema.removesuffix(name) + PUBLISHED_NAMES.get(name, name)
    return schema
