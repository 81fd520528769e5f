"""A damaged row of any table freezes its game. The operator's page names the row and a statement that repairs it."""

from dataclasses import replace

import pytest
from sqlmodel import select

from takmail.admin import games as console
from takmail.admin import mails
from takmail.commands.kinds import Standing
from takmail.mail.tokens import SeatKey
from takmail.runtime.reader_process import read_once
from takmail.store.tables import TurnRow
from tests.support.damaged import (
    OPERATOR,
    PLAYED,
    four_turns,
    put,
    resume,
    show,
    shunted,
    sql,
    standing,
    with_operator,
)
from tests.support.databases import ON_POSTGRESQL
from tests.support.harness import ADA, BEN, TAK, Harness, said, turns
from tests.support.scenes import played_once

WORDS_FOR_A_NUMBER = pytest.mark.sqlite("PostgreSQL takes nothing but a number for one")
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 0 s"


@pytest.fixture
def game(harness: Harness) -> Harness:
    """Four turns are played, a fifth one was taken back, and Ada is to move."""
    return given_up(with_operator(harness))


@played_once
def given_up(harness: Harness) -> None:
    four_turns(harness)
    harness.play("ps d4")
    put(harness, BEN, "propose back 4")
    put(harness, ADA, "agree")


@played_once
def offering(harness: Harness, offer: str) -> None:
    """The same game, in which Ben has made an offer."""
    given_up(harness)
    put(harness, BEN, offer)


def wrong(harness: Harness) -> str:
    """Send a mail about the game, and return the fault that it reveals."""
    letters = put(harness, ADA, "rs")
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert all("does not agree with itself" in said(one) for one in letters)
    assert standing(harness) == Standing.ADJOURNED
    assert [mail.errors for mail in shunted(harness)] == [0]
    assert console.list_games(harness.store, harness.causes).split()[1] == "corrupt"
    assert "Traceback" not in show(harness)
    return " ".join(show(harness).split())


def statement(harness: Harness) -> str | None:
    """Return the statement that the operator's page suggests."""
    lines = [line.strip() for line in show(harness).splitlines()]
    return next((line for line in lines if line.startswith(("UPDATE ", "INSERT "))), None)


@pytest.mark.parametrize(
    ("offer", "damage", "told"),
    [
        ("propose back 2", "target = 77", "its target is 77"),
        pytest.param(
            "propose back 2",
            "target = 'zzz'",
            "its target is zzz",
            marks=WORDS_FOR_A_NUMBER,
        ),
        ("propose back 2", "target = NULL", "its target is None"),
        ("propose back 2", "kind = 'zzz'", "its kind is zzz"),
        ("propose back 2", "seat = 5", "its seat is 5"),
        ("propose back 2", "turn = 77", "its turn is 77"),
        ("propose back 2", "board = 'zzz', kind = 'board'", "its board is zzz"),
        ("propose restart", "target = 3", "its target is 3"),
        (f"propose board me\n{BOARD}", "board = 'zzz'", "its board is zzz"),
        (f"propose board me\n{BOARD}", "board = 'ps d4'", "its board is ps d4"),
        (
            f"propose board me\n{BOARD}",
            "board = 'board s/s w'",
            "its board is board s/s w",
        ),
        ("draw", "kind = ''", "its kind is"),
    ],
)
def test_an_offer_that_says_what_cannot_be_freezes_the_game(
    harness: Harness, offer: str, damage: str, told: str
) -> None:
    game = offering(with_operator(harness), offer)
    (standing,) = game.table().offers
    version = standing.version
    sql(game, f"UPDATE offer SET {damage} WHERE version = {version}")
    page = wrong(game)
    assert f"the stored offer {version} can't be read: {told}" in page
    assert f'The first inconsistent row: table "offer", game_id 1, version {version}' in page
    repair = f"UPDATE offer SET ended = 'lapsed' WHERE game_id = 1 AND version = {version};"
    assert statement(game) == repair
    is_mended(game)


def is_mended(harness: Harness) -> None:
    """Run the statement, and check that the game is valid."""
    sql(harness, statement(harness) or "")
    assert console.list_games(harness.store, harness.causes).split()[1] == "frozen"


