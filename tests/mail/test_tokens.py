"""Tokens without a service: signed tokens are recognised in every place, and nothing else is."""

import re

import pytest

from takmail.games.interface import Seat
from takmail.mail.tokens import NO_REMINDERS, STOP, SeatKey, SeatRef, nonce_of, tagged_game
from tests.support.players import ADA, BEN, TAK
from tests.support.tables import each_row

PLUS = SeatKey(b"a key for tests only", TAK, "+")
BARE = SeatKey(b"a key for tests only", TAK, "")
OTHER = SeatKey(b"another key", TAK, "+")
NEW = SeatKey(b"another key", TAK, "+", lambda: (b"a key for tests only",))
NONCE = "0123456789abcdef"
FIRST, SECOND = SeatRef(12, Seat.FIRST, 3), SeatRef(12, Seat.SECOND, 3)
LETTER = PLUS.message_id(FIRST, ADA, NONCE)
PERSONAL = PLUS.message_id(None, ADA, NONCE)
TOKEN = PLUS.token(12, Seat.FIRST)
OF_ADA = ".".join(PERSONAL.strip("<>").split(".")[:2])


def seat(ref: SeatRef | None) -> tuple[int, Seat] | None:
    return None if ref is None else (ref.game, ref.seat)


def test_a_token_is_the_game_and_sixteen_letters_of_its_seats_own() -> None:
    assert re.fullmatch(r"12\.[a-z2-7]{16}", TOKEN)
    others = {PLUS.token(12, Seat.SECOND), PLUS.token(13, Seat.FIRST), OTHER.token(12, Seat.FIRST)}
    assert len({TOKEN, *others}) == 4


def test_what_a_letter_carries_has_one_form_with_plus_addresses_and_one_without() -> None:
    assert PLUS.reply_address(12, Seat.FIRST) == f"tak+{TOKEN}@example.test"
    assert PLUS.subject_tag(12, Seat.FIRST) == "[tak #12]"
    assert PLUS.letter_tag(LETTER) == "[tak #12]"
    assert PLUS.letter_address(LETTER) == f"tak+{TOKEN}.3.{NONCE}@example.test"
    assert f"<{TOKEN}.3.{NONCE}@example.test>" == LETTER
    assert PLUS.unsubscribe_address(ADA)[1] == "stop"
    assert PLUS.unsubscribe_address(ADA, NO_REMINDERS)[1] == "reminders off"
    assert BARE.reply_address(12, Seat.FIRST) == TAK
    assert BARE.subject_tag(12, Seat.FIRST) == f"[tak #{TOKEN}]"
    assert BARE.letter_tag(LETTER) == f"[tak #{TOKEN}.3.{NONCE}]"
    assert BARE.letter_address(LETTER) == TAK
    assert BARE.unsubscribe_address(ADA)[0] == TAK
    assert BARE.personal_address(ADA) == TAK


@pytest.mark.parametrize(("room", "is_named"), [(0, True), (1, False)])
def test_an_address_names_its_letter_up_to_sixty_four_characters(room: int, is_named: bool) -> None:
    key = SeatKey(b"a key", "x" * (64 - len(f"+{TOKEN}.3.{NONCE}") + room) + "@example.test", "+")
    letter = key.message_id(FIRST, ADA, NONCE)
    local = key.letter_address(letter).rpartition("@")[0]
    assert local.endswith(f".3.{NONCE}") is is_named
    assert len(local) <= 64
    assert seat(key.in_address(key.letter_address(letter))) == seat(FIRST)


