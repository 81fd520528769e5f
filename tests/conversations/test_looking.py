"""The commands rs, show, log, games, ptn, help and rules: in a game, before one and after its end."""

import re
from dataclasses import replace

import pytest

from takmail.commands import show
from takmail.commands.command_list import COMMANDS
from takmail.letters.catalogue import LOCALES
from takmail.letters.templates import folder
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER
from takmail.vocabulary.taught import in_language
from tests.support.memory_harness import PLAIN, MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once

STRANGER = "Someone <someone@example.net>"
HELP = "".join(path.read_text(encoding="utf-8") for path in (folder() / "en").glob("*.jinja"))


@pytest.fixture
@played_once
def played(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin_and_play("ps b4", "ps c3", "pw d1")


def board_of(lines: list[str]) -> list[str]:
    """Return the rows of the board with which the lines begin."""
    spot = r"(0|[swcSWC][sS]*)"
    rows = []
    for line in lines:
        if not re.fullmatch(rf"{spot}( +{spot})*", line):
            break
        rows.append(" ".join(line.split()))
    return rows


@pytest.mark.parametrize("size", [3, 5, 8])
def test_rs_begins_with_the_board_and_nothing_else(harness: MemoryHarness, size: int) -> None:
    harness.begin(str(size))
    (answer,) = harness.send(f"Ada <{ADA}>", "RS.", harness.last(ADA))
    assert board_of(answer.lines) == [" ".join("0" * size)] * size
    assert answer.mail["Content-Transfer-Encoding"] == "7bit"


@pytest.mark.parametrize("text", ["rs\n\nmine fell off the table", "Sorry!\nrs\n\nthe cat", "rs\nrs"])
def test_rs_with_words_around_it_begins_with_the_board_all_the_same(played: MemoryHarness, text: str) -> None:
    (answer,) = played.send(f"Ben <{BEN}>", text, played.last(BEN))
    assert board_of(answer.lines) == ["0 0 0 w 0", "0 0 0 0 0", "0 0 s 0 0", "0 S 0 0 0", "0 0 0 0 0"]


def test_rs_beside_other_commands_shows_the_board_below(harness: MemoryHarness) -> None:
    invitation, _ = harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN}")
    (answer,) = harness.send(f"Ben <{BEN}>", "rs\nlog", invitation)
    assert "0 0 0\n0 0 0\n0 0 0\nA B C\n" in answer.text


@pytest.mark.parametrize(
    ("line", "shown"),
    [("show 0", "after turn 0 of 3"), ("show 1", "after turn 1 of 3"), ("show #3", "after turn 3 of 3")],
)
def test_show_goes_back_to_any_turn(played: MemoryHarness, line: str, shown: str) -> None:
    (answer,) = played.send(f"Ben <{BEN}>", line, played.last(BEN))
    assert shown in answer.text
    then, now = answer.text.split("Now the board is:\n\nAda (White)")
    assert board_of(now.splitlines()[2:])[0] == "0 0 0 w 0"
    assert ("w" in then.split("\nA B C D E")[0].rsplit("\n\n")[-1]) is (line == "show #3")


def test_show_alone_is_the_board_now(played: MemoryHarness) -> None:
    (answer,) = played.send(f"Ben <{BEN}>", "show", played.last(BEN))
    assert "The board after turn 3 of 3" in answer.text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("show 4", "there is no turn 4; 3 have been played so far"),
        ("show x1", 'this is not how "show" is written'),
        ("/show me", '"show 7" shows it after turn 7'),
        ("/say", 'this is not how "say" is written'),
    ],
)
def test_what_cannot_be_shown_is_told_so(played: MemoryHarness, line: str, answer: str) -> None:
    (letter,) = played.send(f"Ben <{BEN}>", line, played.last(BEN))
    assert answer in said(letter)


def test_log_lists_all_turns(played: MemoryHarness) -> None:
    (answer,) = played.send(f"Ben <{BEN}>", "log", played.last(BEN))
    assert "  1. Ada: ps b4\n  2. Ben: ps c3\n  3. Ada: pw d1\n" in answer.text


def test_ptn_gives_the_game_so_far_and_the_result_once_there_is_one(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b3", "ps b1", words="3 komi=2")
    (answer,) = harness.send(f"Ada <{ADA}>", "ptn", harness.last(ADA))
    assert "1. a3 c1\n2. b1 b3\n" in answer.text
    assert '[Komi "2"]' in answer.text
    assert "[Result" not in answer.text
    harness.play("ps a3", start=4)
    (answer,) = harness.send(f"Ben <{BEN}>", "ptn", harness.last(BEN))
    assert '[Result "R-0"]' in answer.text


def test_games_lists_what_is_running_and_what_waits(played: MemoryHarness) -> None:
    played.send("Other <other@example.org>", f"new 4 vs {ADA}")
    (answer,) = played.send(f"Ada <{ADA}>", "games")
    assert "game #1 with Ben (5x5): Ben is to move" in answer.text
    assert "game #2 with Other (4x4): waits for your answer" in answer.text


def test_games_of_somebody_without_any_are_none(played: MemoryHarness) -> None:
    played.send(f"Ben <{BEN}>", "resign", played.last(BEN))
    played.send(f"Ben <{BEN}>", "yes", played.last(BEN))
    (answer,) = played.send(f"Ben <{BEN}>", "games")
    assert "You have no game running" in answer.text
    (answer,) = played.send(STRANGER, "games")
    assert "I know of none of yours" in answer.text


def test_games_lists_those_that_are_over_below_the_newest_first(
    harness: MemoryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "MAX_LISTED_OVER", 3)
    for number in range(1, 6):
        harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN if number == 1 else 'Ben'}")
        harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
        loser = (ADA, BEN)[number % 2]
        harness.send(loser, "resign", harness.last(loser))
        harness.send(loser, "yes", harness.last(loser))
    (answer,) = harness.send(f"Ada <{ADA}>", "games")
    assert "You have no game running." in answer.text
    over = re.findall(r"game #(\d+) with Ben \(5x5\): (you won|Ben won)", said(answer))
    assert over == [(str(one), "you won" if one % 2 else "Ben won") for one in (5, 4, 3)]
    assert "The last of your games that are over:" in answer.text
    harness.send(f"Ada <{ADA}>", "new 4 vs Ben")
    listed = said(harness.send(f"Ada <{ADA}>", "games")[-1])
    assert listed.index("waits for the answer") < listed.index("that are over") < listed.index("game #5")


