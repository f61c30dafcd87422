"""A build hook: the README as a package index shows it, with absolute links to pictures and pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<path>[^)]+)\)")


def with_addresses(text: str, source: str) -> str:
    """Every relative link of a Markdown text as an address below the project's source.

    >>> with_addresses("![Home](docs/home.png) [rules](docs/rules.md#veto) [here](#x)", "https://host")
    '![Home](https://host/raw/main/docs/home.png) [rules](https://host/blob/main/docs/rules.md#veto) [here](#x)'
    """

    def address(link: re.Match[str]) -> str:
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['text']}]({source}/{kind}/main/{link['path']})"

    return LINK.sub(address, text)


class CustomMetadataHook(MetadataHookInterface):
    """Named by `[tool.hatch.metadata.hooks.custom]`."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_addresses(text, metadata["urls"]["Source"]),
        }