def goes_on(harness: Harness) -> None:
    """Run the statement, resume the game, and check that the shunted mail is answered after requeueing."""
    is_mended(harness)
    assert {one.to for one in resume(harness)} == {ADA, BEN}
    kept = [one.id or 0 for one in shunted(harness)]
    assert mails.requeue(harness.store, harness.causes, kept, read_once, is_from_person=False) == []
    harness.mail_worker.work()
    assert "  0 0 S 0 0" in harness.collect()[0].text.replace("\n", "\n  ")
    assert turns(harness) == list(PLAYED)
    assert "Done: your move is turn 5" in said(put(harness, ADA, "ps d4")[0])


def test_a_damaged_offer_in_a_relay_game_freezes_it_too(harness: Harness) -> None:
    with_operator(harness).begin("5 relay")
    put(harness, ADA, "draw")
    sql(harness, "UPDATE offer SET kind = 'back'")
    assert "its target is None" in wrong(harness)


REPAIRED = {
    "a turn that breaks the rules": (
        "turn SET text = 'ps a5' WHERE number = 3",
        "breaks the rules: A5 is not empty",
    ),
    "a turn that can't be read": ("turn SET text = 'zzz' WHERE number = 3", '"zzz" is no move in the form'),
    "another turn that the rules allow": (
        "turn SET text = 'ps d4' WHERE number = 3",
        "leads to another board",
    ),
    "another checksum": (
        "turn SET checksum = 'abc-def' WHERE number = 4",
        "the stored checksum is abc-def, the replayed one",
    ),
    "another player's turn": (
        "turn SET seat = 1 WHERE number = 3",
        "the stored turn 3 (ps c3) has seat 1, but it was seat 0's turn",
    ),
    "nobody's turn": (
        "turn SET seat = 5 WHERE number = 4",
        "has seat 5, but it was seat 1's turn",
    ),
    "a move marked as agreed on": (
        "turn SET is_agreed = true WHERE number = 3",
        "is marked as an agreed board, but is a move",
    ),
    "a given-up turn that can't be read": (
        "taken_back SET text = 'zzz'",
        'the given-up turn 5 (zzz, branch 1) breaks the rules: "zzz" is no move',
    ),
    "a given-up turn of another player's": (
        "taken_back SET seat = 1",
        "the given-up turn 5 (ps d4, branch 1) has seat 1, but it was seat 0's turn",
    ),
}


@pytest.mark.parametrize("damage", sorted(REPAIRED))
def test_what_follows_from_the_rest_is_put_right_by_a_line_to_paste(game: Harness, damage: str) -> None:
    change, told = REPAIRED[damage]
    sql(game, f"UPDATE {change}")
    page = wrong(game)
    assert told in page
    assert (statement(game) or "").startswith(f"UPDATE {change.split()[0]} SET ")
    assert "space-taken" not in page
    assert "not-canonical" not in page
    is_mended(game)


def test_a_lost_turn_is_put_back_by_the_letter_that_told_of_it(game: Harness) -> None:
    before = rows_of_turn_3(game)
    sql(game, "DELETE FROM turn WHERE number = 3")
    page = wrong(game)
    assert 'The missing row: table "turn", game_id 1, number 3' in page
    assert f"played by: mail {before['mail_id']} " in page
    assert (statement(game) or "").startswith("INSERT INTO turn ")
    goes_on(game)
    assert rows_of_turn_3(game) == before


def rows_of_turn_3(harness: Harness) -> dict[str, object]:
    with harness.store.transaction() as session:
        return session.exec(select(TurnRow).where(TurnRow.number == 3)).one().model_dump()


def test_a_lost_turn_gets_its_moment_back_whatever_the_operators_zone_is(game: Harness) -> None:
    before = rows_of_turn_3(game)["played_at"]
    sql(game, "DELETE FROM turn WHERE number = 3")
    wrong(game)
    zone = "SET LOCAL timezone = 'Asia/Tokyo'; " if ON_POSTGRESQL else ""
    sql(game, f"{zone}{statement(game)}")
    assert rows_of_turn_3(game)["played_at"] == before


