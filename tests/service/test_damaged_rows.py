"""A damaged row of any table freezes its game. The operator's page names the row and says how to restore it."""

import pytest

from takmail.cli import games as console
from takmail.cli import mails
from takmail.world.kinds import Standing
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
from tests.support.harness import ADA, BEN, Harness, read_here, said, turns
from tests.support.scenes import played_once
from tests.support.width import some_of

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
    assert console.list_games(harness.store, harness.causes)[0]["state"] == "corrupt"
    assert "Traceback" not in show(harness)
    return " ".join(show(harness).split())


@pytest.mark.parametrize(
    ("offer", "damage", "told"),
    [
        ("propose back 2", "target = 77", "target is 77"),
        pytest.param(
            "propose back 2",
            "target = 'zzz'",
            "target is zzz",
            marks=WORDS_FOR_A_NUMBER,
        ),
        ("propose back 2", "target = NULL", "target is None"),
        ("propose back 2", "kind = 'zzz'", "kind is zzz"),
        ("propose back 2", "seat = 5", "seat is 5"),
        ("propose back 2", "turn = 77", "turn is 77"),
        ("propose back 2", "version = 900", "version is 900"),
        ("resign", "kind = 'zzz'", "kind is zzz"),
        ("resign", "kind = 'held', seat = NULL", "seat is None"),
        ("propose back 2", "words = 'zzz', kind = 'board'", "words is zzz"),
        ("propose restart", "target = 3", "target is 3"),
        (f"propose board me\n{BOARD}", "words = 'zzz'", "words is zzz"),
        (f"propose board me\n{BOARD}", "words = 'ps d4'", "words is ps d4"),
        (
            f"propose board me\n{BOARD}",
            "words = 'board s/s w'",
            "words is board s/s w",
        ),
        ("draw", "kind = ''", "kind is"),
    ],
)
def test_an_offer_that_says_what_cannot_be_freezes_the_game(
    harness: Harness, offer: str, damage: str, told: str
) -> None:
    game = offering(with_operator(harness), offer)
    standing = next(one for one in game.table().pending if one.is_open)
    sql(game, f"UPDATE pending SET {damage} WHERE id = {standing.id}")
    page = wrong(game)
    assert f"the offer or question {standing.id} can't be read: {told}" in page
    assert f'The first inconsistent row: table "pending", id {standing.id}' in page


def test_a_damaged_offer_in_a_relay_game_freezes_it_too(harness: Harness) -> None:
    with_operator(harness).begin("5 relay")
    put(harness, ADA, "draw")
    sql(harness, "UPDATE pending SET kind = 'back'")
    assert "target is None" in wrong(harness)


DAMAGED = {
    "a turn that fits no more": (
        "turn SET text = 'ps d4', written = 'ps d4' WHERE number = 3",
        "leads to another board",
    ),
    "a given-up turn with an impossible number": (
        "taken_back SET number = 77",
        "the given-up turn 77 (ps d4, run 1) has an impossible number: no stored turn comes before it",
    ),
    "an unknown way to give up": (
        "taken_back SET how = 'zzz'",
        "the given-up turn 5 (ps d4, run 1) can't be read: its how is zzz",
    ),
    "a set-up that can't be read": ("game SET setup = 'zzz'", "the stored set-up can't be read"),
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
        'the given-up turn 5 (zzz, run 1) breaks the rules: "zzz" is no move',
    ),
    "a given-up turn of another player's": (
        "taken_back SET seat = 1",
        "the given-up turn 5 (ps d4, run 1) has seat 1, but it was seat 0's turn",
    ),
}


@pytest.mark.parametrize("damage", some_of(sorted(DAMAGED), 5))
def test_the_operator_learns_what_does_not_agree(game: Harness, damage: str) -> None:
    change, told = DAMAGED[damage]
    sql(game, f"UPDATE {change}")
    page = wrong(game)
    assert told in page
    assert "run `takmail restore FILE`" in page
    assert "space-taken" not in page
    assert "not-canonical" not in page


