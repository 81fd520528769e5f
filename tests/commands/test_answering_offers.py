"""The commands agree, refuse and withdraw, also if no offer is open."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.answers import Answer, Refusal
from takmail.commands.command import Order
from takmail.commands.grammar.proposing import Propose, Settle
from takmail.commands.pending import draw
from takmail.commands.propose import propose
from takmail.games.interface import Seat
from takmail.pipeline.results import perform
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.game import Game
from takmail.world.kinds import PendingEnd, TakenBackBy
from takmail.world.pending import NOT_ENDED, OfferEnd, Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    AS_BEN,
    BEGUN_BY,
    NOW,
    after,
    context,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, THREE, TWO, ends, offered
from tests.support.orders import order

WISH = OfferedChange(PendingKind.DRAW, 3, None)


def agreed(verb: str = "agree", kind: PendingKind | None = None, target: int | None = None) -> Order:
    return order(verb, Settle(kind, target))


def test_an_undo_that_is_agreed_to() -> None:
    own = offered(PendingKind.DRAW, Seat.SECOND, 21)
    before = context(game(*THREE, offers=[offered(PendingKind.UNDO, Seat.FIRST), own]), AS_BEN)
    answer = perform(before, agreed())
    assert kinds(answer) == ["OfferAgreed"]
    then = after(before, answer).game
    assert ends(then) == {21: PendingEnd.LAPSED, 20: PendingEnd.AGREED}
    assert then.texts() == [*TWO]
    assert [run.how for run in then.taken_back] == [TakenBackBy.UNDO]


def test_a_draw_that_is_agreed_to() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)]), AS_BEN)
    assert kinds(perform(before, agreed())) == ["OfferAgreed"]


def test_a_proposal_that_is_agreed_to() -> None:
    back = offered(PendingKind.BACK, Seat.FIRST, target=1)
    before = context(game(*THREE, offers=[back]), AS_BEN)
    answer = perform(before, agreed())
    assert kinds(answer) == ["OfferAgreed"]
    then = after(before, answer).game
    assert ends(then) == {20: PendingEnd.AGREED}
    assert then.texts() == ["ps a1"]
    assert [run.how for run in then.taken_back] == [TakenBackBy.BACK]


def test_an_offer_that_is_refused() -> None:
    offer = offered(PendingKind.DRAW, Seat.FIRST)
    before = context(game(*THREE, offers=[offer]), AS_BEN)
    answer = perform(before, agreed("refuse"))
    assert news_of(answer) == (events.OfferRefused(game=GAME, seat=Seat.SECOND, offer=offer, wish=WISH),)
    assert ends(after(before, answer).game) == {20: PendingEnd.REFUSED}


@pytest.mark.parametrize("is_heard", [True, False])
def test_an_offer_that_is_withdrawn(*, is_heard: bool) -> None:
    offer = offered(PendingKind.DRAW, Seat.FIRST)
    before = context(game(*THREE, offers=[offer]), is_heard=is_heard)
    answer = perform(before, agreed("withdraw"))
    withdrawn = events.OfferWithdrawn(
        game=GAME, seat=Seat.FIRST, offer=offer, wish=WISH, known_to_opponent=WISH
    )
    assert news_of(answer) == (withdrawn,)
    then = after(before, answer)
    assert then.so_far.happened[0].readers == ((AS_BEN.id,) if is_heard else ())
    assert ends(then.game) == {20: PendingEnd.WITHDRAWN}


def test_nobody_hears_of_an_offer_that_its_own_mail_withdraws() -> None:
    before = context(game(*THREE))
    then = after(before, draw(before))
    assert not after(then, perform(then, agreed("withdraw"))).so_far.happened[-1].readers


def test_a_proposal_that_its_own_mail_withdraws_leaves_the_one_before_it_to_be_told_of() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.BACK, Seat.FIRST, target=2)]))
    then = after(before, propose(before, Propose(PendingKind.BACK, 1)))
    gone = first(perform(then, agreed("withdraw")))
    assert isinstance(gone, events.OfferWithdrawn)
    assert (gone.wish.target, gone.known_to_opponent and gone.known_to_opponent.target) == (1, 2)


def asked(answer: Answer) -> tuple[list[int], list[int]]:
    """Return the versions of the offers that the command can mean, and of the open ones, which the answer lists."""
    assert isinstance(answer, Refusal)
    assert answer.reason == "which_offer"
    meant, standing = ([one.version for one in answer.facts[it]] for it in ("meant", "standing"))  # type: ignore[attr-defined]
    return meant, standing


def test_of_several_offers_it_has_to_be_said_which() -> None:
    both = [offered(PendingKind.DRAW, Seat.FIRST), offered(PendingKind.BACK, Seat.FIRST, 21, target=1)]
    for version in (None, 21):
        before = context(game(*THREE, offers=both), AS_BEN, version=version, turn=version and 3)
        assert asked(perform(before, agreed())) == ([20, 21], [20, 21])
        assert kinds(perform(before, agreed(kind=PendingKind.DRAW)))[0] == "OfferAgreed"


def test_an_answer_to_another_turn_to_go_back_to() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.BACK, Seat.FIRST, target=1)]), AS_BEN)
    assert asked(perform(before, agreed(kind=PendingKind.BACK, target=2))) == ([], [20])
    assert kinds(perform(before, agreed(kind=PendingKind.BACK, target=1)))[0] == "OfferAgreed"


@pytest.mark.parametrize("verb", ["agree", "refuse"])
@pytest.mark.parametrize("kind", [None, PendingKind.DRAW])
@pytest.mark.parametrize(
    ("version", "is_seen"), [(None, True), (20, True), (25, True), (19, False), (BEGUN_BY + 3, False)]
)
def test_only_what_the_answered_letter_shows_is_answered(
    verb: str, kind: PendingKind | None, version: int | None, *, is_seen: bool
) -> None:
    table = game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)])
    answer = perform(context(table, AS_BEN, version=version, turn=version and 3), agreed(verb, kind))
    if is_seen:
        assert kinds(answer)[0] == ("OfferAgreed" if verb == "agree" else "OfferRefused")
    else:
        assert asked(answer) == ([], [20])


@pytest.mark.parametrize("verb", ["agree", "refuse", "withdraw"])
@pytest.mark.parametrize("version", [None, 20])
def test_where_nothing_is_offered_there_is_nothing_to_answer(verb: str, version: int | None) -> None:
    """The open offer is the other player's to withdraw, or the sender's own."""
    seat = Seat.FIRST if verb == "withdraw" else Seat.SECOND
    table = game(*THREE, offers=[offered(PendingKind.DRAW, seat)])
    assert asked(perform(context(table, AS_BEN, version=version), agreed(verb))) == ([], [])


def offering(*offers: Pending, ended: Pending) -> Game:
    """Return a game with open offers, and one that has ended."""
    return replace(game(*THREE), pending=(ended, *offers))


GONE_DRAW = offered(PendingKind.DRAW, Seat.FIRST, 10, ended=PendingEnd.WITHDRAWN, gone=15)
BACK = offered(PendingKind.BACK, Seat.FIRST, 12, target=1)


@pytest.mark.parametrize("verb", ["agree", "refuse"])
@pytest.mark.parametrize(
    ("version", "kind", "meant"),
    [
        (9, None, []),  # the letter was written before both offers
        (10, None, [10]),  # it shows the draw offer alone
        (10, PendingKind.BACK, []),
        (12, None, [10, 12]),  # it shows both
        (14, None, [10, 12]),
        (14, PendingKind.DRAW, [10]),
        (15, PendingKind.DRAW, []),  # the draw offer had ended by then
    ],
)
def test_an_answer_to_a_letter_that_shows_an_offer_that_has_ended(
    verb: str, version: int, kind: PendingKind | None, meant: list[int]
) -> None:
    before = context(offering(BACK, ended=GONE_DRAW), AS_BEN, version=version, turn=3)
    assert asked(perform(before, agreed(verb, kind))) == (meant, [12])


@pytest.mark.parametrize(
    ("version", "kind"),
    [(12, PendingKind.BACK), (14, PendingKind.BACK), (15, None), (20, None), (None, None)],
)
def test_an_offer_that_had_ended_before_the_letter_is_not_meant(
    version: int | None, kind: PendingKind | None
) -> None:
    table = offering(BACK, ended=GONE_DRAW)
    before = context(table, AS_BEN, version=version, turn=version and 3)
    assert kinds(perform(before, agreed(kind=kind)))[0] == "OfferAgreed"
    assert kinds(perform(before, agreed("refuse", kind)))[0] == "OfferRefused"


def test_the_same_offer_made_again_is_another_one() -> None:
    again = replace(GONE_DRAW, version=20, end=NOT_ENDED)
    before = context(offering(again, ended=GONE_DRAW), AS_BEN, version=12, turn=3)
    assert asked(perform(before, agreed(kind=PendingKind.DRAW))) == ([10], [20])


LAPSED = offered(PendingKind.BACK, Seat.FIRST, 10, target=1, at=NOW - timedelta(days=8))
"""A proposal that is still stored as open, though it is overdue."""


@pytest.mark.parametrize(
    ("since", "done"),
    [
        (None, None),
        (offered(PendingKind.BACK, Seat.FIRST, 20, target=2), "OfferAgreed"),  # this one replaced it
        (offered(PendingKind.DRAW, Seat.FIRST, 20), "OfferAgreed"),  # made when it had lapsed
    ],
)
def test_an_answer_to_a_proposal_that_has_lapsed_but_is_not_closed_yet(
    since: Pending | None, done: str | None
) -> None:
    open_ones = [] if since is None else [since]
    before = context(offering(*open_ones, ended=LAPSED.at(NOW)), AS_BEN, version=20, turn=3)
    answer = perform(before, agreed())
    if done is None:
        assert asked(answer) == ([10], [])
    else:
        assert kinds(answer)[0] == done


@pytest.mark.parametrize("version", [None, 9, 20])
def test_ones_own_offer_is_withdrawn_in_answer_to_any_letter(version: int | None) -> None:
    own = offered(PendingKind.DRAW, Seat.SECOND, 20)
    before = context(game(*THREE, offers=[own]), AS_BEN, version=version)
    assert kinds(perform(before, agreed("withdraw")))[0] == "OfferWithdrawn"


def test_what_is_withdrawn_is_not_withdrawn_in_place_of_another_offer() -> None:
    gone, own = replace(GONE_DRAW, seat=Seat.SECOND), replace(BACK, seat=Seat.SECOND)
    before = context(offering(own, ended=gone), AS_BEN, version=11)
    assert asked(perform(before, agreed("withdraw"))) == ([10, 12], [12])
    assert asked(perform(before, agreed("withdraw", PendingKind.DRAW))) == ([10], [12])
    assert kinds(perform(before, agreed("withdraw", PendingKind.BACK)))[0] == "OfferWithdrawn"


def test_ones_own_offer_that_was_refused_may_still_be_meant() -> None:
    refused_draw = replace(GONE_DRAW, seat=Seat.SECOND, end=OfferEnd(PendingEnd.REFUSED, 15))
    own = replace(BACK, seat=Seat.SECOND)
    before = context(offering(own, ended=refused_draw), AS_BEN, version=11)
    assert asked(perform(before, agreed("withdraw"))) == ([10, 12], [12])


def test_nothing_is_withdrawn_twice() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)]))
    then = after(before, perform(before, agreed("withdraw")))
    assert asked(perform(then, agreed("withdraw"))) == ([], [])