@each_row(
    ("proved", "ref"),
    [
        (PLUS.in_address(PLUS.reply_address(12, Seat.FIRST)), (12, Seat.FIRST)),
        (PLUS.in_address(PLUS.reply_address(12, Seat.SECOND).upper()), (12, Seat.SECOND)),
        (PLUS.in_address(PLUS.letter_address(LETTER)), (12, Seat.FIRST)),
        (PLUS.in_address(OTHER.reply_address(12, Seat.FIRST)), None),
        (PLUS.in_address(TAK), None),
        (PLUS.in_address(f"x{PLUS.reply_address(12, Seat.FIRST)}"), None),
        (BARE.in_address(PLUS.reply_address(12, Seat.FIRST)), None),
        (NEW.in_address(PLUS.reply_address(12, Seat.FIRST)), (12, Seat.FIRST)),
        (NEW.in_address(NEW.reply_address(12, Seat.FIRST)), (12, Seat.FIRST)),
        (PLUS.in_message_id(LETTER.upper()), (12, Seat.FIRST)),
        (PLUS.in_message_id(OTHER.message_id(FIRST, ADA, NONCE)), None),
        (PLUS.in_message_id(LETTER.replace("example.test", "example.org")), None),
        (PLUS.in_message_id(PERSONAL), None),
        (BARE.in_subject(f"Re: {BARE.subject_tag(12, Seat.SECOND)} your turn"), (12, Seat.SECOND)),
        (BARE.in_subject(f"AW: {BARE.letter_tag(LETTER).upper()}"), (12, Seat.FIRST)),
        (BARE.in_subject("[tak #12]"), None),
    ],
)
def test_what_was_signed_proves_its_seat_and_nothing_else_does(
    proved: SeatRef | None, ref: tuple[int, Seat] | None
) -> None:
    assert seat(proved) == ref


def test_a_message_id_tells_the_turn_that_its_letter_showed() -> None:
    assert PLUS.in_message_id(LETTER) == FIRST
    assert PLUS.in_message_id(PLUS.message_id(SeatRef(12, Seat.FIRST), ADA, NONCE)) == SeatRef(
        12, Seat.FIRST, 0
    )


def test_a_letter_that_asks_says_so_in_its_message_id() -> None:
    for ref in (FIRST, None):
        assert PLUS.asks(PLUS.message_id(ref, ADA, NONCE, asks=True))
        assert not PLUS.asks(PLUS.message_id(ref, ADA, NONCE))
    assert not PLUS.asks("<q1@mail.example.org>")


@pytest.mark.parametrize(("language", "mark"), [("ru", "12b"), ("zh-hant", "3"), ("en", "3e")])
def test_a_letter_with_a_lesson_says_so_in_its_message_id(language: str, mark: str) -> None:
    letter = PLUS.message_id(None, ADA, NONCE, lesson=f"{language}{mark}")
    assert PLUS.lesson(letter) == (language, mark)
    assert PLUS.letters_in([PLUS.letter_address(letter)], "") == (letter,)
    assert not PLUS.asks(letter)
    others = (PERSONAL, LETTER, PLUS.message_id(None, ADA, NONCE, asks=True), "<len3l1@mail.example.org>", "")
    assert [PLUS.lesson(other) for other in others] == [None] * len(others)


@pytest.mark.parametrize("letter", [LETTER, PERSONAL], ids=["of a game", "of none"])
def test_a_letter_is_named_by_the_address_or_the_subject_that_a_link_writes_to(letter: str) -> None:
    assert PLUS.letters_in([TAK, PLUS.letter_address(letter).upper()], "Re: hello") == (letter,)
    assert PLUS.letters_in([TAK, PLUS.reply_address(12, Seat.FIRST), PLUS.personal_address(ADA)], "") == ()
    assert BARE.letters_in([PLUS.letter_address(letter)], "") == ()


def test_a_subject_names_a_letter_where_the_address_cannot() -> None:
    assert BARE.letters_in([TAK], f"Re: {BARE.letter_tag(LETTER)}") == (LETTER,)
    assert BARE.letters_in([TAK], f"Re: {BARE.subject_tag(12, Seat.FIRST)}") == ()


