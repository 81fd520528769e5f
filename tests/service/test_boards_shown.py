"""Whose board is compared with which game, what is kept of it, and what a mail full of boards comes to."""

from random import Random

import pytest
from sqlmodel import select

from takmail.commands.grammar.commands import Compare
from takmail.commands.kinds import Standing
from takmail.console.explaining import explain
from takmail.console.mails import reading_page
from takmail.store.tables import GameRow, Offer, OutboxRow
from tests.support import rows
from tests.support.cost import assert_in_proportion
from tests.support.harness import ADA, BEN, Harness, said, turns

EMPTY = "0 0 0\n0 0 0\n0 0 0"
ONE = "S 0 0\n0 0 0\n0 0 0"
SAME = "Your board is the same as mine"


def shown(harness: Harness, seat: int, game: int = 1) -> tuple[str, int] | None:
    with harness.store.transaction() as session:
        row = rows.shown_board(session, game, seat)
        return None if row is None else (row.board, row.turn)


@pytest.fixture
def begun(harness: Harness) -> Harness:
    """A game on the smallest board; one turn is played."""
    harness.begin("3")
    harness.play("ps a1")
    return harness


def test_the_last_board_of_each_seat_is_kept(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", EMPTY, begun.last(ADA))
    begun.send(f"Ben <{BEN}>", ONE, begun.last(BEN))
    assert (shown(begun, 0), shown(begun, 1)) == (("0 0 0/0 0 0/0 0 0", 1), ("S 0 0/0 0 0/0 0 0", 1))
    begun.send(f"Ada <{ADA}>", f"{ONE}\n\nand\n\n{EMPTY}\n\nno,\n{ONE}", begun.last(ADA))
    assert shown(begun, 0) == ("S 0 0/0 0 0/0 0 0", 1)


def test_who_has_only_the_address_right_may_look_and_leaves_nothing_behind(begun: Harness) -> None:
    (letter,) = begun.send(f"Ben <{BEN}>", ONE, to=None)
    assert letter.to == BEN
    assert SAME in said(letter)
    assert shown(begun, 1) is None


def test_a_strange_address_with_the_token_gets_nothing(begun: Harness) -> None:
    letters = begun.send("Someone <someone@example.net>", ONE, begun.last(BEN))
    assert {letter.to for letter in letters} <= {BEN}
    assert not any(SAME in said(letter) for letter in letters)
    assert shown(begun, 1) is None


def test_held_words_are_compared_once_their_player_says_yes(begun: Harness) -> None:
    (asked,) = begun.send("Someone <someone@example.net>", f"ps c3\n\n{ONE}", begun.last(BEN))
    letters = begun.send(f"Ben <{BEN}>", "yes", asked)
    assert turns(begun) == ["ps a1", "ps c3"]
    heard = next(said(letter) for letter in letters if letter.to == BEN)
    assert "You have not played turn 2 on it" in heard
    assert heard.count("on it") == 1


def test_a_board_in_a_letter_that_shows_what_was_written_is_none_of_its_reader_s(begun: Harness) -> None:
    (asked,) = begun.send("Someone <someone@example.net>", "ps c3\n\nC W 0\n0 0 0\n0 0 0", begun.last(BEN))
    assert "| C W 0\n" in asked.text
    letters = begun.send(f"Ben <{BEN}>", "log", asked)
    assert not any("our board" in said(letter) for letter in letters)


def test_a_board_alone_finds_the_only_game(begun: Harness) -> None:
    (letter,) = begun.send(f"Ada <{ADA}>", EMPTY)
    assert "You have not played turn 1 on it" in said(letter)


def test_a_board_alone_finds_the_game_that_waits_for_its_writer(begun: Harness) -> None:
    begun.begin("4")
    (letter,) = begun.send(f"Ben <{BEN}>", ONE)
    assert letter.subject.startswith("[tak #1]")
    assert SAME in said(letter)


def test_of_several_games_it_is_asked_which(begun: Harness) -> None:
    begun.begin("4")
    begun.play("ps a1")
    (letter,) = begun.send(f"Ben <{BEN}>", ONE)
    assert "I can't tell which of your games you mean" in said(letter)
    (letter,) = begun.send(f"Ben <{BEN}>", f"#1 rs\n{ONE}")
    assert SAME in said(letter)


def test_a_stranger_with_a_board_is_told_how_to_begin(harness: Harness) -> None:
    (letter,) = harness.send("Someone <someone@example.net>", f"Hello\n\n{ONE}")
    assert said(letter).startswith("This is Tak by Mail")


def test_before_the_game_begins_there_is_no_board_to_compare_with(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN}")
    (letter,) = harness.send(f"Ada <{ADA}>", EMPTY, harness.last(ADA))
    assert "the game has not begun" in said(letter)
    assert shown(harness, 0) is None


def test_after_the_end_a_board_is_compared_all_the_same(begun: Harness) -> None:
    begun.send(f"Ben <{BEN}>", "resign", begun.last(BEN))
    begun.send(f"Ben <{BEN}>", "yes", begun.last(BEN))
    (letter,) = begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    assert SAME in said(letter)
    assert "and the game is over. The checksum" in said(letter)


def test_who_is_forgotten_leaves_no_board_behind(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    begun.send(f"Ada <{ADA}>", "forget me", begun.last(ADA))
    begun.send(f"Ada <{ADA}>", "yes", begun.last(ADA))
    assert shown(begun, 0) is None


def test_a_board_that_was_shown_is_among_what_is_held(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    (letter,) = begun.send(f"Ada <{ADA}>", "mydata", begun.last(ADA))
    assert '"boards_shown": [ {"game": 1, "after_turn": 1, ' in said(letter)
    assert '"you_wrote": "S 0 0/0 0 0/0 0 0"' in said(letter)


@pytest.mark.many
@pytest.mark.parametrize(
    "row", ["0 0 0", "sSsS sSsS sSsS", "> 0 0 S", "> > S W c", "0 0 0\n", "0 x 0 0 0 0 0"]
)
def test_a_mail_full_of_boards_takes_no_time(begun: Harness, row: str) -> None:
    letter = begun.last(ADA)

    def deliver(rows: int) -> None:
        begun.deliver(begun.mail(f"Ada <{ADA}>", f"{row}\n" * rows, letter).as_bytes())

    assert_in_proportion(deliver, 250_000 // (len(row) + 1))
    assert turns(begun) == ["ps a1"]


def test_no_heap_of_rows_changes_anything(begun: Harness) -> None:
    chance = Random(5)
    for _ in range(40):
        spots = chance.choice(
            ("s S 0", "s S sS w W c C 0 o", "0 0 s . x 1 2 3 A B C", "rs 0 S show log quit . yes")
        )
        width = chance.randint(1, 6)
        rows = [" ".join(chance.choices(spots.split(), k=width)) for _ in range(chance.randint(1, 9))]
        text = "\n".join(chance.choice(("", "", "> ", "| ")) + row for row in rows)
        for letter in begun.send(f"Ben <{BEN}>", text, begun.last(BEN), quoting=chance.random() < 0.5):
            assert letter.to in (ADA, BEN)
        assert turns(begun) == ["ps a1"]
    with begun.store.transaction() as session:
        assert session.get_one(GameRow, 1).standing == Standing.OPEN
        assert session.exec(select(Offer)).all() == []


def test_a_quoted_letter_whose_text_is_no_longer_kept_is_no_board(begun: Harness) -> None:
    begun.send(f"Ben <{BEN}>", "resign", begun.last(BEN))
    begun.send(f"Ben <{BEN}>", "yes", begun.last(BEN))
    letter = begun.last(ADA)
    with begun.store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.text = ""
            session.add(row)
    quoted = "\n".join(f"> {line}" for line in letter.lines)
    for text in (quoted, f"rs\n\n{quoted}"):
        letters = begun.send(f"Ada <{ADA}>", text, letter, quoting=False)
        assert not any("board is" in said(one) for one in letters)


def test_the_operator_sees_what_is_compared(begun: Harness) -> None:
    quoted = ONE.replace("0", "S", 1).replace("\n", "\n> ")
    mail = begun.mail(f"Ada <{ADA}>", f"rs\n\n> {quoted}", begun.last(ADA))
    with begun.store.transaction() as session:
        to_read = begun.causes.to_read(mail.as_bytes(), len(mail.as_bytes()))
        it = explain(session, begun.causes, to_read, to_read.read())
        session.rollback()
    assert [one.command for one in it.orders] == [Compare("S S 0/0 0 0/0 0 0")]
    page = reading_page(begun.services.templates, it, "explained", has_store=True, has_key=True)
    assert "→ a board to compare: S S 0/0 0 0/0 0 0" in page


def test_the_checksum_tells_two_players_that_they_are_in_step(begun: Harness) -> None:
    found = set()
    for who, words in ((ADA, "rs"), (BEN, "rs"), (BEN, ONE), (ADA, "show 1")):
        (letter,) = begun.send(f"{who[:3].capitalize()} <{who}>", words, begun.last(who))
        text = said(letter)
        at = text.index("The checksum of this position is ")
        found.add(text[at:].split()[5])
    assert len(found) == 1
