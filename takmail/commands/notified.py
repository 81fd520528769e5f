"""Select the news of a game that the opponent is told."""

from collections.abc import Iterable

from takmail.world import Table, news

_REPORTED = (
    news.GameBegun,
    news.BidMade,
    news.SeekJoined,
    news.InvitationDeclined,
    news.TurnPlayed,
    news.TurnTakenBackByRight,
    news.Resigned,
    news.OfferMade,
    news.OfferRefused,
    news.OfferWithdrawn,
    news.OfferAgreed,
    news.DisputeOpened,
    news.ChatSent,
    news.TextRepeated,
    news.BoardAsked,
    news.BoardForwarded,
)
"""The events that a letter to the opponent reports."""


def events_for_opponent(events: Iterable[news.News], table: Table) -> tuple[news.GameNews, ...]:
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


def _is_undone(event: news.GameNews, table: Table) -> bool:
    """Return whether the same mail has taken this back, or it has a letter of its own."""
    match event:
        case news.OfferMade():
            return event.version + 1 not in (offer.version for offer in table.offers)
        case news.TurnPlayed():
            return event.version + 1 not in (turn.version for turn in table.turns)
        case news.InvitationDeclined():
            return event.has_own_letter
        case _:
            return False
