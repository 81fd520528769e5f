"""Make the news for the opponent from the events of a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from takmail.commands import events as ev
from takmail.games.interface import Seat
from takmail.letters.wording import Wording, told_opponent


@dataclass(frozen=True, slots=True)
class News:
    """An event of a game, and what its reader is told of it."""

    event: ev.GameEvent
    told: Wording


_BEGIN = (ev.TurnPlayed, ev.TurnPassedOn, ev.BoardPassedOn)
"""News that begin a letter, and in this order: by the book a move is its first line, a board its first lines."""


def news_for(reader: Seat, events: Iterable[ev.GameEvent]) -> tuple[News, ...]:
    """Return the news of these events for the player in a seat, in order."""
    told = ((one, told_opponent(one, reader)) for one in events)
    return tuple(News(one, words) for one, words in told if words is not None)


def is_chat(news: Sequence[News]) -> bool:
    """Whether there is nothing to tell but words."""
    return bool(news) and all(isinstance(one.event, ev.WordsSent) for one in news)


def in_order(news: Sequence[News]) -> tuple[News, ...]:
    """The news as a letter tells them: that there are words is news only where nothing else is."""
    told = [one for one in news if not isinstance(one.event, ev.WordsSent)] or news[:1]
    return tuple(sorted(told, key=_rank))


def tells_of_a_turn_alone(news: Sequence[News]) -> bool:
    """Whether a letter with these news tells of one turn and nothing else, but words."""
    return [type(one.event) for one in news] == [ev.TurnPlayed]


def is_apart(event: ev.GameEvent, own: Iterable[ev.GameEvent]) -> bool:
    """Whether an event has a letter of its own, be its game the mail's or not; `own` are those of the mail's letter."""
    match event:
        case (
            ev.OpponentFellSilent()
            | ev.OpponentLeft()
            | ev.OpponentUnreachable()
            | ev.GameAdjourned()
            | ev.GameResumed()
            | ev.GameRuled()
        ):
            return True
        case ev.SeekJoined(is_here=is_here):
            return not is_here
        case ev.InvitationDeclined():
            # `decline` itself is news of the game; `stop` and `block` decline in many games at once.
            return event not in own
        case _:
            return False


def readers(event: ev.GameEvent) -> tuple[Seat, ...]:
    """The seats that hear of an event in letters of their own, in that order."""
    match event:
        case ev.SeekJoined():
            return (Seat.SECOND, Seat.FIRST)
        case ev.GameAdjourned(seat=None) | ev.GameResumed() | ev.GameRuled():
            return tuple(Seat)
        case (
            ev.GameAdjourned(seat=Seat() as seat)
            | ev.InvitationDeclined(seat=seat)
            | ev.OpponentFellSilent(seat=seat)
            | ev.OpponentLeft(seat=seat)
            | ev.OpponentUnreachable(seat=seat)
        ):
            return (seat.other,)
        case _:
            return ()


def _rank(news: News) -> int:
    kind = type(news.event)
    return _BEGIN.index(kind) if kind in _BEGIN else len(_BEGIN)