@pytest.mark.parametrize(
    ("head", "game"),
    [
        (f"To: {PLUS.reply_address(12, Seat.FIRST)}", 12),
        (f"In-Reply-To: {LETTER}", 12),
        ("Subject: Re: [tak #7] your turn", 7),
        (f"Subject: [tak #{TOKEN}]", 12),
        (f"Subject: [tak #7]\nIn-Reply-To: {LETTER}\nTo: {PLUS.reply_address(3, Seat.FIRST).upper()}", 3),
        (f"Subject: [tak #7]\nIn-Reply-To: {LETTER}", 7),
        ("Subject: tak 12", None),
    ],
)
def test_a_head_names_a_game_by_its_address_before_all_else(head: str, game: int | None) -> None:
    assert PLUS.game_named(head.encode()) == game


def test_the_newest_of_our_message_ids_is_found_among_others() -> None:
    assert PLUS.newest_own(["<1@example.org>", PERSONAL.upper(), LETTER]) == PERSONAL
    assert PLUS.newest_own(["<1@example.org>"]) is None


@each_row(
    ("key", "recipients", "thread", "sender", "is_theirs"),
    [
        (PLUS, [PLUS.personal_address(ADA)], [], ADA, True),
        (PLUS, [PLUS.personal_address(ADA)], [], BEN, False),
        (PLUS, [TAK], ["<1@example.org>", PERSONAL.upper()], ADA, True),
        (PLUS, [TAK], [PERSONAL], BEN, False),
        (PLUS, [TAK], [LETTER], ADA, False),
        (BARE, [PLUS.personal_address(ADA)], [], ADA, False),
        (BARE, [TAK], [PERSONAL], ADA, True),
        (NEW, [PLUS.personal_address(ADA)], [], ADA, True),
        (OTHER, [PLUS.personal_address(ADA)], [PERSONAL], ADA, False),
        (PLUS, [PLUS.unsubscribe_address(ADA)[0]], [], ADA, False),
    ],
)
def test_a_personal_token_proves_the_address_that_it_was_written_to(
    key: SeatKey, recipients: list[str], thread: list[str], sender: str, is_theirs: bool
) -> None:
    assert key.proves_address(recipients, thread, sender, 0) is is_theirs
    assert not key.proves_address(recipients, thread, sender, 1)


@pytest.mark.parametrize("line", [STOP, NO_REMINDERS])
@pytest.mark.parametrize("key", [PLUS, BARE], ids=["plus addresses", "none"])
def test_only_who_was_told_how_unsubscribes(key: SeatKey, line: str) -> None:
    address, subject = key.unsubscribe_address(ADA, line)
    assert key.unsubscribes([address], subject, ADA) == line
    assert not key.unsubscribes([address], subject, BEN)
    assert not key.unsubscribes([key.personal_address(ADA)], line, ADA)


@pytest.mark.parametrize(
    ("message_id", "ref", "reader", "may"),
    [
        (LETTER, FIRST, ADA, True),
        (LETTER, SECOND, BEN, False),
        (LETTER, SeatRef(13, Seat.FIRST), ADA, False),
        (LETTER, None, ADA, False),
        (PERSONAL, None, ADA, True),
        (PERSONAL, FIRST, BEN, False),
        ("<1@mail.example.org>", None, ADA, True),
    ],
)
def test_a_message_id_of_ours_is_shown_to_its_own_reader_alone(
    message_id: str, ref: SeatRef | None, reader: str, may: bool
) -> None:
    assert PLUS.may_see(message_id.upper(), ref, reader) is may


@each_row(
    ("key", "address", "is_own"),
    [
        (PLUS, TAK, True),
        (PLUS, "tak+anything@example.test", True),
        (PLUS, "tak+a+b@example.test", True),
        (PLUS, "tak@example.org", False),
        (PLUS, "taken@example.test", False),
        (BARE, TAK, True),
        (BARE, "tak+anything@example.test", False),
        (SeatKey(b"a key", "tak+club@example.test", "+"), "tak+club@example.test", True),
    ],
)
def test_the_services_own_address_is_known_with_any_detail(key: SeatKey, address: str, is_own: bool) -> None:
    assert key.is_own(address) is is_own


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"write to {PLUS.reply_address(12, Seat.FIRST)}", "write to tak+...@example.test"),
        (f"{TOKEN.upper()} and {OF_ADA}", "... and ..."),
        (f"not mine: 12.{'a' * 16}", f"not mine: 12.{'a' * 16}"),
        (OTHER.token(12, Seat.FIRST), OTHER.token(12, Seat.FIRST)),
    ],
)
def test_tokens_are_blotted_out_and_what_only_looks_like_one_is_not(text: str, shown: str) -> None:
    assert PLUS.redact_tokens(text) == shown


