"""What the package imports is declared in pyproject.toml, and what is declared there is wanted."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "takmail"
DEMO = tuple(sorted((PACKAGE / "cli" / "demo").rglob("*.py")))
SERVICE = tuple(sorted(set(PACKAGE.rglob("*.py")) - set(DEMO)))
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]

# What pymap is built of and the demo uses by name: which version of it fits is for pymap to say.
COMES_WITH = {"proxy-protocol": "pymap", "pysasl": "pymap"}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(requirements: Iterable[str]) -> set[str]:
    return {normalised(re.split(r"[\s\[<>=!~;]", one, maxsplit=1)[0]) for one in requirements}


def imported(sources: Iterable[str]) -> set[str]:
    """The top-level names that are imported, wherever in a module the import stands."""
    names = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Import(names=found):
                    names |= {one.name.partition(".")[0] for one in found}
                case ast.ImportFrom(module=str(module), level=0):
                    names.add(module.partition(".")[0])
    return names - sys.stdlib_module_names - {"takmail"}


def distributions(names: Iterable[str]) -> set[str]:
    """The projects that the imported names come from; a name that nothing installed has stands for itself."""
    owners = packages_distributions()
    return {normalised(owner) for name in names for owner in owners.get(name, [name])}


@cache
def used(files: tuple[Path, ...]) -> set[str]:
    found = distributions(imported(file.read_text() for file in files))
    return {COMES_WITH.get(name, name) for name in found}


NEEDED = declared(PROJECT["dependencies"])
FOR_THE_DEMO = declared(PROJECT["optional-dependencies"]["demo"])


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file: what it says of each, by its name."""
    entries = re.split(r"\n(?=\S)", (CHECKOUT / name).read_text().strip())
    return {normalised(re.split(r"[\[=]", one, maxsplit=1)[0]): one for one in entries}


def wanted(names: Iterable[str]) -> set[str]:
    """The names, and all that these packages want as they are installed here."""
    found: set[str] = set()
    waiting = [normalised(one) for one in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            with suppress(PackageNotFoundError):
                waiting += declared(one for one in requires(name) or [] if "extra ==" not in one)
    return found


PARTS = {"run": set(), "postgres": {"psycopg", "psycopg-binary"}}


def test_what_compiles_is_locked_as_the_whole_is() -> None:
    whole, found = locked("requirements.lock"), locked("requirements.compile.lock")
    assert {name: whole.get(name) for name in found} == found
    assert declared(PROJECT["optional-dependencies"]["compile"]) <= found.keys()


@pytest.mark.parametrize("part", PARTS)
def test_what_runs_is_locked_as_the_whole_is(part: str) -> None:
    whole, found = locked("requirements.lock"), locked(f"requirements.{part}.lock")
    assert {name: whole.get(name) for name in found} == found
    assert PARTS[part] <= found.keys()


@pytest.mark.parametrize("part", PARTS)
def test_what_runs_is_all_that_is_needed_and_no_tools_for_tests(part: str) -> None:
    found = locked(f"requirements.{part}.lock").keys()
    build = declared(PROJECT["optional-dependencies"]["build"])
    needed = wanted(NEEDED | FOR_THE_DEMO | build | PARTS[part])
    assert needed & locked("requirements.lock").keys() <= found
    assert found <= needed
    tools = declared(PROJECT["optional-dependencies"]["dev"]) - build - FOR_THE_DEMO - PARTS["postgres"]
    assert not found & tools


def test_all_that_the_service_imports_is_declared() -> None:
    assert used(SERVICE) - NEEDED == set()


def test_all_that_the_demo_imports_is_declared() -> None:
    assert used(DEMO) - NEEDED - FOR_THE_DEMO == set()


def test_what_is_left_to_another_project_is_declared_there() -> None:
    for name, project in COMES_WITH.items():
        assert name in declared(requires(project) or [])


def test_all_that_is_declared_is_imported() -> None:
    assert NEEDED - used(SERVICE) == set()
    assert FOR_THE_DEMO - used(DEMO) == set()


def test_the_reader_of_imports_sees_those_of_others_wherever_they_stand() -> None:
    source = "import json, click.testing\ndef late():\n    from jinja2.nodes import Name\nfrom . import here"
    assert distributions(imported([source, "import takmail.cli"])) == {"click", "jinja2"}