def test_a_lost_turn_is_missed(game: Harness) -> None:
    sql(game, "DELETE FROM turn WHERE number = 3")
    assert 'The missing row: table "turn", game_id 1, number 3' in wrong(game)


def test_a_restored_game_goes_on(game: Harness) -> None:
    sql(game, "UPDATE turn SET text = 'ps d4' WHERE number = 3")
    wrong(game)
    sql(game, "UPDATE turn SET text = 'ps c3' WHERE number = 3")
    assert console.list_games(game.store, game.causes)[0]["state"] == "frozen"
    assert {one.to for one in resume(game)} == {ADA, BEN}
    kept = [one.id or 0 for one in shunted(game)]
    assert mails.requeue(game.store, game.causes, kept, read_here, is_from_person=False) == {}
    game.mail_worker.work()
    assert "0 0 S 0 0" in said(game.collect()[0])
    assert turns(game) == list(PLAYED)
    assert "played as turn 5" in said(put(game, ADA, "ps d4")[0])


def test_a_turn_that_is_missing_among_those_given_up_is_told(game: Harness) -> None:
    put(game, ADA, "propose back 1")
    put(game, BEN, "agree")
    sql(game, "DELETE FROM taken_back WHERE number = 3")
    assert "turn 3 is missing in run 2 of the given-up turns, which has later ones" in wrong(game)


def test_an_agreed_board_may_be_of_either_player(game: Harness) -> None:
    for who, other in ((ADA, BEN), (BEN, ADA)):
        put(game, who, f"propose board white\n{BOARD}")
        put(game, other, "agree")
        put(game, ADA, "propose back 4")
        put(game, BEN, "agree")
    assert turns(game) == list(PLAYED)
    assert "(frozen" not in show(game)


def test_a_run_that_a_later_one_had_led_to_is_played_over_from_there(game: Harness) -> None:
    game.play("ps d5", "ps d1")
    put(game, ADA, "propose back 5")
    put(game, BEN, "agree")
    put(game, ADA, "propose back 2")
    put(game, BEN, "agree")
    sql(game, "UPDATE taken_back SET text = 'ps d5' WHERE number = 6")
    assert "the given-up turn 6 (ps d5, run 2) breaks the rules: D5 is not empty" in wrong(game)


def test_a_dispute_about_no_turn_of_the_game_is_left_out(game: Harness) -> None:
    put(game, BEN, "im #3 no")
    sql(game, "UPDATE dispute SET turn = 77")
    assert "invalid." not in said(put(game, ADA, "rs")[0]).replace("a move was invalid", "")
    assert "Disputes" not in show(game)
    sql(game, "UPDATE dispute SET turn = 3, seat = 5")
    assert "Disputes" not in show(game)


def test_a_game_that_no_mail_has_frozen_yet_is_not_to_be_resumed(game: Harness) -> None:
    sql(game, "UPDATE turn SET text = 'ps a5' WHERE number = 3")
    page = show(game)
    assert "is corrupt (open)" in page
    assert "--resume" not in page
    assert "check the game with `takmail game show 1`. Without such a backup, end the game" in " ".join(
        page.split()
    )
    sql(game, "UPDATE turn SET text = 'ps c3' WHERE number = 3")
    assert "played as turn 5" in said(put(game, ADA, "ps d4")[0])


def test_a_mail_that_is_kept_about_a_finished_game_is_to_be_put_back(game: Harness) -> None:
    put(game, ADA, "resign")
    put(game, ADA, "yes")
    sql(game, "UPDATE taken_back SET text = 'zzz'")
    assert [one.to for one in put(game, BEN, "log")] == [ADA, BEN, OPERATOR]
    assert "--resume" not in show(game)
    assert "Then run:\n\n  takmail mail requeue " in show(game)
