"""Chat that is an attempt at a turn."""

import pytest

from takmail.commands.attempts import playable, tried
from takmail.commands.game.table import Table
from takmail.commands.kinds import Standing
from takmail.commands.records import Player
from takmail.games.interface import Attempt, Interpretation
from tests.commands.build import AS_ADA, AS_BEN, context, game
from tests.commands.offering import TWO

FOUR = (*TWO, "ps c3", "ps c4")


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("ps d4", "ps c3"), ("ps d4",)),  # c3 is taken
        (("hello", "ps d4"), ("ps d4",)),
        (("ps c3",), ("ps c3",)),  # if none is legal, unchanged
    ],
)
def test_only_what_can_be_played_is_offered(lines: tuple[str, ...], left: tuple[str, ...]) -> None:
    found = playable(Attempt((Interpretation("flat", lines),)), game(*FOUR).state)
    assert found.meant == (Interpretation("flat", left),)


def test_a_way_to_read_words_that_can_not_be_played_is_left_out() -> None:
    ways = Attempt((Interpretation("flat", ("ps c3",)), Interpretation("wall", ("pz d4",))))
    assert playable(ways, game(*FOUR).state).meant == (Interpretation("wall", ("pz d4",)),)


@pytest.mark.parametrize(
    ("table", "by", "is_to_move"),
    [
        (game(*TWO), AS_ADA, True),
        (game(*TWO), AS_BEN, False),
        (game(*TWO, standing=Standing.ADJOURNED), AS_ADA, False),
        (game(standing=Standing.INVITED), AS_ADA, False),
        # There it is unknown whose turn it is.
        (game(*TWO, is_relay=True), AS_BEN, True),
    ],
)
def test_who_can_play_is_offered_what_to_send(table: Table, by: Player, *, is_to_move: bool) -> None:
    refusal = tried(context(table, by), "c3")
    assert refusal is not None
    assert refusal.facts["is_to_move"] == is_to_move
    assert (refusal.facts["is_alone"], refusal.facts["said"], refusal.facts["is_all"]) == (True, "c3", True)


@pytest.mark.parametrize(
    ("words", "is_try", "is_alone"),
    [
        ("c3", True, True),
        ("Hi Ben, c3", True, True),
        ("с3", True, True),  # a Cyrillic letter
        ("have a nice day\nc3", True, False),
        ("c3?", False, False),
        ("c3 " * 200, False, False),
        ("have a nice day", False, False),
        ("", False, False),
    ],
)
def test_what_is_a_try(words: str, *, is_try: bool, is_alone: bool) -> None:
    refusal = tried(context(game(*TWO)), words)
    assert (refusal is not None) == is_try
    if refusal is not None:
        assert refusal.facts["is_alone"] == is_alone


def test_long_words_are_not_repeated() -> None:
    refusal = tried(context(game(*TWO)), "have a nice day, and a nice evening, and a nice night, too\nc3")
    assert refusal is not None
    assert refusal.facts["said"] == ""


@pytest.mark.parametrize("standing", [Standing.OVER, Standing.DECLINED])
def test_nobody_means_to_play_once_the_game_is_over(standing: Standing) -> None:
    assert tried(context(game(standing=standing)), "c3") is None


def test_without_a_game_nothing_is_a_try() -> None:
    assert tried(context(), "c3") is None
