"""The pictures of a letter are stored by name, and an animation with the whole game."""

import pytest

from takmail.games.interface import Result, Seat
from takmail.games.registry import GAMES
from takmail.letters.drawings import Animation, Drawings, animation_of, drawings_of
from takmail.limits.letters import MAX_ANIMATED_TURNS
from tests.commands.build import game

TURNS = ("ps a1", "ps c3", "ps b2")
ROAD = ("ps a1", "ps c3", "ps c1", "ps b3", "ps c2")


@pytest.mark.parametrize(
    "drawings",
    [
        Drawings("tak", ("5-p---", "side-white")),
        Drawings("tak", (), Animation("takmail-1.gif", "3", TURNS, 0)),
        Drawings(
            "tak",
            ("5-p---",),
            Animation("takmail-1.gif", "3", TURNS, 1, Result(Seat.SECOND, "0-1", "resigned")),
        ),
        Drawings("tak", (), Animation("takmail-1.gif", "3", TURNS, 1, Result(None, "1/2-1/2", "agreed"))),
    ],
)
def test_drawings_are_stored_as_text(drawings: Drawings) -> None:
    assert drawings_of(drawings.as_text()) == drawings
    assert drawings.as_text().isascii()


def test_a_letter_without_pictures_stores_nothing() -> None:
    assert Drawings("tak").as_text() == ""
    assert drawings_of("") is None


@pytest.mark.parametrize("turns", [(), ("ps a1",)])
def test_a_short_game_has_no_animation(turns: tuple[str, ...]) -> None:
    assert animation_of(game(*turns), "takmail-1.gif") is None


def test_a_relay_game_has_no_animation() -> None:
    assert animation_of(game(*TURNS, is_relay=True), "takmail-1.gif") is None


def test_an_animation_has_the_whole_game() -> None:
    table = game(*TURNS, setup="3")
    assert animation_of(table, "takmail-1.gif") == Animation(
        "takmail-1.gif", table.record.setup, TURNS, 0, table.result
    )


def test_a_game_that_the_rules_ended_needs_no_other_ending() -> None:
    table = game(*ROAD, setup="3")
    found = animation_of(table, "takmail-1.gif")
    assert found is not None
    assert table.state.result is not None
    assert found.ending is None
    assert GAMES.rules("tak").start(found.setup)


def test_of_a_long_game_the_last_turns_are_animated() -> None:
    to_and_fro = ("mn a8 p1 1", "mn h8 p1 1", "ms a7 p1 1", "ms h7 p1 1") * 30
    found = animation_of(game("ps h8", "ps a8", *to_and_fro, setup="8"), "takmail-1.gif")
    assert found is not None
    assert len(found.turns) == 122
    assert len(found.turns) - found.first == MAX_ANIMATED_TURNS
