"""Adding and removing addresses: who gets the question, what the sender is told, and what a `yes` does."""

from dataclasses import replace

import pytest

from takmail.commands import addresses
from takmail.commands.answers import Refusal, Told
from takmail.commands.grammar.arguments import AddressIsMine, OneAddress
from takmail.limits.games import MAX_ADDRESSES
from takmail.world.events import AddressAdded, AddressAsked, AddressRemoved
from takmail.world.kinds import MessageId, PlayerId
from takmail.world.pending import LIFETIME
from takmail.world.players import Mailbox, Player
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    BEN,
    EARLIER,
    NOW,
    TAK,
    Stored,
    after,
    context,
    first,
    kinds,
    news_of,
    player,
)
from tests.commands.people import DAY, NEW, by_new, people, question
from tests.support.orders import do

SECOND = "ada@example.net"
WITH_TWO = player(1, "Ada", ADA).with_mailbox(Mailbox(SECOND, verified_at=NOW, added_at=NOW))
LETTER = MessageId("<asks@example.test>")


def asked(stored: Stored, address: str = NEW) -> AddressAsked:
    found = first(addresses.add(context(stored=stored), OneAddress(address)))
    assert isinstance(found, AddressAsked)
    return found


def test_the_owner_of_an_address_is_asked() -> None:
    found = asked(people())
    assert found.sends_letter
    assert found.question.kind == PendingKind.ADDRESS
    assert (found.question.address, found.question.player, found.question.asked_at) == (NEW, 1, NOW)


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        (TAK, Refusal("address_ours")),
        (ADA, Told("address_known")),
    ],
)
def test_nobody_is_asked_about_these(address: str, answer: object) -> None:
    assert addresses.add(context(stored=people()), OneAddress(address)) == answer


def test_the_same_address_is_asked_about_once() -> None:
    before = context(stored=people())
    later = after(before, addresses.add(before, OneAddress(NEW)))
    repeated = Told("address_asked", {"wait_hours": 0, "days": LIFETIME.days})
    assert addresses.add(later, OneAddress(NEW)) == repeated
    stored = people()
    stored.addresses[AS_ADA.id] = [(NEW, NOW - DAY)]
    assert addresses.add(context(stored=stored), OneAddress(NEW)) == repeated
    stored.addresses[AS_ADA.id] = [(NEW, NOW - 8 * DAY)]
    assert asked(stored).sends_letter


def test_five_addresses_are_enough_with_those_that_are_asked_about() -> None:
    stored = people()
    stored.addresses[AS_ADA.id] = [(f"a{number}@example.org", NOW - DAY) for number in range(3)]
    before = context(stored=stored)
    later = after(before, addresses.add(before, OneAddress(NEW)))
    refusal = addresses.add(later, OneAddress("one@more.example"))
    assert refusal == Refusal("address_many", {"most": MAX_ADDRESSES})


def test_who_adds_an_address_hears_nothing_of_whose_it_is() -> None:
    stopped = replace(AS_BEN, mailboxes=tuple(replace(one, stopped_at=EARLIER) for one in AS_BEN.mailboxes))
    assert [asked(people(), BEN).sends_letter, asked(people().put(stopped), BEN).sends_letter] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("days_ago", "letter", "kind", "is_written"),
    [
        (1, LETTER, PendingKind.ADDRESS, False),
        (8, LETTER, PendingKind.ADDRESS, True),
        (1, None, PendingKind.ADDRESS, True),
        (1, LETTER, PendingKind.COMMANDS, True),
    ],
)
def test_an_address_is_asked_twice_in_a_week(
    days_ago: int, letter: MessageId | None, kind: PendingKind, is_written: bool
) -> None:
    stored = people()
    at = NOW - days_ago * DAY
    stored.questions += [question(one, kind, address=NEW, letter=letter, asked_at=at) for one in (1, 2)]
    assert asked(stored).sends_letter is is_written


@pytest.mark.parametrize(
    ("owner", "address", "comes_to"),
    [
        (AS_ADA, BEN, "address_not_yours"),
        (AS_ADA, ADA, "address_last"),
        (WITH_TWO, SECOND, "AddressRemoved"),
        (WITH_TWO, ADA, "RemovalAsked"),
    ],
)
def test_an_address_is_removed_but_for_the_last(owner: Player, address: str, comes_to: str) -> None:
    before = context(by=owner, stored=people().put(owner))
    answer = addresses.remove(before, OneAddress(address))
    assert kinds(answer) == [comes_to]
    if comes_to == "AddressRemoved":
        assert first(answer) == AddressRemoved(player=PlayerId(1), address=address)
        later = after(before, answer)
        assert later.player is not None
        assert later.player.addresses == tuple({ADA, SECOND} - {address})


def test_the_yes_of_an_owner_makes_it_the_players() -> None:
    before = by_new(people())
    answer = do(before, AddressIsMine(1))
    assert news_of(answer) == (AddressAdded(player=PlayerId(1), address=NEW, added_at=NOW),)
    later = after(before, answer)
    assert later.player is not None
    added = Mailbox(NEW, verified_at=NOW, added_at=NOW)
    assert (later.player.id, later.player.main_mailbox) == (1, added)
    assert do(later, AddressIsMine(1)) == Told("address_known")


def test_a_yes_that_comes_too_late() -> None:
    taken = context(by=AS_BEN, stored=people())
    assert do(taken, AddressIsMine(1)) == Refusal("address_taken")
    many = player(1, "Ada", *(f"a{number}@example.org" for number in range(5)))
    assert kinds(do(by_new(people().put(many)), AddressIsMine(1))) == ["address_many"]
