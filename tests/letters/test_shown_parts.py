"""Which parts of its game a letter shows: what happened decides it, and not the name of a template."""

from dataclasses import replace

import pytest

from takmail.commands.answers import GAME_OVER, Reported, Said, Shows, refused, told
from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.letters.contents import ShownParts, parts_of_answer, parts_of_news
from takmail.letters.reader import Lobby, Reader
from takmail.world import events
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, Standing
from tests.commands.build import SERVICES, game

GAME = GameNumber(1)
RESYNCED = told("resync", Shows.BOARD)
RECORD = told("record", Shows.RECORD)
REPEATED = told("already_played", turn=1, text="ps a1")
CHAT = events.ChatSent(game=GAME, seat=Seat.FIRST)
PAST = replace(game("ps a1"), record=replace(game().record, standing=Standing.OVER))


def reader(table: Game = PAST, *, has_ended: bool = False) -> Reader:
    return Reader(look(table, Seat.FIRST), "tak", Lobby(SERVICES.games), has_ended=has_ended)


def answer(one: events.Event | Said, table: Game = PAST, *, has_ended: bool = False) -> ShownParts:
    return parts_of_answer((Reported("", one),), reader(table, has_ended=has_ended))


@pytest.mark.parametrize(
    ("one", "is_shown"),
    [
        (RESYNCED, True),
        (RECORD, True),
        (GAME_OVER, True),
        (refused("rematch_too_soon"), False),
        (told("resync"), False),
        (REPEATED, False),
        (told("view"), False),
    ],
)
def test_who_asks_to_see_a_finished_game_is_shown_it_again(one: events.Event | Said, is_shown: bool) -> None:
    assert answer(one).game is is_shown


@pytest.mark.parametrize(("table", "has_ended"), [(game("ps a1"), False), (PAST, True)])
def test_a_game_that_runs_or_ends_now_is_always_shown(table: Game, has_ended: bool) -> None:
    assert answer(REPEATED, table, has_ended=has_ended).game is True


def test_the_answer_says_what_was_asked_for() -> None:
    assert answer(RESYNCED, game()) == ShownParts(
        game=True, next=True, step=True, disputes=True, is_asked=True
    )
    assert answer(RECORD, game()) == ShownParts(game=True, next=True, has_shown_record=True)


def test_chat_after_the_end_does_not_show_the_end_again() -> None:
    chat = (CHAT,)
    asked = (events.BoardAsked(game=GAME, seat=Seat.FIRST),)
    assert parts_of_news(chat, reader()).game is False
    assert parts_of_news(asked, reader()).game is True
    assert parts_of_news(chat, reader(has_ended=True)).game is True
