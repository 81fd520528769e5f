"""The commands agree, refuse and withdraw, also if no offer is open."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands import events as ev
from takmail.commands.agreements import draw, settle
from takmail.commands.answers import Answer, Refusal
from takmail.commands.context import Context
from takmail.commands.game.offered_change import OfferedChange
from takmail.commands.game.table import Table
from takmail.commands.grammar.commands import Propose, Settle, Verb
from takmail.commands.kinds import OfferEnd, OfferKind
from takmail.commands.propose import propose
from takmail.commands.records import Offer
from takmail.games.interface import Seat
from tests.commands.build import (
    AS_BEN,
    BEGUN_BY,
    EARLIER,
    NOW,
    Stored,
    after,
    context,
    first,
    game,
    kinds,
)
from tests.commands.offering import GAME, THREE, TWO, offered, reason


def agreed(verb: str = "agree", kind: OfferKind | None = None, target: int | None = None) -> Settle:
    return Settle(Verb(verb), kind, target)


def test_an_undo_that_is_agreed_to() -> None:
    own = offered(OfferKind.DRAW, Seat.SECOND, 21)
    before = context(game(*THREE, offers=[offered(OfferKind.UNDO, Seat.FIRST), own]), AS_BEN)
    answer = settle(before, agreed())
    assert kinds(answer) == ["UndoAgreed", "OfferClosed", "OfferClosed", "TurnsTakenBack"]
    assert isinstance(answer, tuple)
    assert answer[1:3] == (
        ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.AGREED),
        ev.OfferClosed(game=GAME, offer=21, how=OfferEnd.LAPSED),
    )
    assert after(before, answer).table.texts() == [*TWO]


def test_a_draw_that_is_agreed_to() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)]), AS_BEN)
    assert kinds(settle(before, agreed())) == ["DrawAgreed", "GameEnded"]


def test_a_proposal_that_is_agreed_to() -> None:
    back = offered(OfferKind.BACK, Seat.FIRST, target=1)
    before = context(game(*THREE, offers=[back]), AS_BEN)
    answer = settle(before, agreed())
    assert kinds(answer) == ["ProposalAgreed", "OfferClosed", "TurnsTakenBack"]
    assert after(before, answer).table.texts() == ["ps a1"]


def test_an_offer_that_is_refused() -> None:
    offer = offered(OfferKind.DRAW, Seat.FIRST)
    before = context(game(*THREE, offers=[offer]), AS_BEN)
    assert settle(before, agreed("refuse")) == (
        ev.OfferRefused(game=GAME, seat=Seat.SECOND, wish=OfferedChange(OfferKind.DRAW, 3, None)),
        ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.REFUSED),
    )


WISH = OfferedChange(OfferKind.DRAW, 3, None)


@pytest.mark.parametrize(("hears", "known"), [((True, True), WISH), ((True, False), None)])
def test_an_offer_that_is_withdrawn(hears: tuple[bool, bool], known: OfferedChange | None) -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)], hears=hears))
    assert settle(before, agreed("withdraw")) == (
        ev.OfferWithdrawn(game=GAME, seat=Seat.FIRST, wish=WISH, known_to_opponent=known),
        ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.WITHDRAWN),
    )


def test_nobody_hears_of_an_offer_that_its_own_mail_withdraws() -> None:
    before = context(game(*THREE))
    then = after(before, draw(before))
    gone = first(settle(then, agreed("withdraw")))
    assert isinstance(gone, ev.OfferWithdrawn)
    assert gone.known_to_opponent is None


def test_a_proposal_that_its_own_mail_withdraws_leaves_the_one_before_it_to_be_told_of() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=2)]))
    then = after(before, propose(before, Propose(OfferKind.BACK, 1)))
    gone = first(settle(then, agreed("withdraw")))
    assert isinstance(gone, ev.OfferWithdrawn)
    assert (gone.wish.target, gone.known_to_opponent and gone.known_to_opponent.target) == (1, 2)


def test_of_several_offers_it_has_to_be_said_which() -> None:
    both = [offered(OfferKind.DRAW, Seat.FIRST), offered(OfferKind.BACK, Seat.FIRST, 21, target=1)]
    before = context(game(*THREE, offers=both), AS_BEN)
    refusal = settle(before, agreed())
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "which_offer"
    assert refusal.facts == {"verb": "agree", "kinds": [OfferKind.DRAW, OfferKind.BACK]}
    assert kinds(settle(before, agreed(kind=OfferKind.DRAW)))[0] == "DrawAgreed"


def test_an_answer_to_another_turn_to_go_back_to() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=1)]), AS_BEN)
    assert reason(settle(before, agreed(kind=OfferKind.BACK, target=2))) == "other_offer"
    assert kinds(settle(before, agreed(kind=OfferKind.BACK, target=1)))[0] == "ProposalAgreed"


@pytest.mark.parametrize(
    ("version", "is_seen"), [(None, True), (20, True), (25, True), (19, False), (BEGUN_BY + 3, False)]
)
def test_only_what_the_answered_letter_has_told_is_agreed_to(version: int | None, *, is_seen: bool) -> None:
    table = game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)])
    answer = settle(context(table, AS_BEN, version=version, turn=version and 3), agreed())
    assert kinds(answer) == (["DrawAgreed", "GameEnded"] if is_seen else ["offer_unseen"])


def stored(*offers: Offer) -> Stored:
    found = Stored()
    found.offers[GAME] = list(offers)
    return found


LATE = NOW - timedelta(days=8)


@pytest.mark.parametrize(
    ("ended", "facts"),
    [
        ([], {"ended": None, "is_late": False, "has_own_way": False}),
        (
            [offered(OfferKind.DRAW, Seat.FIRST, 10, ended=OfferEnd.WITHDRAWN, gone=11)],
            {"ended": OfferEnd.WITHDRAWN, "is_late": False, "has_own_way": False},
        ),
        (
            [
                offered(OfferKind.DRAW, Seat.FIRST, 10, ended=OfferEnd.WITHDRAWN, gone=11),
                offered(OfferKind.UNDO, Seat.FIRST, 12, ended=OfferEnd.REFUSED, gone=13),
            ],
            {"ended": OfferEnd.REFUSED, "is_late": False, "has_own_way": False},
        ),
        # This one is still stored as open, though it is overdue.
        (
            [offered(OfferKind.BACK, Seat.FIRST, 10, target=1, at=LATE)],
            {"ended": OfferEnd.LAPSED, "is_late": True, "has_own_way": False},
        ),
        # Ben's own proposal was accepted instead, and no turn was played since.
        (
            [
                offered(OfferKind.BACK, Seat.FIRST, 10, 5, target=1, ended=OfferEnd.LAPSED, gone=12),
                offered(OfferKind.BACK, Seat.SECOND, 11, 5, target=3, ended=OfferEnd.AGREED, gone=13),
            ],
            {"ended": OfferEnd.LAPSED, "is_late": False, "has_own_way": True},
        ),
        (
            [
                offered(OfferKind.BACK, Seat.FIRST, 10, 2, target=1, ended=OfferEnd.LAPSED, gone=12),
                offered(OfferKind.BOARD, Seat.SECOND, 11, 2, ended=OfferEnd.AGREED, gone=13),
            ],
            {"ended": OfferEnd.LAPSED, "is_late": False, "has_own_way": True},
        ),
        (
            [
                offered(OfferKind.BACK, Seat.FIRST, 10, 5, target=1, ended=OfferEnd.LAPSED, gone=12),
                offered(OfferKind.BACK, Seat.SECOND, 11, 5, target=2, ended=OfferEnd.AGREED, gone=13),
            ],
            {"ended": OfferEnd.LAPSED, "is_late": False, "has_own_way": False},
        ),
        (
            [
                offered(OfferKind.BACK, Seat.FIRST, 10, 5, target=1, ended=OfferEnd.LAPSED, gone=12),
                offered(OfferKind.DRAW, Seat.SECOND, 11, 5, ended=OfferEnd.AGREED, gone=13),
            ],
            {"ended": OfferEnd.LAPSED, "is_late": False, "has_own_way": False},
        ),
    ],
)
def test_what_there_was_to_agree_to(ended: list[Offer], facts: dict[str, object]) -> None:
    refusal = settle(context(game(*THREE), AS_BEN, stored=stored(*ended)), agreed())
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no_offer"
    assert refusal.facts == {**facts, "is_own": False}


def test_ones_own_offer_is_for_the_other_one_to_answer() -> None:
    refusal = settle(context(game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)])), agreed())
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.facts["is_own"]) == ("no_offer", True)


def test_what_there_was_to_withdraw() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)]))
    then = after(before, settle(before, agreed("withdraw")))
    refusal = settle(then, agreed("withdraw"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no_own_offer"
    assert refusal.facts == {"ended": OfferEnd.WITHDRAWN, "is_late": False}
    assert reason(settle(then, agreed("withdraw", OfferKind.BACK))) == "no_own_offer"


GONE_DRAW = offered(OfferKind.DRAW, Seat.FIRST, 10, ended=OfferEnd.WITHDRAWN, gone=15)


@pytest.mark.parametrize(
    ("verb", "kind", "version", "is_told"),
    [
        ("refuse", None, 12, True),  # the letter reported the draw offer
        ("refuse", None, 14, True),
        ("refuse", None, 15, False),  # the offer had ended by then
        ("refuse", None, 9, False),  # it was not made yet
        ("refuse", OfferKind.BACK, 12, False),  # the command names the kind
        ("agree", None, 20, False),
        ("agree", None, 12, False),  # refused as unseen
    ],
)
def test_an_answer_that_may_be_meant_for_an_offer_that_has_ended(
    verb: str, kind: OfferKind | None, version: int, *, is_told: bool
) -> None:
    table = game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=1)])
    before = context(table, AS_BEN, stored=stored(GONE_DRAW), version=version, turn=3)
    answer = settle(before, agreed(verb, kind))
    assert (kinds(answer) == ["offer_meant"]) == is_told
    if is_told:
        assert isinstance(answer, Refusal)
        assert answer.facts["gone"] == OfferedChange(OfferKind.DRAW, 3, None)
        assert answer.facts["ended"] == OfferEnd.WITHDRAWN


@pytest.mark.parametrize("verb", ["agree", "refuse"])
@pytest.mark.parametrize("kind", [None, OfferKind.BACK])
@pytest.mark.parametrize(("version", "is_seen"), [(11, False), (12, True), (None, True)])
def test_an_offer_is_answered_once_it_was_shown(
    verb: str, kind: OfferKind | None, version: int | None, *, is_seen: bool
) -> None:
    table = game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, 12, target=1)])
    answer = settle(context(table, AS_BEN, version=version, turn=3), agreed(verb, kind))
    assert (kinds(answer) == ["offer_unseen"]) == (not is_seen)
    if not is_seen:
        assert isinstance(answer, Refusal)
        assert answer.facts["verb"] == verb


def test_an_agreement_that_may_be_meant_for_an_offer_that_its_letter_told_of_too() -> None:
    table = game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, 12, target=1)])
    before = context(table, AS_BEN, stored=stored(GONE_DRAW), version=13, turn=3)
    assert reason(settle(before, agreed())) == "offer_meant"


@pytest.mark.parametrize(
    ("version", "days", "is_told"),
    [
        (12, 7, True),  # the letter reported the proposal
        (20, 7, False),  # it reported the draw offer, and was written after the proposal had lapsed
        (20, 6, True),  # it reported both
    ],
)
def test_an_answer_that_may_be_meant_for_a_proposal_that_has_lapsed_but_is_not_closed_yet(
    version: int, days: int, *, is_told: bool
) -> None:
    lapsed = offered(OfferKind.BACK, Seat.FIRST, 10, target=1, at=NOW - timedelta(days=days + 1))
    draw_since = offered(OfferKind.DRAW, Seat.FIRST, 20, at=NOW - timedelta(days=1))
    before = context(game(*THREE, offers=[draw_since]), AS_BEN, stored=stored(lapsed), version=version)
    assert (kinds(settle(before, agreed("refuse"))) == ["offer_meant"]) == is_told


def unsure(table: Table, *ended: Offer, kind: OfferKind | None = None) -> Answer:
    return settle(context(table, AS_BEN, stored=stored(*ended)), agreed(kind=kind))


PROPOSED = game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=1)])


@pytest.mark.parametrize(
    ("ended", "kind", "is_told"),
    [
        (GONE_DRAW, None, True),
        (GONE_DRAW, OfferKind.DRAW, False),  # no offer of this kind is open
        (replace(GONE_DRAW, turn=2), None, True),  # a draw offer stays open for one more turn
        (replace(GONE_DRAW, turn=1), None, False),
        (replace(GONE_DRAW, ended=OfferEnd.REFUSED), None, False),
        (replace(GONE_DRAW, kind=OfferKind.UNDO, turn=2), None, False),
        (
            replace(GONE_DRAW, kind=OfferKind.BACK, target=1),
            None,
            False,
        ),  # a different form with the same effect
        (replace(GONE_DRAW, kind=OfferKind.BACK, target=2), OfferKind.BACK, True),
        (replace(GONE_DRAW, seat=Seat.SECOND), None, False),
    ],
)
def test_where_nobody_knows_which_letter_is_answered(
    ended: Offer, kind: OfferKind | None, *, is_told: bool
) -> None:
    answer = unsure(PROPOSED, ended, kind=kind)
    assert (kinds(answer) == ["offer_unsure"]) == is_told


@pytest.mark.parametrize(
    ("ended", "by_kind"), [(GONE_DRAW, True), (replace(GONE_DRAW, kind=OfferKind.BACK, target=2), False)]
)
def test_how_it_is_said_which_offer_is_meant(ended: Offer, *, by_kind: bool) -> None:
    answer = unsure(PROPOSED, ended)
    assert isinstance(answer, Refusal)
    assert answer.facts["is_told_by_kind"] == by_kind


def test_what_was_offered_before_turns_were_given_up_is_not_meant() -> None:
    before: Context = context(game(*THREE, "ps d4"))
    back = after(before, (ev.TurnsTakenBack(game=GAME, after=3, how=OfferKind.BACK, at=EARLIER),)).table
    version = back.record.version
    table = replace(back, offers=(offered(OfferKind.BACK, Seat.FIRST, version + 5, target=1),))
    old = replace(GONE_DRAW, version=version - 1, ended_version=version)
    new = replace(GONE_DRAW, version=version + 1, ended_version=version + 2)
    assert kinds(unsure(table, old))[0] == "ProposalAgreed"
    assert kinds(unsure(table, new)) == ["offer_unsure"]
