"""Select the events of a game that the opponent is notified of."""

from collections.abc import Iterable

from takmail.world import events as ev
from takmail.world.ids import GameNumber

_REPORTED = (
    ev.GameBegun,
    ev.SeekJoined,
    ev.InvitationDeclined,
    ev.TurnPlayed,
    ev.TurnTakenBackByRight,
    ev.Resigned,
    ev.OfferMade,
    ev.OfferRefused,
    ev.OfferWithdrawn,
    ev.OfferAgreed,
    ev.DisputeOpened,
    ev.ChatSent,
    ev.TextRepeated,
    ev.BoardAsked,
    ev.BoardForwarded,
)
"""The events that a letter to the opponent reports."""


def events_for_opponent(events: Iterable[ev.Event], game: GameNumber) -> tuple[ev.GameEvent, ...]:
    """Return the events of a game that a letter to the opponent reports, in order.

    What the same mail took back is left out. So are events that have letters of their own.
    """
    reported: list[ev.GameEvent] = []
    of_game = (event for event in events if isinstance(event, ev.GameEvent) and event.game == game)
    for event in of_game:
        match event:
            case ev.OfferClosed(offer=offer):
                reported = [
                    earlier
                    for earlier in reported
                    if not (isinstance(earlier, ev.OfferMade) and earlier.version == offer)
                ]
            case ev.LastTurnTakenBack(turn=turn):
                reported = [
                    earlier
                    for earlier in reported
                    if not (isinstance(earlier, ev.TurnPlayed) and earlier.turn == turn)
                ]
            case ev.InvitationDeclined(has_own_letter=True):
                pass
            case _ if event.notifies_opponent and isinstance(event, _REPORTED):
                reported.append(event)
    return tuple(reported)
