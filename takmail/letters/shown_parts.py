"""Decide which parts of its game a letter shows, from the events that it reports."""

from collections.abc import Iterable, Sequence
from typing import Any

from takmail.commands import answers as an
from takmail.commands import events as ev
from takmail.commands.game.table import Table
from takmail.commands.kinds import Standing
from takmail.commands.result import Reported
from takmail.letters import news
from takmail.letters.news import News

_OTHER_BOARDS = (
    an.BoardShown,
    an.GivenUpBoardShown,
    an.TurnExplained,
    ev.BoardCompared,
    ev.DisputeOpened,
    ev.DisputeRepeated,
)
"""The events whose wording may contain another board or square than the current ones."""
_LOOKS = (
    *_OTHER_BOARDS,
    an.BoardResynced,
    an.LogShown,
    an.RecordShown,
    an.UnkeptBoardShown,
    an.SentLogShown,
    an.SentRecordShown,
)
"""The events after which a letter shows also a game that has ended before."""
_COMPARISONS = (an.BoardResynced, ev.BoardCompared)
"""The events with which a player compares their board with takmail's."""


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
    events = [one.answer[0] for one in reports if isinstance(one.answer, tuple)]
    is_refused = any(isinstance(one.answer, an.GameOver) for one in reports)
    shows_game = not _is_past(game, has_ended=has_ended) or is_refused or _has(events, *_LOOKS)
    return {
        **_parts(events),
        "shows_game": shows_game,
        "shows_next": shows_game or not _has(events, ev.GameProposed),
        "shows_step": _has(events, *_COMPARISONS),
        "is_asked": _has(events, an.BoardResynced),
        "has_shown_record": _has(events, an.RecordShown),
        "move_lists": sum(isinstance(one, an.MovesListed) for one in events),
    }


def parts_of_news(found: Sequence[News], game: Table, *, has_ended: bool) -> dict[str, Any]:
    """Return the facts by which the templates of news choose their parts, as in `parts_of_answer`.

    Chat after the end does not show the end again.
    """
    shows_game = not _is_past(game, has_ended=has_ended) or not news.is_chat(found)
    return {**_parts([one.event for one in found]), "shows_game": shows_game}


def _is_past(game: Table | None, *, has_ended: bool) -> bool:
    """Return whether the game is over or declined, and this letter does not report its end."""
    return game is not None and game.record.standing in (Standing.OVER, Standing.DECLINED) and not has_ended


def _parts(events: Sequence[ev.Event]) -> dict[str, Any]:
    """Return the facts that answers and news share.

    * `names_board`: a line above the board says that it is the current one
    """
    return {"names_board": _has(events, *_OTHER_BOARDS)}


def _has(events: Iterable[ev.Event], *kinds: type[ev.Event]) -> bool:
    return any(isinstance(one, kinds) for one in events)
