"""Attacks with a token that others have read, because a mail that proved a player's seat went to them, too."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from functools import cache

import pytest

from takmail.games.interface import Seat
from takmail.limits.letters import RateLimits
from tests.attacks.scene import OURS
from tests.support.kept import kept
from tests.support.memory_harness import PLAIN, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.tables import each_row
from tests.support.width import combined

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
LIST = "tak-friends@example.net"
ORDERS = (
    *(
        "ps c4",
        "draw",
        "agree",
        "agree draw",
        "refuse",
        "undo",
        "resign",
        "yes",
        "Hello Ben!",
        "im it was mine",
    ),
    *(
        "propose restart",
        "say hello",
        "name Loser",
        f"address add {BEN}",
        "forget me",
        "stop",
        "reminders off",
        "block Ben",
    ),
)
AWAY = "I am away until Monday, sorry."
FEW = RateLimits(unproven_answers_per_hour=8)
SERVICES = {"plus addresses": PLAIN, "none": WITHOUT_PLUS}


@cache
def played(services: str) -> tuple[MemoryHarness, EmailMessage]:
    """Ada has moved with Ben in Cc, Ben has moved and offers a draw. Return Ada's mail, which Ben has read, too."""
    harness = MemoryHarness(services=SERVICES[services])
    harness.begin_and_play("ps a1", "ps e5")
    mail = shown(harness)
    harness.play("ps d5", start=1)
    harness.send(AS_BEN, "draw", harness.last(BEN))
    harness.confirms = False
    return harness, mail


def shown(harness: MemoryHarness, text: str = "ps b2", **readers: str) -> EmailMessage:
    """Ada answers her newest letter, and others read her mail."""
    mail = harness.mail(AS_ADA, text, harness.last(ADA), **(readers or {"Cc": BEN}))
    harness.deliver(mail.as_bytes())
    return mail


def numbers(harness: MemoryHarness) -> tuple[int, int]:
    first, second = harness.table().record.seats
    return first.token_number, second.token_number


