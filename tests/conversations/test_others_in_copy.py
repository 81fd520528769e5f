"""People who have others in copy, answer all readers, or use programs that change the headers: nobody asks them."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from takmail.world.kinds import MailState
from tests.attacks.scene import OURS
from tests.support.memory_harness import WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.width import some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
AT_WORK, AT_HOME = "work.ada@example.org", "ada@example.net"
FRIEND, LIST = "nora@example.net", "tak-friends@example.net"
MOVES = (
    "ps a1",
    "ps e5",
    "ps b4",
    "ps d5",
    "ps c2",
    "ps a3",
    "ps e2",
    "ps b1",
    "ps d3",
    "ps c4",
    "ps a5",
    "ps e4",
)
READ = "Others could read your last mail"
ASKS = "I can't be sure that it was yours"
VOUCHED = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org\n".encode()


@pytest.fixture
def harness() -> MemoryHarness:
    found = MemoryHarness()
    found.begin()
    return found


def told(harness: MemoryHarness, who: str) -> int:
    """Return how many letters told somebody that others have read a reply address."""
    return sum(one.to == who and READ in said(one) for one in harness.box)


def asked(harness: MemoryHarness) -> int:
    """Return how many letters asked who wrote a mail, without the one about the invitation."""
    return sum(ASKS in said(one) or one.asks_who for one in harness.box) - 1


def play(harness: MemoryHarness, answer: Callable[[str, str, Received], EmailMessage]) -> None:
    """Play all moves, each in answer to the newest letter, as `answer` writes it."""
    harness.confirms = False
    for number, move in enumerate(MOVES):
        who = (AS_ADA, AS_BEN)[number % 2]
        harness.deliver(answer(who, move, harness.last((ADA, BEN)[number % 2])).as_bytes())
        assert harness.notes[-1][0] == MailState.PLAYED


@pytest.mark.parametrize(
    ("reader", "times"),
    some_of([(ADA, 0), (AT_WORK, 0), (AT_HOME, 1), (LIST, 1), (BEN, 1), (f"{BEN}, {LIST}", 1)], 2),
)
def test_ada_has_somebody_in_copy_all_the_time(harness: MemoryHarness, reader: str, times: int) -> None:
    harness.send(AS_ADA, f"address add {AT_WORK}", harness.last(ADA))
    harness.send(f"Ada <{AT_WORK}>", "yes", harness.last(AT_WORK))
    harness.send(AS_ADA, "rs", harness.last(ADA))
    before = asked(harness)

    def answer(who: str, move: str, letter: Received) -> EmailMessage:
        return harness.mail(who, move, letter, **({"Cc": reader} if who == AS_ADA else {}))

    play(harness, answer)
    assert turns(harness) == [*MOVES]
    assert (told(harness, ADA), told(harness, BEN), asked(harness)) == (times, 0, before)


def test_both_have_each_other_in_copy_all_the_time(harness: MemoryHarness) -> None:
    play(
        harness,
        lambda who, move, letter: harness.mail(
            who, f"{move}\n\nHi!", letter, Cc=ADA if who == AS_BEN else BEN
        ),
    )
    assert turns(harness) == [*MOVES]
    assert (told(harness, ADA), told(harness, BEN), asked(harness)) == (1, 1, 0)


def test_ada_had_somebody_in_copy_once(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "rs", harness.last(ADA), Cc=LIST)
    play(harness, harness.mail)
    assert turns(harness) == [*MOVES]
    assert (told(harness, ADA), asked(harness)) == (1, 0)


def plain_to(harness: MemoryHarness, who: str, move: str, letter: Received) -> EmailMessage:
    """The provider drops the detail from To, or has replaced Reply-To by From."""
    return harness.mail(who, move, letter, to=TAK)


def delivered_to(harness: MemoryHarness, who: str, move: str, letter: Received) -> EmailMessage:
    address = letter.mail["Reply-To"].addresses[0].addr_spec
    return harness.mail(who, move, letter, to=TAK, threaded=False, Delivered_To=address)


def original_to(harness: MemoryHarness, who: str, move: str, letter: Received) -> EmailMessage:
    address = letter.mail["Reply-To"].addresses[0].addr_spec
    return harness.mail(who, move, letter, to=TAK, threaded=False, X_Original_To=address)


def both_addresses(harness: MemoryHarness, who: str, move: str, letter: Received) -> EmailMessage:
    return harness.mail(who, move, letter, to=f"{TAK}, {letter.mail['Reply-To']}", Cc=TAK.upper())


def to_nobody(harness: MemoryHarness, who: str, move: str, letter: Received) -> EmailMessage:
    return harness.mail(who, move, letter, to="undisclosed-recipients:;")


@pytest.mark.parametrize("way", some_of([plain_to, delivered_to, original_to, both_addresses, to_nobody], 2))
def test_programs_and_providers_change_the_headers(
    harness: MemoryHarness, way: Callable[[MemoryHarness, str, str, Received], EmailMessage]
) -> None:
    play(harness, lambda who, move, letter: way(harness, who, move, letter))
    assert turns(harness) == [*MOVES]
    assert [seat.token_number for seat in harness.table().record.seats] == [0, 0]
    assert (told(harness, ADA), asked(harness)) == (0, 0)


def test_without_plus_addresses_the_tag_of_the_newest_letter_proves() -> None:
    harness = MemoryHarness(services=WITHOUT_PLUS)
    harness.begin()
    play(harness, lambda who, move, letter: harness.mail(who, move, letter, threaded=False, Cc=LIST))
    assert turns(harness) == [*MOVES]
    assert (told(harness, ADA), told(harness, BEN), asked(harness)) == (1, 1, 0)


def test_an_answer_to_an_older_letter_asks_once_and_is_not_lost(harness: MemoryHarness) -> None:
    older = harness.last(ADA)
    harness.send(AS_ADA, "What do you think, Nora?\n\nrs", older, Cc=FRIEND)
    (question,) = harness.send(AS_ADA, "ps a1", older)
    assert "before your present reply address" in said(question)
    harness.send(AS_ADA, "yes", question)
    harness.play("ps e5", start=1)
    harness.play("ps b4")
    assert turns(harness) == ["ps a1", "ps e5", "ps b4"]
    assert (told(harness, ADA), asked(harness)) == (1, 1)


def test_the_other_seat_has_a_token_of_its_own(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "ps a1", harness.last(ADA), Cc=BEN)
    harness.play("ps e5", start=1)
    assert turns(harness) == ["ps a1", "ps e5"]
    assert (told(harness, BEN), asked(harness)) == (0, 0)


def test_who_wants_no_receipts_gets_a_letter_to_answer_nevertheless(harness: MemoryHarness) -> None:
    letter = harness.last(ADA)
    harness.send(AS_ADA, "receipts off", letter)
    before = asked(harness)
    for mine, his in (("ps a1", "ps e5"), ("ps b4", "ps d5")):
        letters = harness.send(AS_ADA, mine, letter, Cc=LIST)
        assert [one.to for one in letters] == [ADA, BEN]
        assert told(harness, ADA) == 1
        assert harness.send(AS_ADA, "Have fun!", harness.last(ADA)) != []
        harness.send(AS_BEN, his, harness.last(BEN))
        letter = harness.last(ADA)
    letters = harness.send(AS_ADA, "ps c2", harness.last(ADA))
    assert ADA not in [one.to for one in letters]
    assert (told(harness, ADA), asked(harness)) == (1, before)


@pytest.mark.parametrize("receipts", ["on", "off"])
def test_a_server_that_vouches_is_no_reason_for_a_letter(harness: MemoryHarness, receipts: str) -> None:
    letter = harness.last(ADA)
    harness.send(AS_ADA, f"receipts {receipts}", letter)
    harness.change(authserv_id=OURS)
    harness.confirms = False
    before = asked(harness)
    for mine, his in (("ps a1", "ps e5"), ("👍", "rs"), ("ps b4", "ps d5")):
        mail = harness.mail(AS_ADA, mine, letter, Cc=LIST)
        letters = harness.deliver(VOUCHED + mail.as_bytes())
        assert sum(one.to == ADA for one in letters) == (receipts == "on" and mine != "👍")
        harness.send(AS_BEN, his, harness.last(BEN))
        letter = harness.last(ADA)
    assert turns(harness) == ["ps a1", "ps e5", "ps b4", "ps d5"]
    assert (told(harness, ADA), asked(harness)) == (0, before)


def to_all(harness: MemoryHarness, who: str, text: str, mail: EmailMessage) -> EmailMessage:
    """Answer all readers of a mail between the players, which the other player wrote."""
    other = BEN if who == AS_ADA else ADA
    ours = next(one.addr_spec for one in mail["To"].addresses if one.domain == "example.test")
    return harness.mail(
        who,
        text,
        to=f"{other}, {ours}",
        subject=f"Re: {mail['Subject']}",
        In_Reply_To=str(mail["Message-ID"]),
        References=f"{mail['References'] or ''} {mail['Message-ID']}".strip(),
    )


def test_answers_to_all_readers_for_a_whole_game_behind_a_server_that_vouches(harness: MemoryHarness) -> None:
    harness.change(authserv_id=OURS)
    harness.confirms = False
    mail = harness.mail(AS_ADA, f"{MOVES[0]}\n\nGood luck!", harness.last(ADA), Cc=BEN)
    harness.deliver(VOUCHED + mail.as_bytes())
    for number, move in enumerate(MOVES[1:], 1):
        mail = to_all(harness, (AS_ADA, AS_BEN)[number % 2], f"{move}\n\nOver to you.", mail)
        harness.deliver(VOUCHED + mail.as_bytes())
    assert turns(harness) == [*MOVES]
    assert (told(harness, ADA), told(harness, BEN), asked(harness)) == (0, 0, 0)


def test_answers_to_all_readers_for_a_whole_game_are_each_asked_once(harness: MemoryHarness) -> None:
    harness.confirms = False
    mail = harness.mail(AS_ADA, f"{MOVES[0]}\n\nGood luck!", harness.last(ADA), Cc=BEN)
    harness.deliver(mail.as_bytes())
    for number, move in enumerate(MOVES[1:], 1):
        who, address = ((AS_ADA, ADA), (AS_BEN, BEN))[number % 2]
        mail = to_all(harness, who, f"{move}\n\nOver to you.", mail)
        (question,) = harness.deliver(mail.as_bytes())
        assert question.to == address
        assert ASKS in said(question)
        harness.send(who, "yes", question)
    assert turns(harness) == [*MOVES]
    assert told(harness, ADA) == 1


@pytest.mark.parametrize(
    "text", ["Thanks, a nice opening!", "yes", "no", "ps z9", "I would not have played a1.", "b4?", ""]
)
def test_talk_between_the_two_is_nobody_else_s(harness: MemoryHarness, text: str) -> None:
    mail = harness.mail(AS_ADA, "ps a1", harness.last(ADA), Cc=BEN)
    harness.deliver(mail.as_bytes())
    for _ in range(3):
        assert harness.deliver(to_all(harness, AS_BEN, text, mail).as_bytes()) == []


@pytest.mark.parametrize("text", ["agree", "agree draw"])
def test_what_is_ben_s_to_give_is_asked_of_ben_alone(harness: MemoryHarness, text: str) -> None:
    harness.confirms = False
    mail = harness.mail(AS_ADA, "ps a1\ndraw", harness.last(ADA), Cc=BEN)
    harness.deliver(mail.as_bytes())
    (question,) = harness.deliver(to_all(harness, AS_BEN, f"{text}\n\nWell played.", mail).as_bytes())
    assert question.to == BEN
    assert "Well played" not in question.text
    harness.send(AS_BEN, "yes", question)
    assert harness.table().record.standing == "over"


def test_ben_s_own_token_beside_ada_s_is_his_proof(harness: MemoryHarness) -> None:
    mail = harness.mail(AS_ADA, "ps a1", harness.last(ADA), Cc=BEN)
    harness.deliver(mail.as_bytes())
    answer = to_all(harness, AS_BEN, "ps e5\n\nOver to you.", mail)
    answer["Cc"] = str(harness.last(BEN).mail["Reply-To"])
    letters = harness.deliver(answer.as_bytes())
    assert turns(harness) == ["ps a1", "ps e5"]
    assert "Over to you." not in next(one.text for one in letters if one.to == ADA)


def test_somebody_who_plays_elsewhere_is_a_reader_like_ben(harness: MemoryHarness) -> None:
    harness.send(f"Nora <{FRIEND}>", "seek 6")
    mail = harness.mail(AS_ADA, "ps a1", harness.last(ADA), Cc=f"{BEN}, {FRIEND}")
    harness.deliver(mail.as_bytes())
    for text in ("Nice game!", "ps e5", "yes", "resign"):
        assert harness.deliver(to_all(harness, f"Nora <{FRIEND}>", text, mail).as_bytes()) == []
    assert turns(harness) == ["ps a1"]


def test_a_friend_is_told_once_a_game_whose_address_it_is(harness: MemoryHarness) -> None:
    letter = harness.last(ADA)
    (told_friend,) = harness.send(f"Nora <{FRIEND}>", "What a nice board!", letter)
    assert told_friend.to == FRIEND
    assert len(told_friend.text.splitlines()) <= 20
    assert len(told_friend.mail.as_bytes()) < 3_000
    for text in ("What a nice board!", "Thanks.", "Is it chess?"):
        assert harness.send(f"Nora <{FRIEND}>", text, letter) == []
    secret = harness.services.key.token(1, harness.table().record.seat_of(harness.table().players[0].id))
    assert secret.partition(".")[2] not in told_friend.mail.as_string()
    assert ADA not in told_friend.mail.as_string()
    letters = harness.send(f"Nora <{FRIEND}>", "ps a1", letter)
    assert [one.to for one in letters] == [ADA]


def test_ada_writes_from_an_address_that_is_not_known(harness: MemoryHarness) -> None:
    """The question goes to the address from which she plays. Words bring a letter that tells her how to add another."""
    (question,) = harness.send(f"Ada <{AT_HOME}>", "ps a1", harness.last(ADA))
    assert question.to == ADA
    harness.send(AS_ADA, "yes", question)
    assert turns(harness) == ["ps a1"]
    (letter,) = harness.send(f"Ada <{AT_HOME}>", "It was me.", harness.last(ADA))
    assert letter.to == AT_HOME
    assert "address add" in said(letter)


def test_who_writes_to_their_own_address_alone_is_heard_below_a_letter_of_the_opponent(
    harness: MemoryHarness,
) -> None:
    harness.begin()
    mail = harness.mail(f"Ada <{ADA}>", "refuse", harness.last(ADA)).as_bytes()
    in_thread = mail.replace(harness.last(ADA).id.encode(), harness.last(BEN).id.encode())
    (answer,) = harness.deliver(in_thread)
    assert (answer.to, "Ben offers nothing now" in said(answer)) == (ADA, True)