def test_after_a_hundred_look_alikes_all_are_blotted_out() -> None:
    one = f"12.{'a' * 16}"
    words = PLUS.redact_tokens(" ".join([one] * 102)).split()
    assert words == [one] * 100 + ["..."] * 2


def test_chance_is_the_same_for_a_cause_and_a_key() -> None:
    assert PLUS.seed("mail 1") == BARE.seed("mail 1")
    assert len({PLUS.seed("mail 1"), PLUS.seed("mail 2"), OTHER.seed("mail 1")}) == 3
    seed = PLUS.seed("mail 1")
    assert re.fullmatch("[0-9a-f]{16}", nonce_of(seed, 1))
    assert nonce_of(seed, 1) != nonce_of(seed, 2)


@pytest.mark.parametrize(
    ("subject", "game"), [("Re: [TAK #12] your turn", 12), (f"[tak #{TOKEN}]", None), ("tak 12", None)]
)
def test_a_tag_names_a_game_without_proving_anything(subject: str, game: int | None) -> None:
    assert tagged_game(subject) == game


@pytest.mark.parametrize("key", [PLUS, BARE])
@pytest.mark.parametrize("number", [0, 1, 2, 999_999])
def test_a_token_names_its_number(key: SeatKey, number: int) -> None:
    ref = SeatRef(12, Seat.FIRST, 3, number)
    letter = key.message_id(ref, ADA, NONCE)
    assert key.in_message_id(letter.upper()) == ref
    assert key.game_named(f"In-Reply-To: {letter}".encode()) == 12
    named = key.letters_in([key.letter_address(letter)], key.letter_tag(letter))
    assert named == (letter,)
    assert len(key.letter_address(letter).partition("@")[0]) <= 64
    assert key.redact_tokens(f"see {letter[1:-1]}") == f"see ....3.{NONCE}@example.test"
    to = key.in_address(key.reply_address(12, Seat.FIRST, number))
    tag = key.in_subject(key.subject_tag(12, Seat.FIRST, number))
    assert (to or tag) == SeatRef(12, Seat.FIRST, None, number)
    assert (to is None) == (key is BARE)


def test_the_number_of_a_token_cannot_be_changed() -> None:
    signature = PLUS.token(12, Seat.FIRST, 2).partition(".")[2]
    for head in ("12", "12n1", "12n3", "12n02x", "1n2", "112n2"):
        assert PLUS.in_address(f"tak+{head}.{signature}@example.test") is None
    assert PLUS.in_address(f"tak+12N02.{signature.upper()}@example.test") == SeatRef(12, Seat.FIRST, None, 2)
    tokens = {PLUS.token(12, seat, number).partition(".")[2] for seat in Seat for number in range(50)}
    assert len(tokens) == 100


def test_personal_tokens_have_numbers_too() -> None:
    for number in (0, 1, 7):
        to, letter = PLUS.personal_address(ADA, number), PLUS.message_id(None, ADA, NONCE, number)
        for given in ([to], [PLUS.letter_address(letter)]):
            assert PLUS.proves_address(given, (), ADA, number)
            assert not PLUS.proves_address(given, (), ADA, number + 1)
        assert PLUS.proves_address((), [letter], ADA, number)
        assert PLUS.may_see(letter, None, ADA)
        assert PLUS.redact_tokens(to) == "tak+...@example.test"