def by_address(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    return harness.mail(AS_ADA, text, to=str(mail["To"]), subject="[tak #1]")


def by_delivery(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    return harness.mail(AS_ADA, text, subject="[tak #1]", Delivered_To=mail["To"].addresses[0].addr_spec)


def by_reply(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    return harness.mail(AS_ADA, text, In_Reply_To=str(mail["In-Reply-To"]))


def by_references(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    return harness.mail(AS_ADA, text, References=f"{mail['References']} {mail['Message-ID']}")


def by_subject(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    return harness.mail(AS_ADA, text, subject=str(mail["Subject"]))


def by_everything(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    names = {"In_Reply_To": str(mail["In-Reply-To"]), "References": str(mail["References"])}
    return harness.mail(AS_ADA, f"#1 {text}", to=str(mail["To"]), subject=str(mail["Subject"]), **names)


def by_link(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    """Ben touches a link of the letter that Ada's mail quotes."""
    key, letter = harness.services.key, str(mail["In-Reply-To"])
    return harness.mail(AS_ADA, text, to=key.letter_address(letter), subject=key.letter_tag(letter))


def by_the_next_number(harness: MemoryHarness, mail: EmailMessage, text: str) -> EmailMessage:
    """Ben guesses that the new token has another number."""
    to, subject = str(mail["To"]).replace("+1.", "+1n2."), str(mail["Subject"]).replace("#1.", "#1n2.")
    letter = str(mail["In-Reply-To"]).replace("<1.", "<1n2.")
    return harness.mail(AS_ADA, f"#1 {text}", to=to, subject=subject, In_Reply_To=letter)


WAYS = (
    by_address,
    by_delivery,
    by_reply,
    by_references,
    by_subject,
    by_everything,
    by_link,
    by_the_next_number,
)
Way = Callable[[MemoryHarness, EmailMessage, str], EmailMessage]


def attempt(harness: MemoryHarness, mail: EmailMessage) -> list[Received]:
    """Send a mail. Fail if it changes anything, or if anybody but Ada hears of it."""
    before = kept(harness.store)
    letters = harness.deliver(mail.as_bytes())
    assert kept(harness.store) == before, "something has changed"
    assert {one.to for one in letters} <= {ADA}
    return letters


@each_row(("services", "way", "text"), combined(SERVICES, WAYS, ORDERS))
def test_what_ben_has_read_proves_nothing(services: str, way: Way, text: str) -> None:
    harness, mail = played(services)
    harness = harness.scene()
    attempt(harness, way(harness, mail, text))
    assert turns(harness) == ["ps a1", "ps e5", "ps b2", "ps d5"]


@pytest.mark.parametrize("services", SERVICES)
def test_a_game_is_not_given_up_by_two_forged_mails(services: str) -> None:
    harness, mail = played(services)
    harness = harness.scene()
    for text in ("resign", "yes", "resign\nyes", "yes"):
        attempt(harness, by_everything(harness, mail, text))


def test_many_forged_mails_ask_no_more_often_than_the_limit() -> None:
    scene, mail = played("plus addresses")
    for texts in (["ps c4"] * 12, [f"{piece} {file}1" for piece in ("ps", "pw") for file in "abcdef"]):
        harness = scene.scene()
        harness.change(rates=FEW)
        letters = [one for text in texts for one in attempt(harness, by_everything(harness, mail, text))]
        assert 1 <= len(letters) <= harness.services.rates.unproven_answers_per_hour
        assert numbers(harness) == numbers(scene)


def test_ada_plays_on_while_ben_forges() -> None:
    harness, mail = played("plus addresses")
    harness = harness.scene()
    harness.change(rates=FEW)
    for _ in range(12):
        attempt(harness, by_everything(harness, mail, "ps c4"))
    newest = next(one for one in reversed(harness.box) if one.to == ADA and "It says:" not in said(one))
    harness.send(AS_ADA, "ps c3", newest)
    assert turns(harness)[-1] == "ps c3"


@pytest.mark.parametrize(
    "readers",
    [
        {"Cc": f"Ada <{ADA}>, Ben <{BEN}>"},
        {"Cc": f"Friends: {BEN};"},
        {"Cc": '"ben smith"@example.org'},
        {"Cc": "ben@[192.0.2.7]"},
        {"Cc": "ada+ben@example.org"},
        {"Cc": LIST},
        {"Resent_To": BEN},
        {"Resent_Cc": BEN},
        {"Cc": "tak@example.test.example.net"},
        {"Cc": "takk@example.test"},
    ],
    ids=str,
)
def test_whoever_else_reads_the_mail_has_the_token_renewed(readers: dict[str, str]) -> None:
    harness = MemoryHarness()
    harness.begin()
    mail = shown(harness, "ps a1", **readers)
    assert turns(harness) == ["ps a1"]
    harness.play("ps e5", start=1)
    harness.confirms = False
    attempt(harness, by_everything(harness, mail, "ps c4"))


def test_others_in_the_to_header_are_readers_too() -> None:
    harness = MemoryHarness()
    harness.begin()
    letter = harness.last(ADA)
    mail = harness.mail(AS_ADA, "ps a1", letter, to=f"{letter.mail['Reply-To']}, {BEN}")
    harness.deliver(mail.as_bytes())
    harness.play("ps e5", start=1)
    harness.confirms = False
    attempt(harness, harness.mail(AS_ADA, "ps c4", to=str(letter.mail["Reply-To"])))


def test_what_is_said_while_ada_s_mails_are_over_the_limit_is_read_by_others_too() -> None:
    """A mail that isn't answered any more shows its token all the same."""
    harness = MemoryHarness()
    harness.begin()
    harness.change(rates=replace(harness.services.rates, answers_per_hour=10))
    for number in range(12):
        harness.send(AS_ADA, ("games", "seeks")[number % 2], harness.last(ADA))
    mail = shown(harness, "ps a1")
    assert harness.notes[-1][0] == "rejected"
    harness.now += timedelta(hours=2)
    harness.confirms = False
    attempt(harness, by_everything(harness, mail, "ps c4"))


def test_an_old_token_renews_nothing() -> None:
    harness, mail = played("plus addresses")
    harness = harness.scene()
    before = numbers(harness)
    for readers in (BEN, LIST, f"{BEN}, {LIST}"):
        forged = by_everything(harness, mail, "ps c4")
        forged["Cc"] = readers
        attempt(harness, forged)
    assert numbers(harness) == before


def test_a_flood_renews_the_token_once_a_letter() -> None:
    harness = MemoryHarness()
    harness.begin()
    letter = harness.last(ADA)
    harness.confirms = False
    for _ in range(20):
        harness.send(AS_ADA, "rs", letter, Cc=LIST)
    assert numbers(harness) == (2, 0)


def test_a_yes_to_a_question_that_ben_has_read_is_none() -> None:
    """Ada is asked whether she resigns, and asks Ben about it, with the letter's token in her mail."""
    harness = MemoryHarness()
    harness.begin()
    harness.confirms = False
    (question,) = harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "Shall I, Ben?", question, Cc=BEN)
    forged = harness.mail(AS_ADA, "yes", question)
    assert all("yes" in said(one) for one in attempt(harness, forged))
    assert not [one for one in harness.box if one.to == BEN and "gives the game up" in said(one)]


def test_a_held_mail_is_not_released_by_an_old_token() -> None:
    harness, mail = played("plus addresses")
    harness = harness.scene()
    (question,) = attempt(harness, by_everything(harness, mail, "ps c4"))
    shown(harness, "What is this, Ben?")
    attempt(harness, harness.mail(AS_ADA, "yes", question))
    assert turns(harness)[-1] == "ps d5"


@pytest.mark.parametrize(
    ("shown_by", "text"),
    combined(
        ["help", "👍", AWAY],
        ["#1 ps c4", "name Loser", "stop", f"address add {BEN}", f"new 5 vs {LIST}", "forget me"],
    ),
)
def test_a_personal_token_that_others_have_read_proves_nothing(text: str, shown_by: str) -> None:
    harness = MemoryHarness()
    harness.begin()
    (games,) = harness.send(AS_ADA, "games")
    for _ in range(3 * (shown_by == AWAY)):
        harness.send(AS_ADA, AWAY, games)
    harness.deliver(harness.mail(AS_ADA, shown_by, games, Cc=BEN).as_bytes())
    harness.confirms = False
    for forged in (
        harness.mail(AS_ADA, text, to=str(games.mail["Reply-To"])),
        harness.mail(AS_ADA, text, In_Reply_To=games.id),
        harness.mail(AS_ADA, text, to=harness.services.key.letter_address(games.id)),
    ):
        attempt(harness, forged)


def test_a_letter_with_the_renewed_personal_token_proves_the_address() -> None:
    harness = MemoryHarness()
    harness.begin()
    harness.send(AS_ADA, "games")
    shown(harness, "help")
    harness.confirms = False
    (answer,) = harness.send(AS_ADA, "seek 6", harness.last(ADA))
    assert "seek #1" in said(answer)
    assert not answer.asks_who


def test_the_letters_of_before_the_bids_prove_nothing_of_the_seat_that_is_the_guest_s_now() -> None:
    """The seats were drawn anew, so that the host has a letter with the token of the guest's seat."""
    harness = MemoryHarness()
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=1")
    asked = harness.last(ADA)
    harness.send(AS_BEN, "accept bid=9", harness.last(BEN))
    assert harness.table().names == ("Ben", "Ada")
    harness.confirms = False
    before = kept(harness.store)
    for text in ("ps b1", "resign", "draw"):
        letters = harness.deliver(harness.mail(AS_BEN, text, asked).as_bytes())
        assert kept(harness.store) == before
        assert {one.to for one in letters} <= {BEN}
    harness.play("ps a1", start=1)
    assert turns(harness) == ["ps a1"]


@each_row(("result", "way"), combined(["", "dmarc=none", "dmarc=fail (p=NONE sp=NONE dis=NONE)"], WAYS))
def test_a_mail_that_a_server_vouches_for_shows_its_token_all_the_same(way: Way, result: str) -> None:
    harness = MemoryHarness()
    harness.begin()
    harness.change(authserv_id=OURS)
    mail = harness.mail(AS_ADA, "ps a1", harness.last(ADA), Cc=BEN)
    vouched = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org\n".encode()
    letters = harness.deliver(vouched + mail.as_bytes())
    assert turns(harness) == ["ps a1"]
    assert not [one for one in letters if "Others could read" in said(one)]
    harness.play("ps e5", start=1)
    harness.confirms = False
    forged = way(harness, mail, "ps c4")
    if result:
        forged["Authentication-Results"] = f"{OURS}; {result} header.from=example.org"
    attempt(harness, forged)


@each_row(("text", "way"), combined(["👍", "[like] Ada reacted to your message:"], WAYS))
def test_a_reaction_shows_its_token_too(way: Way, text: str) -> None:
    harness = MemoryHarness()
    harness.begin_and_play("ps a1", "ps e5")
    mail = shown(harness, text)
    (told,) = [one for one in harness.box if one.to == ADA and "Others could read" in said(one)]
    harness.confirms = False
    attempt(harness, way(harness, mail, "ps c4"))
    harness.send(AS_ADA, "ps c4", told)
    assert turns(harness)[2:] == ["ps c4"]


def test_a_machine_that_reacts_to_each_letter_before_others_falls_silent() -> None:
    harness = MemoryHarness()
    harness.begin()
    answers = []
    for _ in range(20):
        harness.now += timedelta(seconds=20)
        answers += harness.send(AS_ADA, "👍", harness.last(ADA), Cc=LIST)
    assert 1 <= len(answers) <= 3


def test_what_is_said_to_all_shows_a_token_of_one_s_own_too() -> None:
    """Ada's mail to Ben has the addresses of both seats."""
    harness = MemoryHarness()
    harness.begin_and_play("ps a1", "ps e5")
    mail = shown(harness, "A nice opening!", Cc=f"{BEN}, {harness.last(BEN).mail['Reply-To']}")
    harness.confirms = False
    attempt(harness, by_everything(harness, mail, "ps c4"))


def test_no_letter_to_ben_shows_ada_s_token() -> None:
    harness, _ = played("plus addresses")
    key = harness.services.key
    secrets = [key.token(1, Seat.FIRST, number).partition(".")[2] for number in range(4)]
    shown_to_ben = "\n".join(one.mail.as_string() for one in harness.box if one.to == BEN)
    assert not [one for one in secrets if one in shown_to_ben]
