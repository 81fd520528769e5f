"""Select the events of a game that the opponent is notified of."""

from collections.abc import Iterable

from takmail.world import events as ev
from takmail.world.table import Table

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


def events_for_opponent(events: Iterable[ev.Event], table: Table) -> tuple[ev.GameEvent, ...]:
    """Return the news of a game that a letter to the opponent reports, in order. `table` is the game after them.

    What the same mail took back is left out. So are news that have letters of their own.
    """
    return tuple(
        event
        for event in events
        if isinstance(event, _REPORTED)
        and event.game == table.number
        and event.notifies_opponent
        and not _is_undone(event, table)
    )


def _is_undone(event: ev.GameEvent, table: Table) -> bool:
    """Return whether the same mail has taken this back, or it has a letter of its own."""
    match event:
        case ev.OfferMade():
            return event.version + 1 not in (offer.version for offer in table.offers)
        case ev.TurnPlayed():
            return event.version + 1 not in (turn.version for turn in table.turns)
        case ev.InvitationDeclined():
            return event.has_own_letter
        case _:
            return False
