"""`view`: each player chooses a letter format, and it is remembered."""

import html
import re

import pytest

from takmail.commands.grammar.arguments import Choice
from takmail.world.kinds import LetterView
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.orders import line_as
from tests.support.players import ADA, BEN, Received

SOMEONE = "someone@example.net"


def view_of(harness: MemoryHarness, address: str) -> LetterView | None:
    player = harness.memory.player_by_address(address)
    return None if player is None else player.preferences.letter_view


def said(letter: Received) -> str:
    """Return the text of a letter, or the text of its HTML part if it has no other part."""
    body = letter.html.partition("<body")[2]
    return " ".join((letter.text or html.unescape(re.sub(r"<[^>]*>", " ", body))).split())


def ada(harness: MemoryHarness, words: str) -> Received:
    return harness.send(f"Ada <{ADA}>", words, harness.last(ADA))[0]


@pytest.mark.parametrize(
    ("word", "has_text", "has_html"), [("text", True, False), ("html", False, True), ("both", True, True)]
)
def test_the_answer_comes_as_it_was_asked_for_already_and_the_next_letters_do(
    harness: MemoryHarness, word: str, has_text: bool, has_html: bool
) -> None:
    harness.begin()
    game = harness.last(ADA)
    harness.send(f"Ada <{ADA}>", f"view {word}", game)
    harness.send(f"Ada <{ADA}>", "ps a1", game)
    harness.send(f"Ben <{BEN}>", "ps e5", harness.last(BEN))
    letters = [
        one for one in harness.box[harness.box.index(game) + 1 :] if one.to == ADA and not one.asks_who
    ]
    assert len(letters) == 3
    # The first one tells of the choice, and has the text in any case: so it can be undone by whoever reads only text.
    expected = [(True, has_html), (has_text, has_html), (has_text, has_html)]
    assert [(bool(one.text), bool(one.html)) for one in letters] == expected


def test_the_opponents_letters_stay_as_they_were(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "view html\nps a1", harness.last(ADA))
    assert harness.last(BEN).text
    assert not harness.last(BEN).html


@pytest.mark.parametrize("word", ["text", "html", "both", "HTML"])
def test_what_a_player_wants_is_remembered_for_them_alone(harness: MemoryHarness, word: str) -> None:
    harness.begin()
    assert "Done: " in said(ada(harness, f"view {word}"))
    assert view_of(harness, ADA) == LetterView(word.lower())
    assert view_of(harness, BEN) is None


def test_it_holds_for_every_address_of_the_player(harness: MemoryHarness) -> None:
    harness.begin()
    (asked, _) = harness.send(f"Ada <{ADA}>", f"address add {SOMEONE}", harness.last(ADA))
    harness.send(f"Ada <{SOMEONE}>", "yes", asked)
    ada(harness, "view html")
    assert view_of(harness, SOMEONE) == LetterView.HTML


def test_the_newest_word_counts_and_a_move_may_stand_beside_it(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "view html")
    ada(harness, "view text\nps a1")
    answer = harness.last(ADA)
    assert "your letters are plain text from now on" in said(answer)
    assert view_of(harness, ADA) == LetterView.TEXT
    assert turns(harness) == ["ps a1"]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (None, "Your letters are plain text."),
        ("both", "Your letters have the board as a picture and all of it as plain text, too"),
        ("text", "Your letters are plain text."),
        ("html", "Your letters show the board as a picture"),
    ],
)
def test_view_alone_tells_what_holds_and_what_can_be_chosen(
    harness: MemoryHarness, wanted: str | None, told: str
) -> None:
    harness.begin()
    if wanted:
        ada(harness, f"view {wanted}")
    answer = said(ada(harness, "view"))
    assert told in answer
    assert '"view text" gives you plain text, "view html" the board as a picture, and "view both"' in answer


@pytest.mark.parametrize("words", ["view pictures", "/view as before"])
def test_what_is_no_view_is_answered_with_what_can_be_chosen(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    ada(harness, "view html")
    answer = said(ada(harness, words))
    assert 'Not done: this is not how "view" is written.' in answer
    assert '"view text": plain text' in answer
    assert view_of(harness, ADA) == LetterView.HTML


@pytest.mark.parametrize(
    ("line", "first", "expected"),
    [
        ("view", False, "view"),
        ("View HTML", False, Choice("view", "html")),
        ("/view both", False, Choice("view", "both")),
        ("view pictures", True, None),
        ("view online", False, None),
        ("View from the hill", True, None),
        ("views differ", True, None),
    ],
)
def test_a_line_is_meant_or_it_is_chat(line: str, first: bool, expected: object) -> None:
    assert line_as(line, is_first=first) == expected


def test_to_ask_what_holds_needs_no_yes(harness: MemoryHarness) -> None:
    harness.begin()
    harness.confirms = False
    (answer,) = harness.send(f"Ada <{ADA}>", "view")
    assert "Your letters are plain text." in said(answer)


def test_who_has_never_played_can_say_it_too(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Someone <{SOMEONE}>", "view html")
    assert "from now on your letters show the board as a picture" in said(answer)
    assert view_of(harness, SOMEONE) == LetterView.HTML


def test_nobody_has_said_it_for_an_address_that_is_nobodys(harness: MemoryHarness) -> None:
    assert view_of(harness, SOMEONE) is None


def test_who_leaves_for_good_leaves_it_behind(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "view html")
    ada(harness, "forget me")
    assert [one.preferences.letter_view for one in harness.memory.players.values()] == [None, None]
