"""An address of a player is taken away or added: what an attacker could do with it, and what the player hears."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.runtime.scheduler import Retention
from takmail.store.tables import AddressRow, OutboxRow, PendingRow
from tests.support.harness import ADA, BEN, Harness, Received, said
from tests.support.scenes import played_once

AS_ADA = f"Ada <{ADA}>"
AWAY = "ada.away@example.org"
WORK = "work.ada@example.org"
DAY = timedelta(days=1)


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    """Ada and Ben play. Ada has three addresses; the one of her first mail is the oldest."""
    harness.begin()
    for address in (AWAY, WORK):
        harness.now += timedelta(hours=1)
        harness.send(AS_ADA, f"address add {address}", letter(harness, ADA))
        harness.send(f"Ada <{address}>", "yes", newest(harness, address))
        harness.send(AS_ADA, "rs", letter(harness, ADA))
    harness.now += timedelta(hours=1)


def newest(harness: Harness, who: str) -> Received:
    return next(one for one in reversed(harness.box) if one.to == who)


def letter(harness: Harness, who: str) -> Received:
    """Return the newest letter of the game to somebody."""
    return next(one for one in reversed(harness.box) if one.to == who and one.subject.startswith("[tak #1"))


def own(harness: Harness) -> set[str]:
    """Return Ada's addresses."""
    with harness.store.transaction() as session:
        rows = session.exec(select(AddressRow).where(col(AddressRow.address) != BEN)).all()
        return {one.address for one in rows}


def run_retention(harness: Harness) -> list[str]:
    """Run retention, as a service does daily. Return to whom it wrote."""
    with harness.store.transaction() as session:
        before = len(session.exec(select(OutboxRow.id)).all())
    Retention(harness.store, harness.causes, 30).work()
    with harness.store.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        return [one.mail_to for one in rows[before:]]


def removal(harness: Harness, by: str = AWAY, of: str = ADA) -> list[Received]:
    """Ada, or whoever has her address, asks for an address to be removed, and says yes to the question."""
    harness.send(f"Ada <{by}>", "rs", letter(harness, ADA))
    return harness.send(f"Ada <{by}>", f"address remove {of}", letter(harness, by))


def test_the_oldest_address_goes_after_a_week_and_all_are_told(game: Harness) -> None:
    told = removal(game)
    assert {one.to for one in told} == {ADA, AWAY, WORK}
    asked = next(one for one in told if one.to == ADA)
    assert 'answer this letter with the one word "no"' in said(asked)
    assert "7 more days" in said(asked)
    assert own(game) == {ADA, AWAY, WORK}
    game.now += 7 * DAY - timedelta(hours=1)
    assert run_retention(game) == []
    assert own(game) == {ADA, AWAY, WORK}
    game.now += timedelta(hours=2)
    assert sorted(run_retention(game)) == sorted([ADA, AWAY])
    assert own(game) == {AWAY, WORK}
    assert run_retention(game) == []


def test_its_owner_keeps_it_with_a_no(game: Harness) -> None:
    asked = next(one for one in removal(game) if one.to == ADA)
    game.send(AS_ADA, "no", asked)
    game.now += 8 * DAY
    assert run_retention(game) == []
    assert own(game) == {ADA, AWAY, WORK}


@pytest.mark.parametrize("words", ["no", "yes", "stop"])
def test_a_younger_address_neither_keeps_it_nor_hurries(game: Harness, words: str) -> None:
    told = removal(game)
    asked, own_letter = (next(one for one in told if one.to == who) for who in (ADA, AWAY))
    game.confirms = False
    for sender in (AWAY, WORK):
        for answered in (asked, own_letter):
            game.send(f"Ada <{sender}>", words, answered)
    assert own(game) == {ADA, AWAY, WORK}
    game.now += 8 * DAY
    run_retention(game)
    assert own(game) == {AWAY, WORK}


def test_a_yes_from_there_does_not_hurry_and_a_no_still_keeps_it(game: Harness) -> None:
    asked = next(one for one in removal(game) if one.to == ADA)
    (answer,) = game.send(AS_ADA, "yes", asked)
    assert "taken away in 7 days" in said(answer)
    assert own(game) == {ADA, AWAY, WORK}
    game.send(AS_ADA, "no", asked)
    game.now += 8 * DAY
    run_retention(game)
    assert own(game) == {ADA, AWAY, WORK}


def test_a_token_of_hers_does_not_keep_it(game: Harness) -> None:
    """Whoever has taken the oldest address over and knows a token, but not the letter, can not stop it."""
    removal(game)
    game.confirms = False
    me = game.services.key.personal_address(ADA)
    for how in ({"to": me}, {"to": str(letter(game, ADA).mail["Reply-To"])}):
        game.send(AS_ADA, "no", **how)
    game.now += 8 * DAY
    run_retention(game)
    assert own(game) == {AWAY, WORK}


def test_to_ask_twice_asks_once(game: Harness) -> None:
    removal(game)
    again = removal(game)
    assert "taken away in 7 days" in said(again[-1])
    with game.store.transaction() as session:
        kinds = [one.kind for one in session.exec(select(PendingRow)).all()]
    assert kinds == ["removal"]


def test_a_younger_address_goes_at_once(game: Harness) -> None:
    removal(game, by=AWAY, of=WORK)
    assert own(game) == {ADA, AWAY}


def test_the_last_address_stays_if_all_others_have_gone_meanwhile(game: Harness) -> None:
    removal(game)
    for address in (AWAY, WORK):
        game.send(AS_ADA, "rs", letter(game, ADA))
        game.send(AS_ADA, f"address remove {address}", letter(game, ADA))
    assert own(game) == {ADA}
    game.now += 8 * DAY
    assert run_retention(game) == []
    assert own(game) == {ADA}


def test_who_has_left_meanwhile_is_not_written_to(game: Harness) -> None:
    removal(game)
    game.send(AS_ADA, "forget me", letter(game, ADA))
    assert own(game) == set()
    game.now += 8 * DAY
    assert run_retention(game) == []


def test_the_oldest_address_hears_of_a_new_one_that_another_asked_for(game: Harness) -> None:
    game.send(f"Ada <{AWAY}>", "rs", letter(game, ADA))
    more = "more.ada@example.org"
    game.send(f"Ada <{AWAY}>", f"address add {more}", letter(game, AWAY))
    letters = game.send(f"Ada <{more}>", "yes", newest(game, more))
    (told,) = (one for one in letters if one.to == ADA)
    assert more in said(told)
