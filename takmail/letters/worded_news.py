"""Collect the news for the opponent, and order them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.letters.wording import Wording, news_wording
from takmail.world import news


@dataclass(frozen=True, slots=True)
class News:
    """An event of a game, and its wording for the reader."""

    event: news.GameNews
    wording: Wording


_BEGIN = (news.TurnPlayed, news.TurnForwarded, news.BoardForwarded)
"""The events with which a letter begins, in this order. By convention, a move or a board is at the top of the mail."""


def news_for(reader: Seat, events: Iterable[news.GameNews]) -> tuple[News, ...]:
    """Return these news as the player in a seat reads them, in the same order."""
    worded = ((one, news_wording(one, reader)) for one in events)
    return tuple(News(one, words) for one, words in worded if words is not None)


def is_chat(told: Sequence[News]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(isinstance(one.event, news.ChatSent) for one in told)


def in_order(told: Sequence[News]) -> tuple[News, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [one for one in told if not isinstance(one.event, news.ChatSent)] or told[:1]
    return tuple(sorted(shown, key=_rank))


def tells_of_a_turn_alone(told: Sequence[News]) -> bool:
    """Return whether these news report one turn and nothing else."""
    return [type(one.event) for one in told] == [news.TurnPlayed]


def is_apart(event: news.GameNews) -> bool:
    """Return whether an event is reported in a separate letter."""
    match event:
        case (
            news.OpponentStoppedMail()
            | news.OpponentLeft()
            | news.OpponentUnreachable()
            | news.GameAdjourned()
            | news.GameResumed()
            | news.GameRuled()
        ):
            return True
        case news.SeekJoined(is_in_answer=is_here):
            return not is_here
        case news.InvitationDeclined(has_own_letter=has_own_letter):
            return has_own_letter
        case _:
            return False


def readers(event: news.GameNews) -> tuple[Seat, ...]:
    """Return the seats that get separate letters about an event, in the order of sending."""
    match event:
        case news.SeekJoined():
            return (Seat.SECOND, Seat.FIRST)
        case news.GameAdjourned(seat=None) | news.GameResumed() | news.GameRuled():
            return tuple(Seat)
        case (
            news.GameAdjourned(seat=Seat() as seat)
            | news.InvitationDeclined(seat=seat)
            | news.OpponentStoppedMail(seat=seat)
            | news.OpponentLeft(seat=seat)
            | news.OpponentUnreachable(seat=seat)
        ):
            return (seat.other,)
        case _:
            return ()


def _rank(told: News) -> int:
    kind = type(told.event)
    return _BEGIN.index(kind) if kind in _BEGIN else len(_BEGIN)
