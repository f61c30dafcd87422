"""Pictures whose data are not in the repository belong to the page that shows them and to what made them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_learning_curve_is_of_the_script_as_it_is() -> None:
    script = (DOCS / "examples" / "learn_nichtig.py").read_bytes()
    picture = read("pictures/learn-nichtig.svg")
    stale = "run docs/examples/learn_nichtig.py and draw its curve again, with the figures of docs/guide/research.md"
    assert f"<!-- learn_nichtig.py {hashlib.sha256(script).hexdigest()[:12]} -->" in picture, stale


def test_the_learning_curve_ends_where_the_guide_says() -> None:
    found = re.search(r"([\d.]+ M decisions), ([\d.]+ minutes)", read("pictures/learn-nichtig.svg"))
    assert found
    assert f"after {found[1]} and {found[2]} of processor time" in read("guide/research.md")


def test_the_curves_of_training_are_of_the_run_that_the_model_card_names() -> None:
    drawn = [
        float(one.replace(",", "")) for one in re.findall(r"([\d,.]+) M decisions", read("pictures/learned-curves.svg"))
    ]
    seen = re.search(r"\| decisions seen \| ([\d,]+) million.* \| ([\d,]+) million", read("learned.md"))
    assert seen
    assert [round(one) for one in drawn] == [int(one.replace(",", "")) for one in seen.groups()]
