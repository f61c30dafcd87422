"""Build the documentation as a static site: `python docs/build.py site` (or `make docs`).

    site/index.html          README, with links to every page
    site/docs/**.html        the Markdown pages, each where it is in the repository
    site/reference/**.html   the API reference, from the docstrings, by pdoc

Compiled functions are imported as plain Python (`ATOUT_JIT=off`), so that signatures and docstrings are those of the
source. Modules that need a package which is not installed are left out of the reference, which names them and what they
need: `make docs` builds the site without the libraries of the environments.
"""

import ast
import os
import pkgutil
import re
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

os.environ["ATOUT_JIT"] = "off"

import markdown2
import pdoc
import pdoc.render

import atout
from atout.envs import MissingPackage

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]
FILES = (".py", ".json", ".ts", ".png", ".svg")
"""What pages link to and show, beside each other."""
LEFT_OUT = ("atout.__main__", "atout.store.migrations")
EXTRAS = ["fenced-code-blocks", "header-ids", "tables", "code-friendly", "cuddled-lists"]
LINK = re.compile(r'href="(?!\w+:)([^"#]*)\.md(#[^"]*)?"')
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
  body {{ max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #222; }}
  nav {{ border-bottom: 1px solid #ccc; padding-bottom: .5rem; }}
  pre {{ overflow-x: auto; padding: .75rem; background: #f5f5f5; }}
  table {{ display: block; overflow-x: auto; border-collapse: collapse; }}
  td, th {{ border: 1px solid #ccc; padding: .25rem .5rem; text-align: left; vertical-align: top; }}
  img {{ max-width: 100%; }}
</style>
<nav><a href="{up}index.html">Atout</a> · <a href="{up}docs/architecture.html">Architecture</a> ·
<a href="{up}docs/decisions/README.html">Decisions</a> · <a href="{up}reference/index.html">API reference</a></nav>
{body}
"""


def write_reference(out: Path) -> int:
    """One page per module, or one per package that lists its public names (`__all__`), and a list of them all."""
    packages = [f"atout.{module.name}" for module in pkgutil.iter_modules(atout.__path__)]
    lacking = modules_without_package()
    for name, error in lacking.items():
        print(f"left out of the reference: {name} ({error})", file=sys.stderr)
        warnings.filterwarnings("ignore", f"Couldn't import {re.escape(name)}:")  # pdoc tries them all the same
    left_out = [f"!{name}" for name in (*LEFT_OUT, *lacking)]
    # Types that are named as text in a class without methods of its own are shown as they stand.
    warnings.filterwarnings("ignore", "Error parsing type annotation ForwardRef")
    pdoc.render.configure(docformat="markdown", footer_text=f"Atout {atout.__version__}", show_source=False)
    pdoc.pdoc("atout", *packages, *left_out, output_directory=out)
    pages = sorted(page.relative_to(out).with_suffix("") for page in out.rglob("*.html") if page.name != "index.html")
    names = [".".join(page.parts) for page in pages]
    rows = [f"- [`{name}`]({page}.html): {first_line(name)}" for name, page in zip(names, pages, strict=True)]
    if lacking:
        rows.append("\nNot described here, because a package was missing when this site was built:\n")
        rows.extend(f"- `{name}`: {first_line(name)} (needs `{error.name}`)" for name, error in lacking.items())
    write(out / "index.html", "API reference", "# API reference\n\n" + "\n".join(rows), "../")
    return len(pages)


def modules_without_package() -> dict[str, MissingPackage]:
    """The modules that cannot be imported because a package is not installed, with the error of each."""
    found = {}
    for name in module_names(atout.__name__, atout.__path__):
        try:
            import_module(name)
        except MissingPackage as error:
            found[name] = error
    return found


def module_names(package: str, path: Iterable[str]) -> Iterator[str]:
    """Every module below a package that the reference describes, by its whole name."""
    for module in pkgutil.iter_modules(path, f"{package}."):
        if module.name not in LEFT_OUT:
            yield module.name
            if module.ispkg:
                yield from module_names(module.name, import_module(module.name).__path__)


def first_line(module: str) -> str:
    """The first line of a module's docstring, read from its source: it may be a module that cannot be imported."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    text = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def write_page(page: Path, out: Path) -> None:
    where = page.relative_to(ROOT)
    where = Path("index.md") if where == Path("README.md") else where
    text = page.read_text(encoding="utf-8")
    title = next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), page.stem)
    write((out / where).with_suffix(".html"), title, text, "../" * (len(where.parts) - 1))


def write(target: Path, title: str, text: str, up: str) -> None:
    """Markdown as an HTML page; links to Markdown files become links to their pages."""
    body = LINK.sub(r'href="\1.html\2"', markdown2.markdown(text, extras=EXTRAS))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(PAGE.format(title=title.replace("&", "&amp;"), up=up, body=body), encoding="utf-8")


def copy_files(out: Path) -> None:
    for name in ("CITATION.cff", "LICENSE"):
        shutil.copyfile(ROOT / name, out / name)
    for folder in ("docs", "bench"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in FILES and "__pycache__" not in file.parts:
                target = out / file.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


def main(out: Path) -> None:
    modules = write_reference(out / "reference")
    for page in PAGES:
        write_page(page, out)
    copy_files(out)
    print(f"{len(PAGES)} pages and {modules} pages of reference: {out}/index.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