def test_of_a_lost_turn_the_mail_is_named_though_no_letter_tells_of_it(game: Harness) -> None:
    mail = rows_of_turn_3(game)["mail_id"]
    sql(game, "DELETE FROM turn WHERE number = 3")
    sql(game, "UPDATE outbox SET text = ''")
    assert f"played by: mail {mail} (takmail mail show {mail})" in wrong(game)
    assert statement(game) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "turn SET text = 'zzz', written = 'zzz' WHERE number = 3",
            'correct the column "text". Look for the right value in mails, letters',
        ),
        (
            "turn SET text = 'ps d4', written = 'ps d4' WHERE number = 3",
            'correct the column "text" (or "checksum" if the turn is right',
        ),
        (
            "taken_back SET number = 77",
            "the given-up turn 77 (ps d4, branch 1) has an impossible number: no stored turn comes before it",
        ),
        pytest.param(
            "taken_back SET number = 'zzz'",
            "the given-up turn zzz (ps d4, branch 1) has an impossible number",
            marks=WORDS_FOR_A_NUMBER,
        ),
        ("taken_back SET how = 'zzz'", "the given-up turn 5 (ps d4, branch 1) can't be read: its how is zzz"),
        ("game SET setup = 'zzz'", 'correct the column "setup". Look for the right value in mails, letters'),
    ],
)
def test_what_does_not_follow_from_the_rest_is_left_to_the_operator(
    game: Harness, change: str, told: str
) -> None:
    sql(game, f"UPDATE {change}")
    assert told in wrong(game)
    assert statement(game) is None


def test_a_turn_that_is_missing_among_those_given_up_is_told(game: Harness) -> None:
    put(game, ADA, "propose back 1")
    put(game, BEN, "agree")
    sql(game, "DELETE FROM taken_back WHERE number = 3")
    assert "turn 3 is missing in branch 2 of the given-up turns, which has later ones" in wrong(game)


def test_an_agreed_board_may_be_of_either_player(game: Harness) -> None:
    for who, other in ((ADA, BEN), (BEN, ADA)):
        put(game, who, f"propose board white\n{BOARD}")
        put(game, other, "agree")
        put(game, ADA, "propose back 4")
        put(game, BEN, "agree")
    assert turns(game) == list(PLAYED)
    assert "(frozen" not in show(game)


def test_what_was_given_up_on_a_branch_of_a_branch_is_played_over_from_there(game: Harness) -> None:
    game.play("ps d5", "ps d1")
    put(game, ADA, "propose back 5")
    put(game, BEN, "agree")
    put(game, ADA, "propose back 2")
    put(game, BEN, "agree")
    sql(game, "UPDATE taken_back SET text = 'ps d5' WHERE number = 6")
    assert "the given-up turn 6 (ps d5, branch 2) breaks the rules: D5 is not empty" in wrong(game)
    assert (
        statement(game)
        == "UPDATE taken_back SET text = 'ps d1' WHERE game_id = 1 AND branch = 2 AND number = 6;"
    )


def test_a_dispute_about_no_turn_of_the_game_is_left_out(game: Harness) -> None:
    put(game, BEN, "im #3 no")
    sql(game, "UPDATE dispute SET turn = 77")
    assert "invalid." not in said(put(game, ADA, "rs")[0]).replace("a move was invalid", "")
    assert "Disputes" not in show(game)
    sql(game, "UPDATE dispute SET turn = 3, seat = 5")
    assert "Disputes" not in show(game)


def test_the_board_that_the_players_were_shown_is_found_with_any_key(game: Harness) -> None:
    sql(game, "UPDATE turn SET text = 'ps d4', written = '' WHERE number = 4")
    wrong(game)
    game.services = replace(game.services, key=SeatKey(b"another key", TAK, "+"))
    page = show(game)
    assert "and the board after it in a letter to the players (right)" in page
    assert "0 0 0 S 0    |    0 0 0 0 0" in page
    sql(game, "UPDATE outbox SET text = ''")
    assert "no stored letter shows the board after it" in show(game)


def test_a_game_that_no_mail_has_frozen_yet_is_not_to_be_resumed(game: Harness) -> None:
    sql(game, "UPDATE turn SET text = 'ps a5' WHERE number = 3")
    page = show(game)
    assert "is corrupt (open)" in page
    assert "--resume" not in page
    assert "Check the repair with `takmail game show 1`.\n\nIf the game can't be repaired" in page
    sql(game, statement(game) or "")
    assert "Done: your move is turn 5" in said(put(game, ADA, "ps d4")[0])


def test_a_mail_that_is_kept_about_a_finished_game_is_to_be_put_back(game: Harness) -> None:
    put(game, ADA, "resign")
    put(game, ADA, "yes")
    sql(game, "UPDATE taken_back SET text = 'zzz'")
    assert [one.to for one in put(game, BEN, "log")] == [ADA, BEN, OPERATOR]
    assert "--resume" not in show(game)
    assert "Then run:\n\n  takmail mail requeue " in show(game)
