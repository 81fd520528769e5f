"""Which events of a game are news, and for whom."""

import pytest

from takmail.games.interface import Seat
from takmail.world import news
from takmail.world.consequences import OfferedChange
from takmail.world.kinds import GameNumber, PendingKind
from tests.commands.build import NOW
from tests.support.pending import an_offer

GAME = GameNumber(1)


@pytest.mark.parametrize(
    ("event", "seats"),
    [
        (news.OpponentLeft(game=GAME, seat=Seat.SECOND), [Seat.FIRST]),
        (news.GameResumed(game=GAME, why="All is well."), [*Seat]),
        (news.ChatSent(game=GAME, seat=Seat.FIRST), []),
    ],
)
def test_some_events_have_letters_of_their_own(event: news.GameNews, seats: list[Seat]) -> None:
    assert [*event.readers] == seats


OFFER = an_offer(0, Seat.FIRST, PendingKind.DRAW, 0, NOW)
DRAW = OfferedChange(PendingKind.DRAW, 0, None)


@pytest.mark.parametrize(
    ("heard", "unheard"),
    [
        (
            news.InvitationDeclined(game=GAME, seat=Seat.FIRST),
            news.InvitationDeclined(game=GAME, seat=Seat.FIRST, notifies_opponent=False),
        ),
        (
            news.OfferMade(game=GAME, offer=OFFER, notifies_opponent=True),
            news.OfferMade(game=GAME, offer=OFFER, notifies_opponent=False),
        ),
        (
            news.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=DRAW, known_to_opponent=DRAW),
            news.OfferWithdrawn(
                game=GAME, seat=Seat.FIRST, wish=DRAW, known_to_opponent=None, notifies_opponent=False
            ),
        ),
    ],
)
def test_what_the_other_player_is_not_to_hear_of_is_no_news(
    heard: news.GameNews, unheard: news.GameNews
) -> None:
    assert heard.is_for_opponent
    assert not unheard.is_for_opponent
