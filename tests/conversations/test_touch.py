"""Each link in a letter writes a mail that is understood and played."""

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from takmail.blocks import message
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.games.tak.choices import MAX_TOUCHED_TURNS
from takmail.letters.mailto_links import mailto_links
from takmail.letters.templates import Templates, folder
from takmail.limits.letters import MAX_LINK_CHARS
from takmail.world.kinds import LetterView
from tests.commands.grammar.reading import ASKED
from tests.support.links import hrefs, link, links, on_board
from tests.support.links import touch as touched
from tests.support.memory_harness import BOTH_SIDES, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.tak import start, state
from tests.support.width import combined

READER = in_game(GAMES, COMMANDS, GAMES.rules("tak"), start(3))
"""The reader for a game on 3x3."""

GENERAL = ["rs", "log", "draw", "resign", "rules", "help"]
KEEP_ONE = Templates(folder()).said(message("keep_one_line"))


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(services=BOTH_SIDES)


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of two turns; it is Ada's turn."""
    harness.begin_and_play("ps a1", "ps c3", words="3")


def words(letter) -> list[str]:
    return [one.words for one in links(letter)]


def test_who_has_the_turn_can_touch_every_empty_square_and_every_own_stack(game: MemoryHarness) -> None:
    free = ["b1", "c1", "a2", "b2", "c2", "a3", "b3"]
    stack = f"{KEEP_ONE}\nmn c3 p1 1 #3\nmw c3 p1 1 #3\nmoves c3"
    walls = [f"pw {square} #3" for square in free]
    assert words(game.last(ADA)) == [*(f"ps {square} #3" for square in free), stack, *walls, *GENERAL]
    assert list(on_board(game.last(ADA))) == [*free, "c3"]


def test_a_link_on_the_board_is_called_what_stands_there(game: MemoryHarness) -> None:
    squares = on_board(game.last(ADA))
    assert (squares["b2"].name, squares["c3"].name) == ("B2: empty", "C3: s")


def test_a_tall_stack_has_its_likeliest_moves_and_a_line_for_all(harness: MemoryHarness) -> None:
    harness.begin_and_play(
        "ps a1", "ps c3", "ps b3", "ps e5", "me b3 p1 1", "ps e4", "ps c4", "ps e3", "mn c4 p1 1", "ps e2"
    )
    lines = on_board(harness.last(ADA))["c3"].words.splitlines()
    assert (lines[0], lines[-1]) == (KEEP_ONE, "moves c3")
    # The moves by one space come first, those of the whole stack before those of its top.
    assert set(lines[1:5]) == {f"m{way} c3 p3 3 #11" for way in "nesw"}
    assert {line[6:] for line in lines[5:-1]} == {"p2 2 #11"}
    assert len(lines) == 8


def test_who_waits_can_touch_what_can_always_be_written(game: MemoryHarness) -> None:
    (answer,) = game.send(BEN, "rs", game.last(BEN))
    assert words(answer) == GENERAL


def test_a_board_from_before_cannot_be_touched(game: MemoryHarness) -> None:
    (answer,) = game.send(ADA, "show 1", game.last(ADA))
    assert answer.html.count('alt="A1: ') == 2
    assert len(on_board(answer)) == 8


def test_the_opponents_stacks_cannot_be_touched(game: MemoryHarness) -> None:
    assert "a1" not in on_board(game.last(ADA))


def test_in_the_opening_only_the_opponents_flat_can_be_touched(harness: MemoryHarness) -> None:
    harness.begin("3")
    assert words(harness.last(ADA))[:9] == [f"ps {column}{row} #1" for row in (1, 2, 3) for column in "abc"]
    assert words(harness.last(ADA))[9:] == GENERAL
    harness.play("ps b2")
    assert "b2" not in on_board(harness.last(BEN))


def test_who_is_asked_to_a_game_can_touch_the_answer(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN}")
    asked = harness.last(BEN)
    assert words(asked) == ["accept", "decline", "learn", "rules", "Русский", "中文", "繁體中文"]
    touched(harness, BEN, link(asked, "accept"))
    assert "has accepted" in harness.last(ADA).text
    assert words(harness.last(ADA))[-6:] == GENERAL


def test_a_finished_game_has_no_moves_to_touch(game: MemoryHarness) -> None:
    game.send(ADA, "resign", game.last(ADA))
    game.send(ADA, "yes", game.last(ADA))
    for who in (ADA, BEN):
        after = ["learn", "review"] if who == ADA else ["review", "seek 5"]  # Ada has lost
        assert words(game.last(who)) == ["rematch", *after, "rs", "log", "rules", "help"]


def test_in_a_relay_game_there_is_no_board_to_touch(harness: MemoryHarness) -> None:
    harness.begin("3 relay")
    assert (
        words(harness.last(ADA))
        == words(harness.last(BEN))
        == ["show", "rs", "log", "draw", "resign", "rules", "help"]
    )


