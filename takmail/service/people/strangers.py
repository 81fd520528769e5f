"""What a letter may show of a mail to somebody who may never have written: it is no way to send advertisements."""

import re

from takmail.mail.address import without_addresses
from takmail.service.case import Case
from takmail.service.reading.understand import Ordered, Understood
from takmail.store import players
from takmail.store.tables import Player

MOST_SHOWN = 10
"""Commands of one mail."""
MOST_LINE = 100
"""Characters of one of them."""
_LINK = re.compile(r"://|\bwww\b|\w[.。][^\W\d_]{2}", re.IGNORECASE)
"""What a mail program would make a link of."""


def is_stranger(case: Case, player: Player | None) -> bool:
    """Whether somebody has never surely written here."""
    return player is None or not players.has_written(case.session, players.number(player))


def showable(understood: Understood, *, links: bool = False) -> tuple[Ordered, ...]:
    """The first commands that are short and, but for `links`, lead nowhere; no others are carried out either."""
    short = (one for one in understood.orders if len(one.line) <= MOST_LINE)
    return tuple(one for one in short if links or not _leads_away(one.line))[:MOST_SHOWN]


def lines(orders: tuple[Ordered, ...]) -> str:
    """The commands as they were written, to be read again."""
    return "\n".join(one.line for one in orders)


def _leads_away(line: str) -> bool:
    return _LINK.search(without_addresses(line)) is not None
