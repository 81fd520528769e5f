"""Which events of a mail the opponent is notified of."""

from dataclasses import replace

import pytest

from takmail.commands.context import events_for_opponent
from takmail.commands.dispute import dispute
from takmail.commands.grammar.proposing import Dispute
from takmail.games.interface import Seat
from takmail.world import news
from takmail.world.consequences import OfferedChange
from takmail.world.kinds import GameNumber, PendingEnd, PendingKind
from takmail.world.news import News
from takmail.world.table import Played, Table
from tests.commands.build import context, first, game
from tests.commands.offering import GAME, THREE, TWO, offered

TURN = Played(3, Seat.FIRST, "Ada", "ps c3")
WISH = OfferedChange(PendingKind.DRAW, 3, None)
TABLE = game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)])
PLAYED = news.TurnPlayed(game=GAME, turn=TURN, version=TABLE.turns[-1].version - 1)
DRAW = news.OfferMade(
    game=GAME, offer=offered(PendingKind.DRAW, Seat.FIRST, 0), version=TABLE.offers[-1].version - 1
)
"""The news have the version before their changes."""
GONE, GONE_DRAW = replace(PLAYED, version=1), replace(DRAW, version=2)
"""The same, made and taken back before."""
DECLINED = news.InvitationDeclined(game=GAME, seat=Seat.FIRST)
TAKEN = news.LastTurnTakenBack(game=GAME, turn=TURN)
WITHDRAWN = news.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=None)
DISPUTED = first(dispute(context(game(*THREE)), Dispute("no")))
assert isinstance(DISPUTED, news.DisputeOpened)
UNDONE = replace(
    game(*TWO), pending=(offered(PendingKind.DRAW, Seat.FIRST, ended=PendingEnd.WITHDRAWN, gone=21),)
)
"""The game without the turn and the offer."""


@pytest.mark.parametrize(
    ("events", "table", "heard"),
    [
        ([], TABLE, []),
        ([PLAYED], TABLE, [PLAYED]),
        ([PLAYED, DRAW], TABLE, [PLAYED, DRAW]),
        # Events that the same mail took back.
        ([PLAYED, TAKEN], UNDONE, []),
        ([GONE, TAKEN, PLAYED], TABLE, [PLAYED]),
        ([DRAW], UNDONE, []),
        ([DRAW, WITHDRAWN], UNDONE, [WITHDRAWN]),
        ([GONE_DRAW, replace(WITHDRAWN, notifies_opponent=False), DRAW], TABLE, [DRAW]),
        ([DRAW], replace(TABLE, pending=(*UNDONE.pending, *TABLE.pending)), [DRAW]),
        # A player who accepts no chat.
        ([replace(DRAW, notifies_opponent=False)], TABLE, []),
        ([DISPUTED], TABLE, [DISPUTED]),
        ([replace(DISPUTED, notifies_opponent=False)], TABLE, []),
        ([replace(WITHDRAWN, notifies_opponent=False)], UNDONE, []),
        # Invitations that `stop` or `block` declines have separate letters.
        ([DECLINED], TABLE, [DECLINED]),
        ([replace(DECLINED, notifies_opponent=False)], TABLE, []),
        ([replace(DECLINED, has_own_letter=True)], TABLE, []),
        ([news.OpponentStoppedMail(game=GAME, seat=Seat.FIRST)], TABLE, []),
        # Another game.
        ([replace(PLAYED, game=GameNumber(9))], TABLE, []),
        ([PLAYED, replace(TAKEN, game=GameNumber(9))], TABLE, [PLAYED]),
        # Events that need no notification.
        ([news.ChatQueued(game=GAME, seat=Seat.FIRST, words="hi")], TABLE, []),
    ],
)
def test_what_is_told(events: list[News], table: Table, heard: list[News]) -> None:
    assert list(events_for_opponent(events, table)) == heard


@pytest.mark.parametrize(
    "event",
    [
        news.Resigned(game=GAME, seat=Seat.FIRST),
        news.OfferRefused(game=GAME, seat=Seat.FIRST, wish=WISH),
        news.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=WISH),
        news.OfferAgreed(game=GAME, seat=Seat.FIRST, wish=WISH),
        news.ChatSent(game=GAME, seat=Seat.FIRST),
        news.BoardAsked(game=GAME, seat=Seat.FIRST),
        news.BoardForwarded(game=GAME, seat=Seat.FIRST, rows=(), turn=1, comparison=None),
        news.GameBegun(game=GAME, seat=Seat.FIRST),
        news.BidMade(game=GAME, seat=Seat.FIRST),
        news.TurnForwarded(game=GAME, turn=TURN, version=PLAYED.version),
    ],
)
def test_news(event: news.GameNews) -> None:
    assert events_for_opponent([event], TABLE) == (event,)