def test_in_a_relay_game_a_link_says_whom_it_asks(harness: MemoryHarness) -> None:
    harness.begin("3 relay")
    letter = harness.last(ADA)
    assert link(letter, "rs").name == "ask for Ben's board"
    assert link(letter, "show").name == "the board by the rules"
    touched(harness, ADA, link(letter, "rs"))
    assert "Ada asks for your board." in said(harness.last(BEN))
    (looked,) = touched(harness, ADA, link(letter, "show"))
    assert looked.to == ADA


def test_a_link_is_written_as_mail_programs_read_it(game: MemoryHarness) -> None:
    for href in hrefs(game.last(ADA)):
        assert re.fullmatch(r"mailto:[\w.%-]+@[\w.-]+\?subject=[\w.%-]+&body=[\w.%-]+%0D%0A", href)
        assert "%2B" in href.split("?")[0]


def test_a_link_writes_to_the_seat_of_its_reader_under_the_tag_of_the_game(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    seat, _, domain = letter.mail["Reply-To"].addresses[0].addr_spec.partition("@")
    ((local, at),) = {tuple(one.address.split("@")) for one in links(letter)}
    assert (local.startswith(f"{seat}."), at) == (True, domain)
    assert {one.subject for one in links(letter)} == {"[tak #1]"}


@pytest.mark.parametrize(
    ("threaded", "below"),
    combined([True, False], ["", "\n-- \nAda\n", "\nSent from my iPhone\n", "Sent from my iPhone\n"]),
)
def test_a_touched_move_is_played(game: MemoryHarness, threaded: bool, below: str) -> None:
    letter = game.last(ADA)
    thread = {"In_Reply_To": letter.id} if threaded else {}
    answer, news = touched(game, f"Ada <{ADA}>", link(letter, "ps b2 #3"), below=below, **thread)
    assert turns(game) == ["ps a1", "ps c3", "ps b2"]
    assert "Your move is played as turn 3 (ps b2)." in said(answer)
    assert news.lines[0] == "ps b2"
    assert "iPhone" not in news.text


def test_every_link_of_a_letter_does_what_it_says(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    for one in links(letter):
        read = understand(one.body, READER)
        written = [line for line in one.words.splitlines() if line != KEEP_ONE]
        assert [order.line for order in read.orders] == written
        assert read.chat in ("", KEEP_ONE)


def test_every_move_of_a_letter_is_played_when_it_is_touched(game: MemoryHarness) -> None:
    squares = on_board(game.last(ADA)).values()
    moves = [(one, line) for one in squares for line in one.words.splitlines() if line.endswith(" #3")]
    assert len(moves) == 9
    for one, line in moves:
        copy = game.scene()
        touched(copy, ADA, replace(one, body=f"{line}\r\n"))
        assert turns(copy)[2:] == [line.removesuffix(" #3")]


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        ("draw", "agree draw"),
        ("propose back 1", "agree back 1"),
        ("propose restart", "agree restart"),
        ("draw", "refuse draw"),
        ("propose back 1", "refuse back 1"),
    ],
)
def test_an_offer_can_be_answered_by_touch(game: MemoryHarness, offer: str, words: str) -> None:
    game.send(f"Ben <{BEN}>", offer, game.last(BEN))
    letter = game.last(ADA)
    assert link(letter, words).name == ("go along with it" if words.startswith("agree") else "turn it down")
    answer, _ = touched(game, ADA, link(letter, words))
    assert "Not done" not in answer.text
    assert words not in [one.words for one in links(answer)]


def test_a_draw_is_not_offered_beside_what_the_other_one_offers(game: MemoryHarness) -> None:
    game.send(f"Ben <{BEN}>", "draw", game.last(BEN))
    assert words(game.last(ADA))[-5:] == ["rs", "log", "resign", "rules", "help"]
    game.send(ADA, "refuse", game.last(ADA))
    assert words(game.last(ADA))[-6:] == GENERAL


def test_a_touched_resignation_is_asked_about(game: MemoryHarness) -> None:
    (asked,) = touched(game, ADA, link(game.last(ADA), "resign"))
    assert '"yes"' in asked.text
    assert "no result" not in asked.text


def test_a_question_is_answered_by_touch(game: MemoryHarness) -> None:
    (held,) = game.send("Other <other@example.org>", "ps b2", game.last(ADA))
    assert [link(held, word).name for word in ("yes", "no")] == ["this is from me", "this is not from me"]
    touched(game, ADA, link(held, "yes"))
    assert turns(game)[-1] == "ps b2"
    (asked,) = game.send(BEN, "resign", game.last(BEN))
    assert [link(asked, word).name for word in ("yes", "no")] == ["I give it up", "the game goes on"]
    assert "the game goes on" in said(touched(game, BEN, link(asked, "no"))[0])
    (asked,) = game.send(BEN, "resign", game.last(BEN))
    touched(game, BEN, link(asked, "yes"))
    assert "over" in said(game.last(BEN))


