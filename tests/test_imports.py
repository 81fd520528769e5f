"""Imports run one way: cli → app → service → games, and the rooms beside one another stay apart."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "takmail"

# The longest name that a module's begins with says which room it is in.
ROOMS = {
    "takmail.games": "games",
    "takmail.games.tak": "tak",
    "takmail.games.picture": "drawings",
    "takmail.store": "store",
    "takmail.mail": "mail",
    "takmail.render": "render",
    "takmail.service": "service",
    "takmail.config": "config",
    "takmail.settings": "config",
    "takmail.passwords": "config",
    "takmail.console": "parts",
    "takmail.logs": "logs",
    "takmail.supervisor": "logs",
    "takmail.connections": "connections",
    "takmail.exposed": "connections",
    "takmail.events": "parts",
    "takmail.metrics": "parts",
    "takmail.inbound": "parts",
    "takmail.listener": "parts",
    "takmail.poller": "parts",
    "takmail.reading_child": "parts",
    "takmail.reading_process": "parts",
    "takmail.forgetter": "parts",
    "takmail.keeper": "parts",
    "takmail.outbound": "parts",
    "takmail.untaken": "parts",
    "takmail.hold": "parts",
    "takmail.process": "parts",
    "takmail.troubles": "parts",
    "takmail.wiring": "parts",
    "takmail.rehearsal": "app",
    "takmail.app": "app",
    "takmail.cli": "cli",
    "takmail.demo": "demo",
    "takmail.__main__": "main",
    "takmail.__version__": "version",
}
_BELOW_THE_APP = {
    "parts",
    "version",
    "config",
    "service",
    "store",
    "mail",
    "render",
    "games",
    "tak",
    "drawings",
}
MAY_IMPORT = {
    "version": set(),
    "logs": set(),
    "games": {"games", "tak", "drawings"},
    "tak": {"tak", "games", "drawings"},
    "drawings": set(),
    "store": {"store"},
    "mail": {"mail"},
    "render": {"render", "drawings"},  # how pictures look is the one thing that a game tells it
    "service": {"service", "store", "mail", "render", "games", "drawings"},
    "config": {"config", "mail"},
    "parts": _BELOW_THE_APP,
    "app": _BELOW_THE_APP,
    "connections": _BELOW_THE_APP | {"app"},
    "cli": _BELOW_THE_APP | {"app", "cli", "connections", "demo", "logs", "version"},
    "demo": _BELOW_THE_APP | {"app", "cli", "demo"},
    "main": {"cli"},
}


def room(name: str) -> str:
    """Where a module is; "" for one that has no room."""
    inside = [one for one in ROOMS if name == one or name.startswith(f"{one}.")]
    return ROOMS[max(inside, key=len)] if inside else ""


def imported(module: str, source: str, *, is_package: bool = False) -> Iterator[str]:
    """The full names of all that a module imports of takmail, wherever in it the import stands."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found = [one.name for one in names]
            case ast.ImportFrom(module=base, names=names, level=level):
                above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                found = [".".join([*above, *([base] if base else []), one.name]) for one in names]
            case _:
                continue
        yield from (name for name in found if name.split(".")[0] == "takmail")


def violations(module: str, source: str, *, is_package: bool = False) -> list[str]:
    """What a module imports against the rule; a module or an import without a room is against it too."""
    allowed = MAY_IMPORT.get(room(module), set())
    return [name for name in imported(module, source, is_package=is_package) if room(name) not in allowed]


def modules() -> dict[str, Path]:
    """Every module of the package by its full name."""
    return {
        ".".join(("takmail", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def test_every_module_has_a_room():
    # The package itself is in none: it may import nothing.
    assert [name for name in modules() if not room(name)] == ["takmail"]


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_room_may(module):
    path = modules()[module]
    assert violations(module, path.read_text(), is_package=path.name == "__init__.py") == []


def test_the_checker_sees_the_imports_that_there_are():
    names = set(imported("takmail.app", modules()["takmail.app"].read_text()))
    assert {
        "takmail.settings.Settings",
        "takmail.inbound.Inbound",
        "takmail.mail.servers.smtp.Sender",
    } <= names


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("takmail.games.tak.rules", "from takmail.service import act"),
        ("takmail.games.game", "import takmail.store.tables"),
        ("takmail.games.registry", "from takmail import config"),
        ("takmail.store.games", "from takmail.games.game import Seat"),
        ("takmail.store.intake", "from takmail.mail.envelope import Envelope"),
        ("takmail.mail.reader", "from takmail.store import intake"),
        ("takmail.mail.reader", "from takmail.games.tak.board import Board"),
        ("takmail.render.templates", "from takmail.games.game import Seat"),
        ("takmail.render.picture", "from takmail.games.tak.picture.scene import scene_of"),
        ("takmail.games.picture", "from takmail.games.game import Seat"),
        ("takmail.store.games", "from takmail.games.picture import Scene"),
        ("takmail.service.act", "from takmail.games.tak import rules"),
        ("takmail.service.act", "from takmail.games import tak"),
        ("takmail.service.act", "def late():\n    from takmail.app import App"),
        ("takmail.service.act", "if True:\n    import takmail.cli as shell"),
        ("takmail.service.act", "from ..games.tak import rules"),
        ("takmail.service.act", "from takmail import inbound"),
        ("takmail.inbound", "from takmail.app import App"),
        ("takmail.app", "from takmail.cli import main"),
        ("takmail.config", "from takmail.service.trust.keys import load_keys"),
        ("takmail.__main__", "from takmail.app import App"),
        ("takmail.brandnew", "from takmail.games.game import Seat"),
        ("takmail.service.act", "from takmail.brandnew import thing"),
    ],
)
def test_the_checker_finds_what_is_against_the_rule(module, source):
    assert len(violations(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("takmail.service.act", "from takmail.games.registry import GAMES\nimport json"),
        ("takmail.games.registry", "from takmail.games.tak.game import TakGame"),
        ("takmail.render.picture", "from takmail.games.picture import Scene"),
        ("takmail.games.registry", "from .tak import game"),
        ("takmail.cli", "from takmail import __version__, config"),
    ],
)
def test_the_checker_lets_pass_what_keeps_the_rule(module, source):
    assert violations(module, source) == []
