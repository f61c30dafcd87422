"""The OpenAPI description of the REST interface, made from the operations and the types of their bodies."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from atout import __version__
from atout.protocol.rest import Problem
from atout.protocol.schema import schema_components
from atout.server.http.call import Operation
from atout.server.http.operations import OPERATIONS

ALWAYS = (429, 500, 503)
REDIRECT = 302
PROBLEMS = {
    400: "not JSON, or a query that makes no sense",
    401: "no guest, or one who was forgotten or signed out: POST /api/guest without the cookie",
    403: "not yours to do, or a page of another site",
    404: "not there",
    409: "not possible as things stand",
    413: "too large",
    415: "not application/json",
    422: "JSON, but not what was asked for",
    429: "too many, too fast: see Retry-After",
    500: "our fault",
    503: "the database cannot be reached: try again",
}


@cache
def description() -> dict[str, Any]:
    types = [kind for operation in OPERATIONS for kind in (operation.gives, operation.takes) if kind is not None]
    unique = list({repr(kind): kind for kind in [Problem, *types]}.values())
    schemas, components = schema_components(unique, "#/components/schemas/")
    schema_of = dict(zip(map(repr, unique), schemas, strict=True))
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        if operation.status == REDIRECT:
            continue  # for browsers alone
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Atout", "version": __version__, "description": "Tables of Njet! and Null & nichtig."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"guest": {"type": "apiKey", "in": "cookie", "name": "atout"}},
        },
    }


def _operation(operation: Operation, schema_of: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": operation.summary,
        "tags": [operation.tag],
        "responses": _responses(operation, schema_of),
    }
    names = re.findall(r"{(\w+)}", operation.path)
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}} for name in names
    ] + [{"name": name, "in": "query", "schema": {"type": "string"}} for name in operation.query]
    if parameters:
        described["parameters"] = parameters
    if operation.takes is not None:
        content = {"application/json": {"schema": schema_of[repr(operation.takes)]}}
        described["requestBody"] = {"required": True, "content": content}
    if operation.needs_guest:
        described["security"] = [{"guest": []}]
    return described


def _responses(operation: Operation, schema_of: dict[str, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "done"}
    if operation.gives is not None:
        good["content"] = {operation.media: {"schema": schema_of[repr(operation.gives)]}}
    statuses = {*ALWAYS, 400}
    if operation.needs_guest:
        statuses.add(401)
    if operation.method != "GET":
        statuses |= {401, 403, 404, 409, 413}
    if operation.takes is not None:
        statuses |= {415, 422}
    if "{" in operation.path or operation.path == "/api/links":
        statuses |= {403, 404}
    content = {"application/json": {"schema": schema_of[repr(Problem)]}}
    bad = {str(status): {"description": PROBLEMS[status], "content": content} for status in sorted(statuses)}
    return {str(operation.status): good, **bad}