def test_help_knows_every_word_that_it_mentions(harness: MemoryHarness) -> None:
    harness.begin()
    words = sorted({*COMMANDS.topics, *re.findall(r'"help (\w+)"', HELP), "quit", "all"})
    for start in range(0, len(words), MAX_SHOWN_IN_ANSWER):
        some = words[start : start + MAX_SHOWN_IN_ANSWER]
        (answer,) = harness.send(f"Ada <{ADA}>", "\n".join(f"help {word}" for word in some))
        assert "There is no help about" not in answer.text, some
        assert len(answer.text.split()) > 10 * len(some), some


def test_help_lists_each_command_with_what_it_does(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "help all")
    listed = re.findall(r"^  (\S+(?: me)?)  +[A-Z]", answer.text, re.MULTILINE)
    keywords = [command.keyword for command in COMMANDS.every if command.keyword and not command.is_answer]
    expected = dict.fromkeys(re.sub(" (?!me$).*", "", keyword) for keyword in keywords)
    assert listed == [*expected, "quit"]


@pytest.mark.parametrize("language", LOCALES)
def test_help_alone_has_twelve_lines(language: str) -> None:
    harness = MemoryHarness(services=replace(PLAIN, language=language))
    harness.begin()
    for answers in (None, harness.last(ADA)):
        (answer,) = harness.send(f"Ada <{ADA}>", "help", answers)
        page = answer.text.partition(f" {in_language('help all', language)} ")[0]
        assert 8 < len(page.splitlines()) <= 14, answer.text


def test_help_names_every_command(harness: MemoryHarness) -> None:
    (answer,) = harness.send(STRANGER, "help all")
    for word in (
        "new",
        "accept",
        "decline",
        "rs",
        "show",
        "log",
        "ptn",
        "games",
        "im",
        "resign",
        "rules",
        "quit",
    ):
        assert re.search(rf"^  .*\b{word}\b", answer.text, re.MULTILINE), word


@pytest.mark.parametrize("word", ["../answer/over", "all.txt", "x" * 500])
def test_help_reads_no_other_template(harness: MemoryHarness, word: str) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", f"help {word}")
    assert "There is no help about" in answer.text
    assert max(map(len, answer.lines)) < 250


@pytest.mark.parametrize("word", ["rs", "log", "ptn", "show 3", "ps b4", "resign"])
def test_a_stranger_is_told_how_to_begin(harness: MemoryHarness, word: str) -> None:
    (answer,) = harness.send(STRANGER, word)
    assert 'this belongs to a game, and I know of none of yours. Write "help"' in said(answer)


def test_a_strangers_own_words_are_not_repeated_to_the_address_in_the_from(harness: MemoryHarness) -> None:
    (answer,) = harness.send(STRANGER, "im why")
    assert "how to begin" in answer.subject
    assert "im why" not in said(answer)


def test_a_stranger_who_writes_words_is_welcomed(harness: MemoryHarness) -> None:
    (answer,) = harness.send(STRANGER, "Good morning")
    assert "how to begin" in answer.subject
    assert "new 5 vs ben@example.org" in said(answer)


def test_an_empty_mail_gets_an_answer(played: MemoryHarness) -> None:
    (answer,) = played.send(f"Ben <{BEN}>", "", played.last(BEN))
    assert "I found no words of yours in the text of this mail" in answer.text
    (answer,) = played.send(STRANGER, "")
    assert "how to begin" in answer.subject


@pytest.mark.parametrize("word", ["rs", "show 2", "log", "ptn", "im why"])
def test_a_finished_game_can_be_looked_at(harness: MemoryHarness, word: str) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b3", "ps b1", "ps a3", words="3")
    answer, *_ = harness.send(f"Ben <{BEN}>", word, harness.last(BEN))
    assert "Not done" not in answer.text
    assert "Ada wins with a road from west to east." in said(answer)
    assert "Result: R-0" in answer.text
    assert len(turns(harness)) == 5


@pytest.mark.parametrize("word", ["rules", "help", "games", "hello"])
def test_the_end_of_a_game_is_not_shown_again_unasked(harness: MemoryHarness, word: str) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b3", "ps b1", "ps a3", words="3")
    for letter in harness.send(f"Ben <{BEN}>", word, harness.last(BEN)):
        assert ("The game is over." in letter.text) == (word != "hello" or letter.to == ADA)
        assert "Ada wins with a road. Result: R-0" not in letter.text
        assert "Last turns:" not in letter.text
        assert "[Result " not in letter.text


def test_an_earlier_board_says_the_same_of_whose_turn_it_was_above_and_below(played: MemoryHarness) -> None:
    for address, who, whose in ((ADA, "Ada", "You (White), to move"), (BEN, "Ben", "Ada (White), to move")):
        (answer,) = played.send(f"{who} <{address}>", "show 2", played.last(address))
        assert whose in said(answer)
        assert f"2 turns played, with {'you' if address == ADA else 'Ada'} to move." in said(answer)
