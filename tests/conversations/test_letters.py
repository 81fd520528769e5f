"""All letters of whole games: what they contain, what they never contain, and how they are put into threads."""

import re
from functools import cache
from itertools import pairwise

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar import understand as understanding
from takmail.commands.grammar.line_reader import anywhere
from takmail.games.registry import GAMES
from takmail.mail.message import MachineSign
from tests.commands.grammar.reading import ASKED
from tests.support.memory_harness import PLAIN, WITHOUT_PLUS, MemoryHarness
from tests.support.players import ADA, BEN, TAK, Received
from tests.support.width import some_of

SENDERS = {ADA: f"Ada <{ADA}>", BEN: f"Ben <{BEN}>"}


def a_whole_game(harness: MemoryHarness) -> list[Received]:
    """Return every kind of letter, including chat and near misses, to the end of a game and after it."""
    script = [
        (ADA, "new 5 vs ben@example.org first=me komi=2\n\nDear Ben"),
        (BEN, "Who is this?\nps b4"),
        (BEN, "accept\n\nHello Ada, gladly"),
        (BEN, "resign"),
        (BEN, "no"),
        (ADA, "ps b4\n\nGood luck!\n/say ps b4\n/say resign"),
        (BEN, "ps c3\nhelp\nhelp moves\nrules"),
        (ADA, "pw d1 t\nshow 1"),
        (BEN, "im that was odd"),
        (ADA, "Let me see,\nim thinking"),
        (BEN, "rs\n\nmine fell down"),
        (BEN, "ps b3\nps b2"),
        (BEN, "ps z9\npc a5"),
        (BEN, "ms b4 2"),
        (BEN, "pc a5\nlog\ngames\nptn"),
        (ADA, "ps e5"),
        (BEN, "show 99"),
        (ADA, "ps a4"),
        (BEN, "ms b4"),
        (ADA, "new 6 vs other@example.org"),
        (ADA, "new 9 vs other@example.org"),
        (ADA, "ms a4 p1 1"),
        (ADA, "resign"),
        (ADA, "yes"),
        (BEN, "Thank you!\nptn"),
        (ADA, "rs"),
    ]
    for who, text in script:
        last = next((letter for letter in reversed(harness.box) if letter.to == who), None)
        harness.send(SENDERS[who], text, last)
    harness.send(SENDERS[BEN], "Me again\nps b1", to=TAK)
    harness.send("Someone <someone@example.net>", "hello")
    harness.send("Someone <someone@example.net>", "help new\nrs\nresign")
    return harness.box


@pytest.fixture(scope="module", params=[PLAIN, WITHOUT_PLUS], ids=["plus", "no plus"])
def letters(request: pytest.FixtureRequest) -> list[Received]:
    return a_whole_game(MemoryHarness(services=request.param))


def seat_tokens(letters: list[Received]) -> dict[str, set[str]]:
    """Return the tokens in each reader's Message-IDs."""
    found: dict[str, set[str]] = {}
    for letter in letters:
        found.setdefault(letter.to, set()).update(re.findall(r"^<(\d+\.[a-z2-7]{16})\.", letter.id))
    return found


def test_no_letter_shows_another_s_address_or_token(letters: list[Received]) -> None:
    tokens = seat_tokens(letters)
    assert all(tokens[who] for who in (ADA, BEN))
    for letter in letters:
        whole = letter.mail.as_string().lower() + letter.text.lower()
        for other in {ADA, BEN} - {letter.to}:
            # A player's own command is repeated to them, the help has an example, and an invitation names the host.
            shown = re.sub(rf"vs\s{BEN}|'s address\sis\s{ADA}", "", whole)
            assert other not in shown
            assert not any(token in whole for token in tokens[other])


def test_each_letter_carries_its_reader_s_own_token(letters: list[Received]) -> None:
    for letter in letters:
        token = re.match(r"<((?:\d+|me)\.[a-z2-7]{16})\.(?:\d+\.)?[a-z0-9]+@example\.test>$", letter.id)
        reply_to = str(letter.mail["Reply-To"] or "")
        assert not reply_to or (
            token and re.search(rf"tak\+{token[1]}(\.q[a-z0-9]+)?@example\.test", reply_to)
        )
        assert token
        assert token[1].startswith("me.") != letter.subject.startswith("[tak #")
        assert reply_to or token[1] in letter.subject or token[1].startswith("me.")


def test_message_ids_are_lower_case_and_unique(letters: list[Received]) -> None:
    ids = [letter.id for letter in letters]
    assert len(set(ids)) == len(ids)
    assert all(one == one.lower() for one in ids)


def test_all_that_goes_out_says_that_a_machine_wrote_it(letters: list[Received]) -> None:
    assert {str(letter.mail["Auto-Submitted"]) for letter in letters} == {"auto-replied", "auto-generated"}


