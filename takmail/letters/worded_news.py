"""Collect the news for the opponent, order them, and decide which parts of its game a letter shows beside them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from takmail.commands.answers import Said, Shows
from takmail.commands.result import Reported
from takmail.games.interface import Seat
from takmail.letters.wording import Wording, news_wording
from takmail.world import Standing, Table, news


@dataclass(frozen=True, slots=True)
class News:
    """An event of a game, and its wording for the reader."""

    event: news.GameNews
    wording: Wording


def news_for(reader: Seat, events: Iterable[news.GameNews]) -> tuple[News, ...]:
    """Return these news as the player in a seat reads them, in the same order."""
    worded = ((one, news_wording(one, reader)) for one in events)
    return tuple(News(one, words) for one, words in worded if words is not None)


def is_chat(told: Sequence[News]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(one.event.is_words for one in told)


def in_order(told: Sequence[News]) -> tuple[News, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [one for one in told if not one.event.is_words] or told[:1]
    return tuple(sorted(shown, key=lambda one: one.event.place))


def tells_of_a_turn_alone(told: Sequence[News]) -> bool:
    """Return whether these news report one turn and nothing else."""
    return [one.event.place for one in told] == [0]


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
    shows_game = not _is_past(game, has_ended=has_ended) or not is_chat(found)
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
