"""Schema errors as text: the field, the value, and what is allowed there.

msgspec stops at the first error and names its path; the type at that path says what is allowed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at (?P<key>`key` in )?`(?P<path>\$.*?)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([\w-]+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"field `(.+?)`$", re.DOTALL)
MAX_FIELD = 60
"""Letters of an unknown field's name that are told."""


def explain(error: msgspec.ValidationError, tree: Any, schema: Any) -> str:
    """`board.discard[2]: 'thre' is not allowed; allowed: none, one, …`"""
    match = _PLACE.match(str(error))
    what, path = (match["what"], match["path"] or "$") if match else (str(error), "$")
    steps = [key or index for key, index in _STEP.findall(path)]
    name, value, kind = _walk(tree, _described(schema), steps)
    missing = _FIELD.search(what)
    if missing:
        last = _name_of(missing[1])
        place = f"{name}.{last}" if name else last
        if "missing" in what:
            return f"{place}: missing; allowed: {_allowed(_field_type(kind, missing[1]))}"
        return f"{place}: not a field; allowed: {_fields(kind)}"
    if match and match["key"]:
        kind = kind.key_type if isinstance(kind, inspect.DictType) else kind
        wrong = [key for key in value if not _fits(key, kind)] if isinstance(value, dict) else [value]
        return f"{name}: {shown((wrong or [value])[0])} is not allowed; allowed: {_allowed(kind)}"
    return f"{name or 'file'}: {shown(value)} is not allowed; allowed: {_allowed(kind)}"


@cache
def _described(schema: Any) -> Any:
    return inspect.type_info(schema)


def _walk(value: Any, kind: Any, steps: list[str]) -> tuple[str, Any, Any]:
    """The dotted name, the value and the type at the end of msgspec's path."""
    name = ""
    for i, step in enumerate(steps):
        kind = _without_none(kind)
        if isinstance(kind, inspect.DictType):
            # msgspec writes [...] for a dictionary's value: find the one that does not fit
            rest = steps[i + 1 :]
            for key, inner in value.items():
                if not _fits(inner, kind.value_type):
                    deeper, found, leaf = _walk(inner, kind.value_type, rest)
                    return ".".join(filter(None, (name, key, deeper))), found, leaf
            kind = kind.value_type
        elif isinstance(kind, inspect.StructType):
            name = f"{name}.{step}" if name else step
            kind = _field_type(kind, step)
            value = value.get(step) if isinstance(value, dict) else None
        else:
            name = f"{name}[{step}]"
            kind = getattr(kind, "item_type", kind)
            value = value[int(step)] if isinstance(value, list | tuple) and int(step) < len(value) else None
    return name, value, _without_none(kind)


def _fits(value: Any, kind: Any) -> bool:
    if isinstance(kind, inspect.StructType):
        try:
            msgspec.convert(value, kind.cls)
        except msgspec.ValidationError:
            return False
        return True
    if isinstance(kind, inspect.LiteralType):
        return value in kind.values
    return True


def _field_type(kind: Any, name: str) -> Any:
    for field in getattr(kind, "fields", ()):
        if field.encode_name == name:
            return _without_none(field.type)
    return kind


def _without_none(kind: Any) -> Any:
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        rest = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        if len(rest) == 1:
            return _without_none(rest[0])
    return kind


def _fields(kind: Any) -> str:
    return ", ".join(field.encode_name for field in getattr(kind, "fields", ()))


def shown(value: Any) -> str:
    """A value as text, cut if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _name_of(field: str) -> str:
    """The name of a field that may be anything, in letters that can be read."""
    text = field if field.isprintable() else ascii(field)[1:-1]
    return text if len(text) <= MAX_FIELD else text[: MAX_FIELD - 1] + "…"


def _allowed(kind: Any) -> str:
    kind = _without_none(kind)
    if isinstance(kind, inspect.LiteralType):
        return ", ".join(str(value) for value in kind.values)
    if isinstance(kind, inspect.IntType):
        return f"a whole number{_range(kind.ge, kind.le, ' from ')}"
    if isinstance(kind, inspect.StrType):
        if kind.pattern:
            return "lower-case letters, digits and hyphens, 40 at most"
        return f"text{_range(kind.min_length, kind.max_length, ' of length ')}"
    if isinstance(kind, inspect.BoolType):
        return "true, false"
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return f"a list{_range(kind.min_length, kind.max_length, ' of length ')}, each: {_allowed(kind.item_type)}"
    if isinstance(kind, inspect.StructType):
        return f"a table with {_fields(kind)}"
    if isinstance(kind, inspect.DictType):
        return f"tables named {_allowed(kind.key_type)}"
    if isinstance(kind, inspect.UnionType):
        return " or ".join(_allowed(one) for one in kind.types)
    return "something else"


def _range(low: int | None, high: int | None, opening: str) -> str:
    if low is None and high is None:
        return ""
    if low is None:
        return f"{opening}at most {high}"
    return f"{opening}at least {low}" if high is None else f"{opening}{low} to {high}"