def test_the_letters_of_a_seat_hold_together(letters: list[Received]) -> None:
    first: dict[str, Received] = {}
    subjects: dict[str, list[str]] = {}
    for letter in letters:
        token = next(iter(re.findall(r"^<(\d+\.[a-z2-7]{16})\.", letter.id)), None)
        if token is None:
            continue
        head = first.setdefault(token, letter)
        known = subjects.setdefault(token, [])
        if letter.subject not in known[-1:]:
            known.append(letter.subject)
        if letter is not head:
            references = str(letter.mail["References"]).split()
            assert head.id in references
            assert letter.mail["In-Reply-To"] in references
            assert len(references) <= 12
    for asked, *others in subjects.values():
        # The subject changes once, when the guest accepts.
        assert len(others) == ("asks you to a game of" in asked and "6x6" not in asked)


READER = anywhere(GAMES, COMMANDS)


@cache
def understood(text: str) -> understanding.Understood:
    """Return what a text is understood as. Most lines stand in many letters."""
    return understanding.understand(text, READER, expected=ASKED)


def test_only_the_first_line_of_news_can_be_read_as_a_command(letters: list[Received]) -> None:
    """Therefore a quote that a mail program garbled, and that is not recognised, does no harm."""
    moves = 0
    for letter in letters:
        for number, line in enumerate(letter.lines):
            text = f"Hi,\n{line}" if number else line
            read = understood(text)
            if number == 0 and letter.mail["Auto-Submitted"] == "auto-generated":
                moves += bool(read.orders)
            else:
                # A line that is only probably an order changes nothing, and `turn` only looks.
                orders = [one for one in read.orders if one.command.keyword != "turn"]
                assert all(order.is_doubt for order in orders), line
                assert understanding.named_games(text, READER) == ()
    assert moves > 5


def test_no_line_is_too_long_for_a_terminal_that_quotes_it(letters: list[Received]) -> None:
    for letter in letters:
        assert max(len(line) for line in letter.lines if not line.startswith("https://")) <= 76


def test_no_letter_has_odd_blank_lines(letters: list[Received]) -> None:
    for letter in letters:
        assert letter.lines[0].strip()
        assert letter.lines[-1].strip()
        assert all(one or other for one, other in pairwise(letter.lines)), letter.text


def test_every_letter_about_a_running_game_says_what_can_be_answered(letters: list[Received]) -> None:
    for letter in letters:
        assert re.search(
            r'"help"|"help moves"|"rs"|"undo"|"accept"|"yes"|help new|new 5|"rematch"|begins with the answer|declined'
            r"|^\w+ gets your words:|^Your move is played as turn \d|\n  rematch ",
            letter.text,
        )


def machine_made(harness: MemoryHarness, sign: MachineSign) -> bytes:
    """Return Ada's move, marked as machine-generated."""
    mail = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA))
    headers = {
        MachineSign.AUTO_SUBMITTED: ("Auto-Submitted", "auto-replied (vacation)"),
        MachineSign.NULL_RETURN_PATH: ("Return-Path", "<>"),
        MachineSign.PRECEDENCE: ("Precedence", "bulk"),
        MachineSign.LIST: ("List-Id", "<players.example.org>"),
        MachineSign.REPORT: ("From", "MAILER-DAEMON@example.org"),
        MachineSign.OWN: ("From", TAK),
        MachineSign.CHALLENGE: ("X-Boxtrapper", "1"),
        MachineSign.OUT_OF_OFFICE: ("Subject", "Abwesenheitsnotiz: [tak #1]"),
        MachineSign.NO_REPLY: ("From", "noreply@example.org"),
        MachineSign.NO_SENDER: ("From", "undisclosed"),
        MachineSign.RECEIPT: ("Subject", "Gelesen: [tak #1]"),
        MachineSign.CALENDAR: ("Content-Type", 'text/calendar; method="REPLY"; charset="utf-8"'),
    }
    name, value = headers[sign]
    del mail[name]
    mail[name] = value
    return mail.as_bytes()


@pytest.mark.parametrize("sign", some_of(MachineSign, 4))
def test_what_a_machine_wrote_runs_nothing_and_gets_no_answer(
    harness: MemoryHarness, sign: MachineSign
) -> None:
    harness.begin()
    assert harness.deliver(machine_made(harness, sign)) == []
    state, note = harness.note_of(4)
    assert (state, note.partition(":")[0]) == ("machine", sign.value)
    harness.play("ps c3")
    assert harness.last(BEN).lines[0] == "ps c3"


def test_a_letter_of_ours_that_comes_back_is_not_answered(harness: MemoryHarness) -> None:
    harness.begin()
    assert harness.deliver(harness.last(ADA).mail.as_bytes()) == []
    assert harness.note_of(4) == ("machine", MachineSign.OWN.value)
