"""Select the news of a game that the opponent is told."""

from collections.abc import Iterable

from takmail.world import Table, news


def events_for_opponent(events: Iterable[news.News], table: Table) -> tuple[news.GameNews, ...]:
    """Return the news of a game that a letter to the opponent reports, in order. `table` is the game after them.

    What the same mail took back is left out. So are news that have letters of their own.
    """
    return tuple(
        event
        for event in events
        if isinstance(event, news.GameNews)
        and event.game == table.number
        and event.is_for_opponent
        and not event.readers
        and event.stands(table)
    )
