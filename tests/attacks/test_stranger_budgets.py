"""Attacks that use takmail to send letters to many strangers, each of whom gets only a few."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.stranger_budgets import LONGEST_WAIT
from takmail.limits.letters import DEFAULT_RATES, STRANGER_SHARES
from takmail.store.database import Store
from takmail.world.kinds import LetterState, MessageId
from tests.support.harness import Harness
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Players, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ANSWERS, ANSWERS_A_DAY = 8, 16
INVITATIONS, INVITATIONS_A_DAY = 8, 24
RATES = replace(
    DEFAULT_RATES,
    # Less than the defaults, so that few mails are needed.
    total_stranger_answers_per_hour=ANSWERS,
    total_stranger_answers_per_day=ANSWERS_A_DAY,
    total_stranger_invitations_per_hour=INVITATIONS,
    total_stranger_invitations_per_day=INVITATIONS_A_DAY,
)
AUTHENTICATED = replace(PLAIN, authserv_id="mx.example.test", rates=RATES)


@pytest.fixture
def harness() -> MemoryHarness:
    """A takmail that trusts its mail server. Players don't confirm questions automatically."""
    return MemoryHarness(services=AUTHENTICATED, confirms=False)


def forge(harness: Players, sender: str, words: str = "help") -> list[Received]:
    return harness.deliver(harness.mail(sender, words).as_bytes())


def proven(harness: Players, sender: str, words: str, **how: str) -> list[Received]:
    """Return the letters that a mail leads to whose sender the mail server vouches for."""
    domain = sender.rpartition("@")[2].rstrip(">")
    passed = f"mx.example.test; dmarc=pass header.from={domain}"
    mail = harness.mail(sender, words, **how)  # type: ignore[arg-type]
    raw = mail.as_bytes()
    return harness.deliver(f"Authentication-Results: {passed}\r\n".encode() + raw)


# Answers to forged mails.


def test_i_write_in_the_name_of_a_stranger_at_each_of_many_hosts(harness: MemoryHarness) -> None:
    letters = [one for number in range(ANSWERS + 3) for one in forge(harness, f"v@victim{number}.example")]
    assert len(letters) == ANSWERS
    state, note = harness.note_of(ANSWERS + 3)
    assert (state, note) == (
        "rejected",
        f"over the limit: [limits] total_stranger_answers_per_hour = {ANSWERS}",
    )


def test_any_database_counts_the_letters(store: Store) -> None:
    harness = Harness(store, confirms=False)
    harness.change(authserv_id="mx.example.test", rates=RATES)
    assert sum(len(forge(harness, f"v@victim{number}.example")) for number in range(ANSWERS + 3)) == ANSWERS


@pytest.mark.parametrize("ahead", [HOUR / 2, 365 * DAY], ids=["half an hour", "a year"])
def test_i_go_on_while_the_clock_is_ahead(harness: MemoryHarness, ahead: timedelta) -> None:
    harness.now += ahead
    for number in range(ANSWERS + 1):
        forge(harness, f"v@victim{number}.example")
        invite(harness, f"me{number}@gmail.com", f"guest@host{number}.example")
    harness.now -= ahead
    letters = [one for number in range(ANSWERS + 1) for one in forge(harness, f"w@other{number}.example")]
    assert len(letters) == ANSWERS
    (own, _) = invite(harness, f"Ada <{ADA}>", "guest@example.net")
    assert "The letter leaves within" not in said(own)


def test_i_go_on_all_day(harness: MemoryHarness) -> None:
    letters = []
    for hour in range(0, 24, 3):
        letters += [one for number in range(3) for one in forge(harness, f"v@victim{hour}x{number}.example")]
        harness.now += 3 * HOUR
    assert len(letters) == ANSWERS_A_DAY
    harness.now += HOUR
    assert forge(harness, "v@victim.example"), "tomorrow there are answers again"


@pytest.mark.parametrize(
    "address",
    [
        "v{}@victim.example",
        "v@a{}.victim.example",
        "v@x.a{}.victim.example",
        "v@a{}.victim.co.uk",
        "v@h{}.uni.ac.at",
    ],
)
def test_i_write_in_the_name_of_strangers_of_one_organisation(harness: MemoryHarness, address: str) -> None:
    most = ANSWERS // STRANGER_SHARES
    letters = [one for number in range(most + 2) for one in forge(harness, address.format(number))]
    assert len(letters) == most
    assert forge(harness, "newcomer@example.net"), "others get their answers"


