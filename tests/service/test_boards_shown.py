"""The stored boards that players show, and what the operator sees of them."""

import pytest
from sqlmodel import select

from takmail.cli.explain import explain
from takmail.cli.mails import reading_page
from takmail.commands.grammar.arguments import Compare
from takmail.store.tables import OutboxRow
from tests.support import rows
from tests.support.explained import read_of
from tests.support.harness import Harness
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once

EMPTY = "0 0 0\n0 0 0\n0 0 0"
ONE = "S 0 0\n0 0 0\n0 0 0"


def shown(harness: Harness, seat: int) -> tuple[str, int] | None:
    with harness.store.transaction() as session:
        row = rows.shown_board(session, 1, seat)
        return None if row is None else (row.board, row.turn)


@pytest.fixture
@played_once
def begun(harness: Harness) -> None:
    """A game on the smallest board, with one turn played."""
    harness.begin_and_play("ps a1", words="3")


def test_the_last_board_of_each_seat_is_kept(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", EMPTY, begun.last(ADA))
    begun.send(f"Ben <{BEN}>", ONE, begun.last(BEN))
    assert (shown(begun, 0), shown(begun, 1)) == (("0 0 0/0 0 0/0 0 0", 1), ("S 0 0/0 0 0/0 0 0", 1))
    begun.send(f"Ada <{ADA}>", f"{ONE}\n\nand\n\n{EMPTY}\n\nno,\n{ONE}", begun.last(ADA))
    assert shown(begun, 0) == ("S 0 0/0 0 0/0 0 0", 1)


def test_an_erased_player_leaves_no_board_behind(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    assert shown(begun, 0) is not None
    begun.send(f"Ada <{ADA}>", "forget me", begun.last(ADA))
    begun.send(f"Ada <{ADA}>", "yes", begun.last(ADA))
    assert shown(begun, 0) is None


def test_a_board_that_was_shown_is_among_what_is_held(begun: Harness) -> None:
    begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    (letter,) = begun.send(f"Ada <{ADA}>", "mydata", begun.last(ADA))
    assert '"boards_shown": [ {"game": 1, "after_turn": 1, ' in said(letter)
    assert '"you_wrote": "S 0 0/0 0 0/0 0 0"' in said(letter)


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
    assert [one.arguments for one in read_of(it).understood.orders] == [Compare("S S 0/0 0 0/0 0 0")]
    page = reading_page(begun.services.templates, it, "explained", has_store=True, has_key=True)
    assert "→ Compare(board='S S 0/0 0 0/0 0 0')" in page