def test_a_link_whose_question_is_answered_runs_nothing_that_is_asked_since(game: MemoryHarness) -> None:
    (held,) = game.send("Other <other@example.org>", "ps b2", game.last(ADA))
    touched(game, ADA, link(held, "yes"))
    game.send(ADA, "resign", game.last(ADA))
    (late,) = touched(game, ADA, link(held, "yes"))
    assert "nothing is waiting" in said(late)
    assert "The game is over" not in said(late)
    assert turns(game)[-1] == "ps b2"


def test_a_link_of_a_letter_from_before_is_not_played(game: MemoryHarness) -> None:
    old = game.last(ADA)
    game.play("ps b2", "ps b1", start=2)
    (answer,) = touched(game, ADA, link(old, "ps a3 #3"))
    assert len(turns(game)) == 4
    assert "Not done" in answer.text
    assert "turn 3" in said(answer)
    assert answer.html.count('alt="A1: ') == 1


def test_the_same_link_touched_twice_does_no_harm(game: MemoryHarness) -> None:
    one = link(game.last(ADA), "ps b2 #3")
    touched(game, ADA, one)
    (answer,) = touched(game, ADA, one)
    assert "already played" in said(answer)


def test_where_there_are_no_plus_addresses_the_subject_says_whose_turn_it_is() -> None:
    harness = MemoryHarness(services=replace(WITHOUT_PLUS, letter_view=LetterView.BOTH))
    harness.begin("3")
    one = link(harness.last(ADA), "ps b2 #1")
    tag = harness.last(ADA).subject.partition("]")[0]
    assert (one.address, one.subject.startswith(f"{tag}.")) == ("tak@example.test", True)
    touched(harness, ADA, one)
    assert turns(harness) == ["ps b2"]


def test_a_link_in_somebody_elses_hands_plays_nothing(game: MemoryHarness) -> None:
    touched(game, "Someone <someone@example.net>", link(game.last(ADA), "ps b2 #3"))
    assert turns(game) == ["ps a1", "ps c3"]


def test_no_label_is_a_command_but_may_be_asked_about(game: MemoryHarness) -> None:
    game.send(BEN, "draw", game.last(BEN))
    game.send(ADA, "moves c3", game.last(ADA))
    shown = game.box[-7:]
    labels = {
        line for letter in shown for one in links(letter) for line in (one.name, *one.name.split(" ", 1))
    }
    assert len(labels) > 20
    for label in labels:
        for first in ("", "Hello,\n"):
            for one in understand(first + label, READER, expected=ASKED).orders:
                # `turn` only looks, and is a word of many a letter. `go` plays only what its player has prepared.
                assert one.is_doubt or one.command.keyword in ("turn", "go"), label


def test_names_tell_one_link_from_another(game: MemoryHarness) -> None:
    names = [one.name for one in links(game.last(ADA))]
    assert len(set(names)) == len(names)
    assert names[-6:] == ["board", "turns", "offer a draw", "give up", "how to play", "commands"]


def test_text_alone_has_no_links(game: MemoryHarness) -> None:
    game.change(letter_view=LetterView.TEXT)
    (answer,) = game.send(ADA, "rs", game.last(ADA))
    assert links(answer) == []
    assert "mailto" not in answer.text


@pytest.mark.parametrize("more", [0, 60, 240, 400, 2_000])
def test_a_long_address_takes_from_the_moves_of_a_stack(more: int) -> None:
    board = state("x8/x8/x8/x3,1111111111,x4/x8/x8/x8/x8 1 30")
    links_to = mailto_links(f"tak+1.abcdefghijklmnop@{'x' * more}.example.org", "[tak #1]", 31, KEEP_ONE)
    touch = board.touches()["d4"]
    url = links_to.board({"d4": touch})["d4"]
    lines = unquote(url.partition("body=")[2]).splitlines()
    shown = [f"{turn} #31" for turn in touch.turns][: len(lines) - 2]
    assert lines == ([KEEP_ONE, *shown, "moves d4"] if more < 2_000 else ["moves d4"])
    assert len(url) <= MAX_LINK_CHARS or more == 2_000
    assert len(touch.turns) == MAX_TOUCHED_TURNS


def test_the_moves_of_a_tall_stack_are_cut_at_their_ends_where_there_is_no_room() -> None:
    groups = state("1212121211,x7/x8/x8/x8/x8/x8/x8/x8 1 30").choices_at("a1")
    links_to = mailto_links("tak+1.abcdefghijklmnop@example.org", "[tak #1]", 5, KEEP_ONE)
    cut = links_to.whole(groups)
    assert [one.count for one in cut] == [one.count for one in groups]
    assert all(one.turns == whole.turns[: len(one.turns)] for one, whole in zip(cut, groups, strict=True))
    assert sum(one.missing for one in cut) > 0
    assert min(len(one.turns) for one in cut if one.missing) >= 10
    two = links_to.whole(groups, lists=2)
    # The links that are left out first are longer than the others.
    assert sum(len(one.turns) for one in two) <= sum(len(one.turns) for one in cut) / 2 + len(groups)


def test_what_fits_into_one_line_of_a_link_stands_in_one(game: MemoryHarness) -> None:
    assert all(f">{words}</a>" in game.last(ADA).html for words in ("board", "turns", "give up"))
