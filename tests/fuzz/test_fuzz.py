"""Whatever the mail, nothing raises, nobody's move is played that they did not type, and no letter is misdirected.

`make fuzz` runs these tests, for as long as wanted. A failure that they find becomes a test of its own in the folder of
the fault.
"""

import re
import tracemalloc
from functools import cache

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import writable
from takmail.commands.grammar.understand import named_games, understand
from takmail.games.registry import GAMES
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.reader import read, read_id_and_sender
from takmail.world.kinds import MailState
from tests.commands.grammar.reading import ASKED
from tests.fuzz.begun import Begun, Outcome
from tests.fuzz.conftest import Try
from tests.fuzz.hostile import hostile_mails
from tests.fuzz.mails import Mail, answers, cut_answers, damaged_mails, machine_mails, odd_mails, reports
from tests.support.cost import PROSE, TRIES, cpu, page
from tests.support.harness import BEN, TAK, Received

pytestmark = pytest.mark.fuzz

MOST_WORK = 30
"""The maximum work for a mail, as a multiple of the work for a mail with 50,000 characters of ordinary text."""
MOST_MEMORY = 60 * 1024 * 1024
"""The maximum number of bytes that reading a mail may take in addition to the mail itself."""
OWN = OwnAddress(TAK, "Tak by Mail")
EXAMPLE = f"vs {BEN}"
"""A text with Ben's address that occurs in letters that explain how to begin."""
ANYWHERE = anywhere(GAMES, COMMANDS)


def read_in_all_ways(raw: bytes, letter: str) -> None:
    """Read a mail both with and without the answered letter."""
    mail = read(raw, frozenset({TAK}))
    assert read_id_and_sender(raw) == (mail.message_id, mail.sender)
    for answered in (letter, None):
        typed = writable(typed_text(mail.body.text, answered, OWN))
        named_games(typed, ANYWHERE)
        understand(typed, ANYWHERE, expected=ASKED)


@cache
def usual() -> float:
    """Return the processor time for an ordinary mail of 50,000 characters, in seconds."""
    raw = f"From: {BEN}\n\n{page(50_000)}".encode()
    return min(cpu(lambda: read_in_all_ways(raw, PROSE)) for _ in range(TRIES))


def is_read_in_time(raw: bytes, letter: str) -> None:
    assert any(cpu(lambda: read_in_all_ways(raw, letter)) < MOST_WORK * usual() for _ in range(TRIES))


def shown(letter: Received) -> str:
    """Return everything that a letter shows to its reader, with decoded headers and unfolded lines."""
    headers = "\n".join(f"{name}: {value}" for name, value in letter.mail.items())
    return f"{headers}\n\n{letter.text}".lower()


def addresses_in(text: str) -> set[str]:
    """Return what a person takes for an address, without punctuation around it."""
    return {one.strip(".+-") for one in re.findall(r"[\w.+-]+@[\w.-]+", text)}


def is_lawful(begun: Begun, mail: Mail, outcome: Outcome) -> None:
    """Assert that the outcome was permitted for the mail's sender, and that no letter shows anything secret."""
    envelope = read(mail.raw, frozenset({TAK}))
    brought = f"{envelope} {mail.raw.decode('latin-1')}".lower()
    assert len(outcome.turns) <= 1
    assert (outcome.state == MailState.PLAYED) == bool(outcome.turns)
    if outcome.turns:
        assert envelope.sender == BEN
        assert begun.tokens[BEN] in brought
        assert mail.turn in (None, *outcome.turns), mail.way
        assert mail.token
    if outcome.state in (MailState.MACHINE, MailState.DUPLICATE) or not outcome.letters:
        assert not outcome.letters
        assert outcome.note
    for letter in outcome.letters:
        assert letter.to in outcome.players | {envelope.sender}
        text = shown(letter).replace(EXAMPLE, "")
        if letter.to == envelope.sender:
            # A letter to the sender may repeat only what the sender wrote.
            assert all(one not in text or one in brought for one in begun.secrets(letter.to))
        else:
            # No token and no address of the sender is passed on. The sender may write what they know of others.
            assert not any(
                token in text for token in begun.tokens.values() if token != begun.tokens.get(letter.to)
            )
            # Only a guest whose address the sender typed reads the sender's.
            assert envelope.sender not in addresses_in(text) or "asks you to a game" in letter.subject
            assert all(one not in text or one in brought for one in begun.secrets(letter.to))


def test_any_mail_is_read(begun: Begun, tried: Try) -> None:
    letters = begun.letters + begun.letters_to_ada
    text = letters[0].text
    mails = odd_mails(letters) | damaged_mails() | answers(begun.letters)
    tried(0.15, mails, lambda mail: is_read_in_time(mail.raw, text))


def test_any_mail_ends_in_one_place_and_its_letters_go_where_they_may(begun: Begun, tried: Try) -> None:
    mails = odd_mails(begun.letters + begun.letters_to_ada) | damaged_mails() | cut_answers(begun.letters)
    tried(0.25, mails, lambda mail: is_lawful(begun, mail, begun.deal(mail.raw)))


def test_exactly_what_was_typed_is_found(begun: Begun, tried: Try) -> None:
    def is_found(mail: Mail) -> None:
        text = read(mail.raw, frozenset({TAK})).body.text
        found = typed_text(text, mail.letter.text if mail.letter else None, OWN)
        # If a program wrapped a quoted line without repeating the prefix, only the known letter shows the rest of that
        # line.
        if mail.letter or "overhanging" not in mail.way:
            assert found.split() == " ".join(mail.typed).split(), mail.way

    tried(0.15, answers(begun.letters), is_found)


def test_what_was_typed_is_played_and_nothing_that_was_quoted(begun: Begun, tried: Try) -> None:
    def plays_what_it_has_to(mail: Mail) -> None:
        outcome = begun.deal(mail.raw)
        is_lawful(begun, mail, outcome)
        assert outcome.turns == ((mail.turn,) if mail.turn else ()), f"{mail.way}: {outcome.note}"
        # A board in a quoted letter is not taken for a board that the player shows.
        assert not any(letter.text.startswith("Your board ") for letter in outcome.letters), mail.way
        assert not any("\nYour board " in letter.text for letter in outcome.letters), mail.way

    tried(0.2, answers(begun.letters), plays_what_it_has_to)


def test_no_mail_costs_more_than_it_may(begun: Begun, tried: Try) -> None:
    text = begun.letters[0].text

    def is_cheap(mail: Mail) -> None:
        is_read_in_time(mail.raw, text)
        tracemalloc.start()
        try:
            read(mail.raw, frozenset({TAK}))
            assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY, mail.way
        finally:
            tracemalloc.stop()

    tried(0.15, hostile_mails(), is_cheap)


def test_no_machine_gets_a_letter(begun: Begun, tried: Try) -> None:
    def is_left_alone(mail: Mail) -> None:
        outcome = begun.deal(mail.raw)
        assert outcome.state == MailState.MACHINE
        assert not outcome.letters
        assert not outcome.turns

    tried(0.1, machine_mails(begun.letters) | reports(begun.letters), is_left_alone)
