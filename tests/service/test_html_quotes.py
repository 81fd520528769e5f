"""Quotes of a letter's HTML part don't count as typed text."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from itertools import cycle

import pytest

from takmail.commands.command import Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.proposing import Dispute
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.letters.catalogue import ENGLISH
from takmail.mail.html_text import text_of_html
from takmail.mail.quotes.own_letters import OwnAddress, page_text
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.quotes.words import words_of
from takmail.mail.reader import read
from takmail.store import outbox
from takmail.store.database import Store
from takmail.world.kinds import LetterView, MessageId
from tests.commands.grammar.reading import ASKED
from tests.support import databases
from tests.support.correspondence import correspond
from tests.support.harness import ADA, BEN, TAK, TEMPLATES, Harness, Received, turns
from tests.support.mail_programs import (
    HEADING,
    INLINE,
    PROGRAMS,
    Answer,
    Program,
    below,
    flattened,
    gmail,
    outlook_desktop,
    unmarked,
    yahoo,
)
from tests.support.orders import ordered
from tests.support.scenes import played_once
from tests.support.width import IS_WIDE, some_of

OWN = OwnAddress(TAK, "Tak by Mail")
TYPED = "Nice one!\nps d4\nGreetings, Ben"
PLAYED = ["ps a1", "ps e5", "ps c3"]
LANGUAGE_NAMES = {"English", "Русский", "中文", "繁體中文"}


@pytest.fixture
def game(store: Store) -> Harness:
    return played(Harness(store, letter_view=LetterView.BOTH))


@played_once
def played(harness: Harness) -> None:
    """Ben, who plays Black, is to move."""
    harness.begin_and_play(*PLAYED)


LANGUAGES = [
    language if language == ENGLISH else pytest.param(language, marks=pytest.mark.wide)
    for language in TEMPLATES.languages
]


@pytest.fixture(scope="module", params=LANGUAGES)
def harness_and_letters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Harness, list[Received]]]:
    """Letters of many kinds in a language, and the takmail that has sent them."""
    store = databases.opened(tmp_path_factory.mktemp("letters"))
    harness = Harness(store, letter_view=LetterView.BOTH, language=request.param)
    yield harness, correspond(harness)
    harness.store.close()


def answered(harness: Harness, letter: Received, answer: Answer, *sides: str) -> EmailMessage:
    """Return the mail that a mail program makes of an answer, with the given `sides`."""
    mail = harness.mail(f"Ben <{letter.to}>", "", letter, quoting=False)
    if "text" in sides:
        mail.set_content(answer.text)
        if "html" in sides:
            mail.add_alternative(answer.html, subtype="html")
    else:
        mail.set_content(answer.html, subtype="html")
    return mail


def found(harness: Harness, mail: EmailMessage) -> str:
    """Return the text that takmail takes for typed."""
    envelope = read(mail.as_bytes(), frozenset({TAK}))
    with harness.store.transaction() as session:
        row = outbox.by_message_id(session, MessageId(envelope.thread.in_reply_to[-1]))
        return typed_text(envelope.body.text, row.text, OWN, row.html_text)


def lines(text: str) -> list[str]:
    """Return the lines that aren't blank."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def said_by_ben(harness: Harness) -> str:
    """Return Ben's chat in the last letter to Ada."""
    words = re.search(r"<blockquote\b.*?</blockquote>", harness.last(ADA).html, re.DOTALL)
    return page_text(words[0]) if words else ""


_SIDES = [
    (program, ("html", "text") if number % 2 else ("text", "html"))
    for number, program in enumerate((*PROGRAMS, *INLINE))
]
"""The programs, each with the side of its mail that is tried, and the one that is left to `make long`."""


@pytest.mark.parametrize(
    ("program", "side"),
    [
        *some_of(((program, sides[0]) for program, sides in _SIDES), 6),
        *(pytest.param(program, sides[1], marks=pytest.mark.long) for program, sides in _SIDES),
    ],
)
def test_a_move_in_any_program_is_played_and_nothing_of_the_quote_passed_on(
    game: Harness, program: Program, side: str
) -> None:
    letter = game.last(BEN)
    game.deliver(answered(game, letter, program(TYPED, letter.html), side).as_bytes())
    assert turns(game) == [*PLAYED, "ps d4"]
    assert lines(said_by_ben(game)) == ["Nice one!", "Greetings, Ben"]


@pytest.mark.parametrize("every", [7 if IS_WIDE else 28, pytest.param(1, marks=pytest.mark.long)])
def test_the_quote_of_every_letter_is_known(
    harness_and_letters: tuple[Harness, list[Received]], every: int
) -> None:
    """Every 28th pair of a letter and a mail program is tried, each seventh in `make test-all`, all in the long run."""
    harness, letters = harness_and_letters
    assert len(letters) > 25
    for number, letter in enumerate(letters):
        for other, program in enumerate((*PROGRAMS, *(INLINE if HEADING in letter.html else ()))):
            pair, left_out = divmod(number + other, every)
            if left_out:
                continue
            # Both sides are tried for each letter and for each mail program, but not for each pair of them.
            side = ("text", "html")[pair % 2]
            typed = found(harness, answered(harness, letter, program(TYPED, letter.html), side))
            assert lines(typed) == lines(TYPED), (program, side, letter.text)


