"""The files and names that the documents for developers mention exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.tables import each_row

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "docs/architecture.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "tests/README.md",
    *sorted((ROOT / "docs/decisions").glob("*.md")),
]
_FILE = re.compile(r"`((?:\w+/)+\w+\.(?:py|md|txt|html|jinja|toml))`((?:,? `_?\w+`)*)")
_MODULE = re.compile(r"`((?:\w+/)+\w+)(?:\.(?!py|md|txt|html|jinja|toml)(_?\w+)(?:\.\w+)?)?`")
FOLDERS = [ROOT, ROOT / "tests", *(ROOT / "takmail" / one for one in ("", "commands", "games", "games/tak"))]
"""The folders that paths in the pages start from."""


@cache
def names_in(file: Path) -> frozenset[str]:
    """Return all names that a module defines, with those in its classes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


def file_of(path: str) -> Path | None:
    """Return the file or folder that a path means, or None."""
    return next(
        (one / name for one in FOLDERS for name in (path, f"{path}.py") if (one / name).exists()), None
    )


def is_path(text: str) -> bool:
    """Return whether a text such as `multipart/related` is the path of a file."""
    return any((one / text.partition("/")[0]).is_dir() for one in FOLDERS)


def missing(text: str) -> Iterator[str]:
    """Yield the files and names that a page mentions and that don't exist."""
    mentioned = [(one[1], re.findall(r"`(\w+)`", one[2])) for one in _FILE.finditer(text)]
    mentioned += [(one[1], [one[2]] if one[2] else []) for one in _MODULE.finditer(text)]
    for path, names in mentioned:
        if not is_path(path):
            continue
        file = file_of(path)
        if file is None:
            yield path
        elif file.suffix == ".py":
            yield from (f"{path} {name}" for name in names if name not in names_in(file))


@each_row("page", PAGES)
def test_what_a_page_names_exists(page: Path) -> None:
    assert list(missing(page.read_text(encoding="utf-8"))) == []


def test_what_is_missing_is_found() -> None:
    text = "`pipeline/never.py`, `store/schema.HEAD`, `store/schema.TAIL`, `world/events/base.py` `Event`, `Evening`"
    assert list(missing(text)) == ["pipeline/never.py", "world/events/base.py Evening", "store/schema TAIL"]
