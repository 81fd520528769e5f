"""Which events of a game are news, and for whom."""

import pytest

from takmail.games.interface import Seat
from takmail.letters.news import news_for, readers
from takmail.world import events as ev
from takmail.world.ids import GameNumber
from takmail.world.kinds import OfferKind
from takmail.world.offered_change import OfferedChange
from takmail.world.records import Offer
from tests.commands.build import NOW

GAME = GameNumber(1)


@pytest.mark.parametrize(
    ("event", "seats"),
    [
        (ev.OpponentLeft(game=GAME, seat=Seat.SECOND), [Seat.FIRST]),
        (ev.GameResumed(game=GAME, why="All is well."), [*Seat]),
        (ev.ChatSent(game=GAME, seat=Seat.FIRST), []),
    ],
)
def test_some_events_have_letters_of_their_own(event: ev.GameEvent, seats: list[Seat]) -> None:
    assert [*readers(event)] == seats


OFFER = Offer(0, Seat.FIRST, OfferKind.DRAW, 0, NOW)
DRAW = OfferedChange(OfferKind.DRAW, 0, None)


@pytest.mark.parametrize(
    ("heard", "unheard"),
    [
        (
            ev.InvitationDeclined(game=GAME, seat=Seat.FIRST),
            ev.InvitationDeclined(game=GAME, seat=Seat.FIRST, notifies_opponent=False),
        ),
        (
            ev.OfferMade(game=GAME, offer=OFFER, notifies_opponent=True),
            ev.OfferMade(game=GAME, offer=OFFER, notifies_opponent=False),
        ),
        (
            ev.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=DRAW, known_to_opponent=DRAW),
            ev.OfferWithdrawn(
                game=GAME, seat=Seat.FIRST, wish=DRAW, known_to_opponent=None, notifies_opponent=False
            ),
        ),
    ],
)
def test_what_the_other_player_is_not_to_hear_of_is_no_news(
    heard: ev.GameEvent, unheard: ev.GameEvent
) -> None:
    assert [one.event for one in news_for(Seat.SECOND, (heard, unheard))] == [heard]