@pytest.mark.parametrize(("words", "uses_up"), [("yes", False), ("no", True), ("stop", True)])
def test_who_of_an_organisation_confirms_the_mail_uses_up_nothing(
    harness: MemoryHarness, words: str, uses_up: bool
) -> None:
    """So a club of newcomers can write one after the other."""
    asked = 0
    for number in range(ANSWERS):
        for question in forge(harness, f"v{number}@victim.example", f"new 5 vs {BEN}"):
            asked += 1
            harness.send(f"v{number}@victim.example", words, question)
    assert asked == (ANSWERS // STRANGER_SHARES if uses_up else ANSWERS)


@pytest.mark.parametrize(
    "provider",
    some_of(["gmail.com", "outlook.es", "web.de", "btinternet.com", "docomo.ne.jp", "yahoo.com.br"], 2),
)
def test_people_at_a_common_provider_have_nothing_in_common(harness: MemoryHarness, provider: str) -> None:
    letters = [one for number in range(ANSWERS) for one in forge(harness, f"v{number}@{provider}")]
    assert len(letters) == ANSWERS


def test_organisations_below_a_country_are_not_one(harness: MemoryHarness) -> None:
    letters = [one for number in range(ANSWERS) for one in forge(harness, f"v@club{number}.co.uk")]
    assert len(letters) == ANSWERS


@pytest.mark.parametrize(
    "words", some_of(["help", "hello", f"new 5 vs {BEN}", "seek 5", "games", "stop", "rules"], 3)
)
def test_whatever_i_write_in_their_name(harness: MemoryHarness, words: str) -> None:
    letters = [
        one for number in range(ANSWERS + 1) for one in forge(harness, f"v@victim{number}.example", words)
    ]
    assert len(letters) == ANSWERS


def test_i_keep_nobody_from_playing_whose_mails_are_proven(harness: MemoryHarness) -> None:
    for number in range(ANSWERS + 1):
        forge(harness, f"v@victim{number}.example")
    invitation, answer = proven(harness, f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
    assert (answer.to, invitation.to) == (ADA, BEN)
    assert "The letter leaves within" not in said(answer)
    (welcome,) = proven(harness, "Nora <nora@example.net>", "help")
    assert welcome.to == "nora@example.net"
    (begun, _) = harness.deliver(harness.mail(f"Ben <{BEN}>", "accept", invitation).as_bytes())
    assert begun.to == BEN
    # Their unproven mails are answered, too, as they have written.
    assert [one.to for one in forge(harness, f"Ada <{ADA}>", "games")] == [ADA]


# What players cause.


def invite(harness: Players, host: str, guest: str) -> list[Received]:
    return proven(harness, host, f"new 5 vs {guest}")


def leaves(harness: MemoryHarness, letter: Received) -> bool:
    return harness.memory.outbox[MessageId(letter.id.lower())].state is LetterState.QUEUED


@pytest.fixture
def memory() -> MemoryHarness:
    return MemoryHarness(services=AUTHENTICATED, confirms=False)


NO_BOUNCE = ("machine", "report: no letter bounced")


def to_guests(letters: list[Received]) -> list[Received]:
    return [one for one in letters if "guest" in one.to]


def test_i_invite_strangers_from_each_address_of_my_domain(memory: MemoryHarness) -> None:
    letters = []
    for number in range(INVITATIONS):
        letters += to_guests(invite(memory, f"me{number}@mine.example", f"guest@host{number}.example"))
    assert len(letters) == INVITATIONS, "they are written"
    assert sum(leaves(memory, one) for one in letters) == INVITATIONS // STRANGER_SHARES
    (own, invitation) = invite(memory, f"Ada <{ADA}>", "guest@example.net")
    assert leaves(memory, invitation), "others are not kept from inviting"
    assert "The letter leaves within" not in said(own)


def test_i_have_an_address_at_a_common_provider(memory: MemoryHarness) -> None:
    letters = []
    for number in range(5):
        letters += to_guests(invite(memory, "me@gmail.com", f"guest@host{number}.example"))
    assert sum(leaves(memory, one) for one in letters) == INVITATIONS // STRANGER_SHARES
    assert all(leaves(memory, one) for one in to_guests(invite(memory, "ada@gmail.com", "guest@example.net")))


def test_i_say_that_strangers_addresses_are_mine(memory: MemoryHarness) -> None:
    letters = []
    for number in range(3):
        words = f"address add guest@host{number}a.example\naddress add guest@host{number}b.example"
        letters += to_guests(proven(memory, f"me{number}@mine.example", words))
    assert len(letters) == 6
    assert sum(leaves(memory, one) for one in letters) == INVITATIONS // STRANGER_SHARES
    answer = memory.box[-1]
    assert answer.to == "me2@mine.example"
    assert "a letter goes to that address. The letter leaves within 2 hours" in said(answer)


def test_what_waits_leaves_evenly(memory: MemoryHarness) -> None:
    """No hour has more letters than are allowed, whether they waited or not."""
    most = INVITATIONS // STRANGER_SHARES
    for number in range(3 * most):
        invite(memory, f"me{number}@mine.example", f"guest@host{number}.example")
    memory.now += HOUR
    for number in range(most):
        invite(memory, f"you{number}@mine.example", f"guest@other{number}.example")
    due = sorted(one.due_at for one in memory.memory.outbox.values() if one.budget and "guest" in one.mail_to)
    assert len(due) == 4 * most
    assert all(later - earlier >= HOUR for earlier, later in zip(due, due[most:], strict=False))


@played_once
def ask_too_many(harness: MemoryHarness) -> None:
    """Invite strangers until the last ones are refused."""
    for number in range(3):
        for guest in range(9):
            letters = invite(harness, f"me{number}@mine.example", f"guest@host{number}x{guest}.example")
    assert to_guests(letters) == []


def test_what_i_have_wait_for_days_holds_nobody_else_back(memory: MemoryHarness) -> None:
    """Many addresses of one domain ask as many strangers as they may."""
    ask_too_many(memory)
    mine = [one for one in memory.memory.outbox.values() if one.budget and "guest" in one.mail_to]
    assert len(mine) == 4 * INVITATIONS_A_DAY // STRANGER_SHARES
    assert max(one.due_at for one in mine) <= memory.now + LONGEST_WAIT
    (own, invitation) = invite(memory, f"Ada <{ADA}>", "guest@example.net")
    assert leaves(memory, invitation)
    assert "The letter leaves within" not in said(own)
    memory.now += 2 * DAY
    assert sum(one.due_at < memory.now for one in mine) <= 2 * INVITATIONS_A_DAY // STRANGER_SHARES


def test_a_letter_that_would_leave_too_late_is_refused(memory: MemoryHarness) -> None:
    ask_too_many(memory)
    for words in ("new 5 vs guest@example.net", "address add guest@example.net"):
        (answer,) = proven(memory, "me@mine.example", words)
        assert "Not done: so many letters to new addresses wait already" in said(answer)
    # It is not kept either, so that the same can be asked for later.
    memory.now += 5 * DAY
    assert to_guests(invite(memory, "me@mine.example", "guest@example.net"))


def test_a_player_is_told_that_the_invitation_leaves_later_whoever_has_the_address(
    memory: MemoryHarness,
) -> None:
    """Otherwise they would learn which addresses belong to players."""
    invite(memory, "Nora <nora@players.example>", "guest@example.net")
    for number in range(INVITATIONS // STRANGER_SHARES):
        invite(memory, f"me{number}@mine.example", f"guest@host{number}.example")
    for guest in ("nora@players.example", "nobody@players.example"):
        (answer,) = [one for one in invite(memory, "me@mine.example", guest) if one.to == "me@mine.example"]
        assert "has been asked" in said(answer)
        assert "The letter leaves within 1 hour, as I write to only so many new addresses at a time." in said(
            answer
        )


@pytest.mark.parametrize("friends", [INVITATIONS + 1, pytest.param(30, marks=pytest.mark.wide)])
def test_whoever_has_accepted_uses_up_nothing(memory: MemoryHarness, friends: int) -> None:
    """So a host with many new friends can ask each as soon as those before have answered."""
    memory.confirms = True
    memory.begin()
    for number in range(friends):
        friend = f"guest{number}@host{number}.example"
        (invitation,) = to_guests(memory.send(f"Ada <{ADA}>", f"new 5 vs {friend}", memory.last(ADA)))
        assert leaves(memory, invitation)
        assert "begins" in said(memory.send(f"Guest <{friend}>", "accept", invitation)[0])


def test_whoever_declines_uses_up_a_share_as_before(memory: MemoryHarness) -> None:
    left = []
    for number in range(5):
        (invitation,) = to_guests(invite(memory, f"Ada <{ADA}>", f"guest{number}@host{number}.example"))
        left.append(leaves(memory, invitation))
        memory.send(f"guest{number}@host{number}.example", "decline", invitation)
    assert sum(left) == INVITATIONS // STRANGER_SHARES


def test_whom_i_name_gets_the_invitation_at_once(memory: MemoryHarness) -> None:
    proven(memory, "Nora <nora@players.example>", "name Nora")
    for number in range(INVITATIONS // STRANGER_SHARES + 2):
        invite(memory, f"me{number}@mine.example", f"guest@host{number}.example")
    letters = proven(memory, "me@mine.example", "new 5 vs Nora")
    (invitation,) = [one for one in letters if one.to == "nora@players.example"]
    assert leaves(memory, invitation)


def test_forged_mails_don_t_use_up_the_invitations(memory: MemoryHarness) -> None:
    for number in range(ANSWERS + 1):
        forge(memory, f"v@victim{number}.example")
    (invitation,) = to_guests(invite(memory, f"Ada <{ADA}>", "guest@example.net"))
    assert leaves(memory, invitation)


# Addresses that belong to nobody.


@pytest.mark.parametrize(
    ("address", "words", "names"),
    combined(
        [
            "root@localhost",
            "ada@mailhost",
            "root@localhost.localdomain",
            "root@127.0.0.1",
            "printer@office.lan",
            "postmaster@example.test",
            "MAILER-DAEMON@example.test",
            "abuse@example.test",
            "root+cron@example.test",
            "noreply@example.test",
            "admin@example.test",
            "webmaster@example.test",
            "info@example.test",
            "Support+2@example.test",
            "sales@example.test",
        ],
        ["help", f"new 5 vs {BEN}", "stop"],
        ["new 5 vs", "address add"],
    ),
)
def test_servers_get_no_letters(memory: MemoryHarness, address: str, words: str, names: str) -> None:
    assert forge(memory, address, words) == []
    # Some addresses never belong to people, wherever they are.
    assert memory.notes[-1] in (
        ("rejected", "no letters go to this address"),
        ("machine", "no-reply"),
        NO_BOUNCE,
    )
    (answer,) = proven(memory, f"Ada <{ADA}>", f"{names} {address}")
    assert answer.to == ADA
    assert f"I write to no address such as {address.lower()}" in said(answer)


def test_a_webmaster_elsewhere_may_play(memory: MemoryHarness) -> None:
    assert [one.to for one in forge(memory, "webmaster@example.org")] == ["webmaster@example.org"]


@pytest.mark.parametrize(
    ("own", "address", "is_answered"),
    [
        ("tak@mailhost", "ada@localhost", True),
        ("tak@mailhost", "ada@example.org", True),
        ("tak@games.local", "ada@home.lan", True),
        ("tak@games.local", "ada@example.org", True),
        ("tak@games.local", "root@localhost", False),
        ("tak@games.lan", "ada@mailhost", False),
    ],
)
def test_in_a_local_network_people_have_local_addresses(own: str, address: str, is_answered: bool) -> None:
    memory = MemoryHarness(services=replace(AUTHENTICATED, address=own))
    letters = memory.deliver(memory.mail(address, "help", to=own).as_bytes())
    assert [one.to for one in letters] == [address] * is_answered


def test_an_administrator_who_provably_writes_may_play(memory: MemoryHarness) -> None:
    """An owner of a domain often reads the mail to such an address."""
    assert [one.to for one in proven(memory, "Ada <admin@example.test>", "help")] == ["admin@example.test"]
