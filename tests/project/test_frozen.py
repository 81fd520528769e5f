"""What is handed along between loading and storing is frozen, and has no room for more than its fields."""

import inspect
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.tables import each_row

PACKAGE = Path(__file__).parents[2] / "takmail"
ROOMS = ("commands", "letters", "mail", "pipeline")
AT_WORK = ("_Element", "_ParsedMail")
"""What is handed to nobody: an element of HTML while a page is read, and a mail while it is parsed."""


def modules(room: str) -> list[str]:
    """The full names of all modules of a room."""
    names = (
        ".".join(("takmail", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in sorted((PACKAGE / room).rglob("*.py"))
    )
    return [name.removesuffix(".__init__") for name in names]


def dataclasses_of(module: str) -> list[type]:
    """The dataclasses that a module defines itself, those within other classes aside."""
    return [
        one
        for name, one in inspect.getmembers(import_module(module), inspect.isclass)
        if one.__module__ == module and is_dataclass(one) and name not in AT_WORK
    ]


def faults(one: type) -> list[str]:
    """What is wrong with a dataclass; a comment above it, or on its first line, may say why it has no slots."""
    found = [] if one.__dataclass_params__.frozen else ["not frozen"]
    if one.__dictoffset__ == 0:
        return found
    said = (inspect.getcomments(one) or "") + inspect.getsource(one).splitlines()[0].partition("#")[2]
    return found if "slots" in said else [*found, "no slots"]


@each_row("module", [name for room in ROOMS for name in modules(room)])
def test_every_dataclass_is_frozen_and_has_slots(module: str) -> None:
    assert {one.__name__: faults(one) for one in dataclasses_of(module) if faults(one)} == {}


@each_row("module", modules("games"))
def test_every_dataclass_of_a_game_is_frozen(module: str) -> None:
    """A state of a game may work something out once and keep it, so it need not have slots."""
    assert [one.__name__ for one in dataclasses_of(module) if "not frozen" in faults(one)] == []


@pytest.mark.parametrize("room", [*ROOMS, "games"])
def test_every_room_has_dataclasses(room: str) -> None:
    assert any(dataclasses_of(name) for name in modules(room))


@dataclass(frozen=True, slots=True)
class Sound:
    x: int


@dataclass
class Loose:
    x: int


@dataclass(slots=True)
class Mutable:
    x: int


@dataclass(frozen=True)
class Roomy:
    x: int


class Heir(Sound):
    y: int


@dataclass(frozen=True)  # no slots, to test that a reason is accepted
class Excused:
    x: int


@pytest.mark.parametrize(
    ("one", "wrong"),
    [
        (Sound, []),
        (Loose, ["not frozen", "no slots"]),
        (Mutable, ["not frozen"]),
        (Roomy, ["no slots"]),
        (Heir, ["no slots"]),
        (Excused, []),
    ],
)
def test_what_is_not_frozen_or_has_no_slots_is_found(one: type, wrong: list[str]) -> None:
    assert faults(one) == wrong
