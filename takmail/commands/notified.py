"""Select the events of a game that the opponent is notified of."""

from collections.abc import Iterable

from takmail.commands import events as ev
from takmail.commands.records import GameNumber, PlayerId

_REPORTED = (
    ev.GameBegun,
    ev.SeekJoined,
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


def events_for_opponent(
    events: Iterable[ev.Event], game: GameNumber, opponent: PlayerId
) -> tuple[ev.GameEvent, ...]:
    """Return the events of a game that a letter to the opponent reports, in order.

    What the same mail took back is left out. So are invitations that `stop` or `block` declined, which have their own
    letters.
    """
    reported: list[ev.GameEvent] = []
    has_turned_away = False
    for event in events:
        match event:
            case ev.MailStopped():
                has_turned_away = True
            case ev.PlayerBlocked(other=other):
                has_turned_away = has_turned_away or other == opponent
            case ev.OfferClosed(game=number, offer=offer) if number == game:
                reported = [
                    earlier
                    for earlier in reported
                    if not (isinstance(earlier, ev.OfferMade) and earlier.version == offer)
                ]
            case ev.LastTurnTakenBack(game=number, turn=turn) if number == game:
                reported = [
                    earlier
                    for earlier in reported
                    if not (isinstance(earlier, ev.TurnPlayed) and earlier.turn == turn)
                ]
            case ev.InvitationDeclined(game=number, notifies_opponent=True) if (
                number == game and not has_turned_away
            ):
                reported.append(event)
            case ev.GameEvent(game=number, notifies_opponent=True) if number == game and isinstance(
                event, _REPORTED
            ):
                reported.append(event)
    return tuple(reported)
