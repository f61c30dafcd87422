"""The REST interface against its own description: schemathesis makes up requests, right ones and wrong ones."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from atout.server.http.openapi import description
from tests.server.background import PATIENCE, Background

SCHEMA = schemathesis.openapi.from_dict(description())
CHECKS: Any = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="session")
def cookies(server: Background) -> dict[str, str]:
    answer = httpx.post(f"{server.url}/api/guest", json={"name": "Ann"}, timeout=PATIENCE)
    return dict(answer.cookies)


@SCHEMA.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_few(case: schemathesis.Case[Any], server: Background, cookies: dict[str, str]) -> None:
    check(case, server, cookies)


@pytest.mark.slow
@SCHEMA.parametrize()
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
def test_many(case: schemathesis.Case[Any], server: Background, cookies: dict[str, str]) -> None:
    check(case, server, cookies)


def check(case: schemathesis.Case[Any], server: Background, cookies: dict[str, str]) -> None:
    case.call_and_validate(base_url=server.url, cookies=cookies, checks=CHECKS)
