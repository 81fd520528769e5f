"""Collect the news for the opponent from the events of a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.letters.wording import Wording, news_wording
from takmail.world import events as ev


@dataclass(frozen=True, slots=True)
class News:
    """An event of a game, and its wording for the reader."""

    event: ev.GameEvent
    wording: Wording


_BEGIN = (ev.TurnPlayed, ev.TurnForwarded, ev.BoardForwarded)
"""The events with which a letter begins, in this order. By convention, a move or a board is at the top of the mail."""


def news_for(reader: Seat, events: Iterable[ev.GameEvent]) -> tuple[News, ...]:
    """Return the news of these events for the player in a seat, in the order of the events."""
    worded = ((one, news_wording(one, reader)) for one in events)
    return tuple(News(one, words) for one, words in worded if words is not None)


def is_chat(news: Sequence[News]) -> bool:
    """Return whether the news are only chat."""
    return bool(news) and all(isinstance(one.event, ev.ChatSent) for one in news)


def in_order(news: Sequence[News]) -> tuple[News, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [one for one in news if not isinstance(one.event, ev.ChatSent)] or news[:1]
    return tuple(sorted(shown, key=_rank))


def tells_of_a_turn_alone(news: Sequence[News]) -> bool:
    """Return whether these news report one turn and nothing else."""
    return [type(one.event) for one in news] == [ev.TurnPlayed]


def is_apart(event: ev.GameEvent) -> bool:
    """Return whether an event is reported in a separate letter."""
    match event:
        case (
            ev.OpponentStoppedMail()
            | ev.OpponentLeft()
            | ev.OpponentUnreachable()
            | ev.GameAdjourned()
            | ev.GameResumed()
            | ev.GameRuled()
        ):
            return True
        case ev.SeekJoined(is_in_answer=is_here):
            return not is_here
        case ev.InvitationDeclined(has_own_letter=has_own_letter):
            return has_own_letter
        case _:
            return False


def readers(event: ev.GameEvent) -> tuple[Seat, ...]:
    """Return the seats that get separate letters about an event, in the order of sending."""
    match event:
        case ev.SeekJoined():
            return (Seat.SECOND, Seat.FIRST)
        case ev.GameAdjourned(seat=None) | ev.GameResumed() | ev.GameRuled():
            return tuple(Seat)
        case (
            ev.GameAdjourned(seat=Seat() as seat)
            | ev.InvitationDeclined(seat=seat)
            | ev.OpponentStoppedMail(seat=seat)
            | ev.OpponentLeft(seat=seat)
            | ev.OpponentUnreachable(seat=seat)
        ):
            return (seat.other,)
        case _:
            return ()


def _rank(news: News) -> int:
    kind = type(news.event)
    return _BEGIN.index(kind) if kind in _BEGIN else len(_BEGIN)