def test_an_answer_without_words_has_none_of_the_quote(
    harness_and_letters: tuple[Harness, list[Received]],
) -> None:
    harness, letters = harness_and_letters
    for letter, program in zip(letters, cycle((yahoo, outlook_desktop, unmarked)), strict=False):
        typed = found(harness, answered(harness, letter, program("", letter.html), "text"))
        assert typed == "", (program, letter.text)


def test_no_line_that_only_the_html_side_has_is_a_command(
    harness_and_letters: tuple[Harness, list[Received]],
) -> None:
    """A letter that is no longer known may be quoted by a program that leaves no quote mark.

    A chat message in it can then only be recognised by a mark: the text part has a bar. Each third letter is tried;
    in `make test-all` each one in English.
    """
    harness, letters = harness_and_letters
    for letter in letters[:: 1 if harness.language == ENGLISH and IS_WIDE else 3]:
        in_text = {" ".join(words_of(line.removeprefix("  | "))) for line in letter.lines}
        for page in (flattened(letter.html, str, lambda label, _: label), text_of_html(letter.html)):
            own = [line for line in page.splitlines() if " ".join(words_of(line)) not in in_text]
            # Only the name of a language chooses it, alone in a mail.
            lone = [line for line in own if line not in LANGUAGE_NAMES]
            for words in (*lone, "\n".join(own)):
                assert orders(words) == [], (words, letter.text)
            if "  | " not in letter.text:
                assert set(orders(page)) <= set(orders(letter.text))


@cache
def orders(text: str) -> list[object]:
    """Return the commands in a text, as if it were typed. A doubt does nothing: its line is only asked about."""
    read_as = understand(text, anywhere(GAMES, COMMANDS), expected=ASKED)
    read = [one for one in ordered(read_as.orders) if not isinstance(one, Unclear)]
    # The number of lines that are the reason of an `im` depends on where lines break.
    return [Dispute("") if isinstance(one, Dispute) else one for one in read]


def test_a_long_thread_is_read_to_its_end(game: Harness) -> None:
    """The answer is below five letters, each with as many tags as the longest."""
    letter = game.last(BEN)
    long = letter.html.replace("</body>", "<p>.</p>" * 600 + "</body>")
    assert len(long) > 14_000
    inner = long.partition("<body")[2].partition(">")[2].partition("</body>")[0]
    answer = below(TYPED, long.replace("</body>", f"<blockquote>{inner * 4}</blockquote></body>"))
    mail = answered(game, letter, answer, "html")
    assert read(mail.as_bytes(), frozenset({TAK})).excess is None
    assert lines(found(game, mail)) == lines(TYPED)


def test_what_is_kept_of_a_page_is_what_it_reads_as(
    harness_and_letters: tuple[Harness, list[Received]],
) -> None:
    for letter in harness_and_letters[1]:
        no_pictures = re.sub(r'alt="[^"]*"', 'alt=""', letter.html)
        read_as = re.sub(r"(?m)^(?:> ?)+", "", text_of_html(letter.html))
        said = re.sub(r"(?m)^(?:> ?)+", "", page_text(no_pictures))
        assert "".join(said.split()) == "".join(read_as.split())


def test_a_thread_that_is_quoted_with_no_marks_is_not_heard(game: Harness) -> None:
    game.play("ps d4", "ps b2", start=3)
    letters = [letter for letter in game.box if letter.to == BEN][:-4:-1]
    thread = "\n".join(unmarked("", letter.html).text for letter in letters)
    typed = TYPED.replace("d4", "d5")
    game.send(f"Ben <{BEN}>", f"{typed}\n\n{thread}", letters[0], quoting=False, threaded=False)
    assert turns(game)[-1] == "ps d5"
    assert lines(said_by_ben(game)) == ["Nice one!", "Greetings, Ben"]


def test_html_alone_is_known_as_well(store: Store) -> None:
    harness = played(Harness(store, letter_view=LetterView.HTML))
    letter = harness.last(BEN)
    assert letter.text == ""
    for program in (gmail, unmarked):
        assert lines(found(harness, answered(harness, letter, program(TYPED, letter.html), "html"))) == lines(
            TYPED
        )


@pytest.mark.parametrize(
    "beneath", ["", "\n\nSent from my iPhone", "\n\nGet Outlook for Android", "\n-- \nBen", "\n\n\u00a0"]
)
def test_a_mail_that_a_link_has_filled_in_needs_no_quote(game: Harness, beneath: str) -> None:
    letter = game.last(BEN)
    mail = game.mail(
        f"Ben <{BEN}>",
        f"ps d4 #4\r\n{beneath}",
        letter,
        subject=letter.subject,
        quoting=False,
        threaded=False,
    )
    game.deliver(mail.as_bytes())
    assert turns(game) == [*PLAYED, "ps d4"]
    assert "writes:" not in game.last(ADA).html


def test_pictures_that_come_back_with_the_answer_do_no_harm(game: Harness) -> None:
    letter = game.last(BEN)
    mail = answered(game, letter, gmail(TYPED, letter.html), "text", "html")
    page = list(mail.iter_parts())[1]
    assert isinstance(page, EmailMessage)
    for cid, picture in letter.pictures.items():
        page.add_related(picture, "image", "png", cid=f"<ii_{cid}>", filename="board1.png")
    game.deliver(mail.as_bytes())
    assert turns(game) == [*PLAYED, "ps d4"]
