"""Which events of a mail the opponent is notified of."""

from dataclasses import replace

import pytest

from takmail.commands.dispute import dispute
from takmail.commands.grammar.dispute_forms import Dispute
from takmail.commands.notified import events_for_opponent
from takmail.games.interface import Seat
from takmail.world import events as ev
from takmail.world.events import Event
from takmail.world.ids import GameNumber
from takmail.world.kinds import OfferEnd, OfferKind
from takmail.world.offered_change import OfferedChange
from takmail.world.table import Played
from tests.commands.build import AS_ADA, AS_BEN, context, game
from tests.commands.offering import GAME, THREE, given, offered

TURN = Played(3, Seat.FIRST, "Ada", "ps c3")
WISH = OfferedChange(OfferKind.DRAW, 3, None)
PLAYED = ev.TurnPlayed(game=GAME, turn=TURN, written="ps c3")
DRAW = ev.OfferMade(
    game=GAME, version=20, offer=offered(OfferKind.DRAW, Seat.FIRST, 0), notifies_opponent=True
)
DECLINED = ev.InvitationDeclined(game=GAME, seat=Seat.FIRST)
TAKEN = ev.LastTurnTakenBack(game=GAME, turn=TURN)
CLOSED = ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.WITHDRAWN)
WITHDRAWN = ev.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=None)
(DISPUTED,) = (
    one for one in given(dispute(context(game(*THREE)), Dispute("no"))) if isinstance(one, ev.DisputeOpened)
)


@pytest.mark.parametrize(
    ("events", "heard"),
    [
        ([], []),
        ([PLAYED], [PLAYED]),
        ([PLAYED, DRAW], [PLAYED, DRAW]),
        # Events that the same mail took back.
        ([PLAYED, TAKEN], []),
        ([PLAYED, TAKEN, PLAYED], [PLAYED]),
        ([DRAW, CLOSED], []),
        ([replace(DRAW, version=19), CLOSED], [replace(DRAW, version=19)]),
        # A player who accepts no chat.
        ([replace(DRAW, notifies_opponent=False)], []),
        ([DISPUTED], [DISPUTED]),
        ([replace(DISPUTED, notifies_opponent=False)], []),
        (
            [
                ev.OfferWithdrawn(
                    game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=None, notifies_opponent=False
                )
            ],
            [],
        ),
        # Invitations that `stop` or `block` declines have separate letters.
        ([DECLINED], [DECLINED]),
        ([replace(DECLINED, notifies_opponent=False)], []),
        ([replace(DECLINED, has_own_letter=True)], []),
        ([ev.OpponentStoppedMail(game=GAME, seat=Seat.FIRST)], []),
        # Another game.
        ([replace(PLAYED, game=GameNumber(9))], []),
        ([PLAYED, replace(TAKEN, game=GameNumber(9))], [PLAYED]),
        ([DRAW, replace(CLOSED, game=GameNumber(9))], [DRAW]),
        # Events that need no notification.
        ([ev.ChatQueued(game=GAME, seat=Seat.FIRST, words="hi")], []),
        ([ev.BoardStored(game=GAME, seat=Seat.FIRST, board="", turn=1)], []),
        ([ev.BoardAnswered(game=GAME, seat=Seat.FIRST)], []),
        ([ev.GameEnded(game=GAME)], []),
    ],
)
def test_what_is_told(events: list[Event], heard: list[Event]) -> None:
    assert list(events_for_opponent(events, GAME)) == heard


@pytest.mark.parametrize(
    "event",
    [
        ev.Resigned(game=GAME, seat=Seat.FIRST),
        ev.OfferRefused(game=GAME, seat=Seat.FIRST, wish=WISH),
        ev.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=WISH),
        ev.OfferAgreed(game=GAME, seat=Seat.FIRST, wish=WISH),
        ev.ChatSent(game=GAME, seat=Seat.FIRST),
        ev.BoardAsked(game=GAME, seat=Seat.FIRST),
        ev.BoardForwarded(game=GAME, seat=Seat.FIRST, rows=(), turn=1, comparison=None),
        ev.GameBegun(game=GAME, seat=Seat.FIRST, setup="5", seats=(AS_ADA.id, AS_BEN.id)),
        ev.TurnForwarded(game=GAME, turn=TURN, written=""),
    ],
)
def test_news(event: ev.GameEvent) -> None:
    assert events_for_opponent([event], GAME) == (event,)
