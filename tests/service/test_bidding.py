"""Bids through the database: what is stored before both are in, and what the beginning of the game does with it."""

import pytest
from sqlmodel import col, select

from takmail.store.tables import ChatRow, OutboxRow
from takmail.world.kinds import Standing
from tests.support.harness import ADA, BEN, Harness
from tests.support.players import said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


def seats(harness: Harness) -> dict[str, int | None]:
    """Return the stored bids by the names of the players."""
    return dict(zip(harness.table().names, harness.table().record.bids, strict=True))


def bidding(harness: Harness, words: str = "") -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university\n\n{words}")
    harness.send(AS_BEN, "accept", harness.last(BEN))


def test_bids_are_stored_with_the_seats_until_the_game_begins(harness: Harness) -> None:
    bidding(harness)
    assert harness.table().record.standing is Standing.BIDDING
    harness.send(AS_BEN, "bid 47", harness.last(BEN))
    assert seats(harness) == {"Ada": None, "Ben": 47}
    assert harness.table().record.setup == "5 rules=university"
    harness.send(AS_ADA, "46", harness.last(ADA))
    assert seats(harness) == {"Ben": None, "Ada": None}
    assert harness.table().record.setup == "5 rules=university bids=47,46"
    assert harness.table().record.standing is Standing.OPEN
    harness.send(AS_BEN, "ps a1", harness.last(BEN))
    harness.send(AS_ADA, "ps e5", harness.last(ADA))
    assert harness.table().texts() == ["ps a1", "ps e5"]


@pytest.mark.parametrize(("ada", "ben", "names"), [(4, 9, ("Ben", "Ada")), (9, 4, ("Ada", "Ben"))])
def test_words_of_before_are_the_words_of_their_writer_after_the_seats_are_swapped(
    harness: Harness, ada: int, ben: int, names: tuple[str, str]
) -> None:
    bidding(harness, "forward " * 40)
    harness.send(AS_ADA, f"bid {ada}", harness.last(ADA))
    harness.send(AS_BEN, f"bid {ben}", harness.last(BEN))
    assert harness.table().names == names
    assert said(harness.last(BEN)).count("forward") == 40
    assert not harness.table().correspondence.waiting_chat
    assert not any(
        "forward" in said(one) for one in harness.box if one.to == ADA and "Ben writes" in said(one)
    )


def test_equal_bids_fall_the_same_way_when_the_mail_is_decided_again(harness: Harness) -> None:
    bidding(harness)
    harness.send(AS_BEN, "bid 5", harness.last(BEN))
    harness.send(AS_ADA, "bid 5", harness.last(ADA))
    assert harness.table().record.setup == "5 rules=university bids=5,5"
    assert "as the lot decided" in said(harness.last(BEN))


@pytest.mark.parametrize(("ada", "ben"), [(4, 9), (9, 4)])
def test_what_was_written_before_the_seats_are_swapped_stays_its_players(
    harness: Harness, ada: int, ben: int
) -> None:
    bidding(harness, "Zebra luck!")
    harness.send(AS_ADA, f"bid {ada}", harness.last(ADA))
    harness.send(AS_BEN, f"bid {ben}", harness.last(BEN))
    names = harness.table().names
    with harness.store.transaction() as session:
        letters = session.exec(select(OutboxRow).where(col(OutboxRow.seat).is_not(None))).all()
        chat = session.exec(select(ChatRow)).all()
        assert {letter.mail_to for letter in letters if names[letter.seat or 0] == "Ada"} == {ADA}
        assert {letter.mail_to for letter in letters if names[letter.seat or 0] == "Ben"} == {BEN}
        assert [(names[row.seat], row.words) for row in chat] == [("Ada", "Zebra luck!")]
    readers = {letter.id: letter.to for letter in harness.box}
    for letter in harness.box:
        named = f"{letter.mail['References'] or ''} {letter.mail['In-Reply-To'] or ''}".split()
        assert {readers.get(one, letter.to) for one in named} <= {letter.to}
    assert harness.table().correspondence.last_chat == (
        (None, "Zebra luck!") if names[1] == "Ada" else ("Zebra luck!", None)
    )
    harness.send(AS_ADA, "forget me", harness.last(ADA))
    with harness.store.transaction() as session:
        assert not session.exec(select(ChatRow)).all()
