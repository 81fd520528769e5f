"""Decide which parts of its game a letter shows, from the events that it reports."""

from collections.abc import Collection, Sequence
from typing import Any

from takmail.commands.answers import Said, Shows
from takmail.commands.result import Reported
from takmail.letters import worded_news
from takmail.letters.worded_news import News
from takmail.world import Standing, Table, news


def parts_of_answer(
    reports: Sequence[Reported], game: Table | None = None, *, has_ended: bool = False
) -> dict[str, Any]:
    """Return the facts by which the templates of an answer choose its parts.

    `game` is the game that the letter is about, and `has_ended` tells that its end is reported only now.

    * `shows_game`: the letter shows how the game stands
    * `shows_next`: it tells what the reader can do now
    * `shows_step`: it tells by what the reader can compare boards
    * `is_asked`: the mail asks for the board, even if the game has not begun
    * `has_shown_record`: the report of a command shows the record
    * `move_lists`: how many commands list moves
    """
    shown = [shows(one.answer) for one in reports]
    shows_game = not _is_past(game, has_ended=has_ended) or bool({*shown} - {Shows.NOTHING, Shows.AGAIN})
    invites = any(isinstance(one.answer, news.GameProposed) for one in reports)
    return {
        **_parts(shown),
        "shows_game": shows_game,
        "shows_next": shows_game or not invites,
        "shows_step": Shows.BOARD in shown or Shows.COMPARISON in shown,
        "is_asked": Shows.BOARD in shown,
        "has_shown_record": Shows.RECORD in shown,
        "move_lists": shown.count(Shows.MOVES),
    }


def parts_of_news(found: Sequence[News], game: Table, *, has_ended: bool) -> dict[str, Any]:
    """Return the facts by which the templates of news choose their parts, as in `parts_of_answer`.

    Chat after the end does not show the end again.
    """
    shows_game = not _is_past(game, has_ended=has_ended) or not worded_news.is_chat(found)
    return {**_parts([_of_event(one.event) for one in found]), "shows_game": shows_game}


def _is_past(game: Table | None, *, has_ended: bool) -> bool:
    """Return whether the game is over or declined, and this letter does not report its end."""
    return game is not None and game.record.standing in (Standing.OVER, Standing.DECLINED) and not has_ended


def _parts(shown: Collection[Shows]) -> dict[str, Any]:
    """Return the facts that answers and news share.

    * `names_board`: a line above the board says that it is the current one
    """
    return {"names_board": Shows.OTHER_BOARD in shown or Shows.COMPARISON in shown}


def shows(answer: news.News | Said) -> Shows:
    """Return what an answer shows of a game."""
    return answer.shows if isinstance(answer, Said) else _of_event(answer)


def _of_event(event: news.News) -> Shows:
    """Return what the wording of an event shows of a game."""
    return Shows.OTHER_BOARD if isinstance(event, news.DisputeOpened) and event.verdict else Shows.NOTHING
