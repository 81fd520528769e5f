"""Which parts of its game a letter shows: what happened decides it, and not the name of a template."""

import re
from dataclasses import replace

import pytest

from takmail.commands.answers import GAME_OVER, Said, Shows, refused, told
from takmail.commands.result import Reported
from takmail.games.interface import Seat
from takmail.letters.templates import folder
from takmail.letters.worded_news import news_for, parts_of_answer, parts_of_news
from takmail.world import news
from takmail.world.ids import GameNumber
from takmail.world.kinds import Standing
from takmail.world.table import Played, Table
from tests.commands.build import game

GAME = GameNumber(1)
RESYNCED = told("resync", Shows.BOARD)
RECORD = told("record", Shows.RECORD)
REPEATED = news.TurnRepeated(turn=Played(1, Seat.FIRST, "Ada", "ps a1"))
CHAT = news.ChatSent(game=GAME, seat=Seat.FIRST)
PAST = replace(game("ps a1"), record=replace(game().record, standing=Standing.OVER))


def answer(
    one: news.News | Said, table: Table | None = PAST, *, has_ended: bool = False
) -> dict[str, object]:
    return parts_of_answer((Reported("", one),), table, has_ended=has_ended)


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
def test_who_asks_to_see_a_finished_game_is_shown_it_again(one: news.News | Said, is_shown: bool) -> None:
    assert answer(one)["shows_game"] is is_shown


@pytest.mark.parametrize(("table", "has_ended"), [(game("ps a1"), False), (PAST, True), (None, False)])
def test_a_game_that_runs_or_ends_now_is_always_shown(table: Table | None, has_ended: bool) -> None:
    assert answer(REPEATED, table, has_ended=has_ended)["shows_game"] is True


def test_the_answer_says_what_was_asked_for() -> None:
    assert {name for name, value in answer(RESYNCED, game()).items() if value} == {
        "shows_game",
        "shows_next",
        "shows_step",
        "is_asked",
    }
    assert {name for name, value in answer(RECORD, game()).items() if value} == {
        "shows_game",
        "shows_next",
        "has_shown_record",
    }


def test_chat_after_the_end_does_not_show_the_end_again() -> None:
    chat = news_for(Seat.SECOND, (CHAT,))
    asked = news_for(Seat.SECOND, (news.BoardAsked(game=GAME, seat=Seat.FIRST),))
    assert parts_of_news(chat, PAST, has_ended=False)["shows_game"] is False
    assert parts_of_news(asked, PAST, has_ended=False)["shows_game"] is True
    assert parts_of_news(chat, PAST, has_ended=True)["shows_game"] is True


def test_no_template_decides_by_the_name_of_another() -> None:
    """A name of a template is only used to include that template."""
    used = {
        statement
        for found in folder().rglob("*.txt")
        for statement in re.findall(r"{%.*?%}", found.read_text(), re.DOTALL)
        if re.search(r"\btemplate\b", statement) and not statement.startswith("{% include ")
    }
    assert used == set()
