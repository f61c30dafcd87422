"""Events as they are sent to a viewer: the types of `atout.tables.events` without the fields that stay in the log."""

from __future__ import annotations

from typing import Any, Union, get_args

import msgspec
from msgspec import NODEFAULT

from atout.tables.events import Admitted, AnyEvent, Event, Forgotten, Joined

ALWAYS = ("number", "at", "command")
REVEALED = ("actions",)
"""The fields of `Revealed` that are filled in for each viewer."""


def _visible_type(kind: type[Event]) -> type[Any]:
    names = {*ALWAYS, *kind.public, *kind.own, *(REVEALED if kind.__name__ == "Revealed" else ())}
    fields: list[tuple[str, Any, Any]] = []
    for field in msgspec.structs.fields(kind):
        if field.name not in names:
            continue
        needed = field.name in ("number", "at") or field.required
        default = (
            field.default
            if field.default_factory is NODEFAULT
            else msgspec.field(default_factory=field.default_factory)
        )
        fields.append((field.name, field.type, NODEFAULT if needed else default))
    tag = kind.__struct_config__.tag
    return msgspec.defstruct(
        kind.__name__, fields, tag_field="kind", tag=tag, kw_only=True, omit_defaults=True, module=__name__
    )


TOLD_EVENTS: tuple[type[Any], ...] = tuple(
    _visible_type(kind) for kind in get_args(AnyEvent) if kind not in (Admitted, Forgotten, Joined)
)
ToldEvent: Any = Union[TOLD_EVENTS]  # noqa: UP007
