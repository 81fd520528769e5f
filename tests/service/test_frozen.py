"""A game whose stored turns contradict the stored state is frozen, and none of its data is lost."""

import logging

import pytest
from sqlmodel import select

from takmail.cli import games as console
from takmail.cli import mails, players
from takmail.store import operator_log
from takmail.store.records import TURNS
from takmail.store.tables import GameRow, OutboxRow
from takmail.world.kinds import LetterState, Standing
from takmail.world.replay import CorruptGame
from tests.support.damaged import (
    BY,
    OPERATOR,
    PLAYED,
    all_of,
    changed,
    do,
    four_turns,
    lost,
    mend,
    put,
    resume,
    set_up,
    show,
    shunted,
    standing,
    with_operator,
    write,
)
from tests.support.harness import ADA, BEN, Harness, read_here, said, turns
from tests.support.scenes import played_once


@pytest.fixture
def game(harness: Harness) -> Harness:
    """Four turns are played, and Ada is to move."""
    return four_turns(with_operator(harness))


DAMAGES = {
    "a turn that breaks the rules": (changed(3, text="ps a5"), "the stored turn 3 (ps a5) breaks the rules"),
    "a turn that can't be read": (
        changed(3, text="nonsense"),
        "the stored turn 3 (nonsense) breaks the rules",
    ),
    "another turn that the rules allow": (
        changed(3, text="ps d4"),
        "the stored turn 3 (ps d4) leads to another",
    ),
    "a missing turn": (lost(2), "turn 2 is missing, but later ones are stored"),
    "another checksum": (
        changed(4, checksum="abc-def"),
        "turn 4 (ps c2) leads to another board: the stored checksum is abc-def",
    ),
    "a set-up that can't be read": (set_up("nonsense"), "the stored set-up can't be read"),
    "another set-up": (set_up("6"), "the stored turn 1 (ps a5) leads to another board"),
}


@played_once
def stopped(harness: Harness, damage: str) -> None:
    """The game is damaged, and Ada has written her next move."""
    four_turns(harness)
    do(harness, DAMAGES[damage][0])
    put(harness, ADA, "ps d4")


@pytest.fixture
def broken(harness: Harness) -> Harness:
    return stopped(with_operator(harness), "a turn that breaks the rules")


@pytest.fixture(params=sorted(DAMAGES))
def damaged(harness: Harness, request: pytest.FixtureRequest) -> tuple[Harness, str]:
    return stopped(with_operator(harness), request.param), DAMAGES[request.param][1]


def test_a_turn_keeps_the_checksum_of_the_board_that_it_leads_to(game: Harness) -> None:
    with game.store.transaction() as session:
        kept = [turn.checksum for turn in TURNS.load(session, 1)]
    assert len(set(kept)) == 4
    assert all(kept)


def test_a_game_from_before_checksums_were_kept_is_sound(game: Harness) -> None:
    for number in range(1, 5):
        do(game, changed(number, checksum=None))
    assert "played as turn 5" in said(put(game, ADA, "ps d4")[0])


def test_damage_is_found_behind_which_turns_have_no_checksum(game: Harness) -> None:
    do(game, all_of(changed(2, text="ps d4"), changed(4, checksum=None)))
    assert [one.to for one in put(game, ADA, "ps a1")] == [ADA, BEN, OPERATOR]
    assert "the stored turn 2 (ps d4) leads to another board" in show(game)
    assert len(turns(game)) == 4


def test_a_damaged_game_stands_still_and_each_is_told_once(damaged: tuple[Harness, str]) -> None:
    harness, told = damaged
    letters = harness.box[-3:]
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert standing(harness) == Standing.ADJOURNED
    for letter in letters[:2]:
        assert "does not agree with itself" in said(letter)
        assert "Until then the game stands still" in said(letter)
        assert letter.subject == "[tak #1] Ada – Ben, 5x5"
        assert told not in said(letter)
    assert told in said(letters[2])
    assert "takmail mail requeue 8" in said(letters[2])
    assert ADA not in letters[2].text
    assert BEN not in letters[2].text
    assert put(harness, BEN, "rs") == []
    assert put(harness, ADA, "ps d4\n\nAre you there?") == []
    assert [mail.errors for mail in shunted(harness)] == [0, 0, 0]


def test_the_log_has_what_was_wrong_and_players_do_not_read_it(broken: Harness) -> None:
    with broken.store.transaction() as session:
        (deed,) = operator_log.of_game(session, 1)
    assert (deed.who, deed.what) == ("Tak by Mail", "frozen")
    assert deed.why == (
        "the stored turn 3 (ps a5) breaks the rules: A5 is not empty: a black flat stands there. "
        "A piece can only be placed on an empty space."
    )
    mend(broken)
    put(broken, ADA, "mydata")
    write(broken, ADA, "yes", broken.last(ADA))
    assert '"done": "frozen", "why": ""' in broken.last(ADA).text


def test_the_operator_sees_it_in_the_list_and_is_shown_what_to_do(damaged: tuple[Harness, str]) -> None:
    harness, told = damaged
    assert console.list_games(harness.store, harness.causes)[0]["state"] == "corrupt"
    page = " ".join(show(harness).split())
    assert told in page
    assert 'takmail game adjourn 1 --resume --why "..." takmail mail requeue 8' in page
    assert "frozen, by Tak by Mail" in page
    with pytest.raises(CorruptGame):
        resume(harness)
    assert standing(harness) == Standing.ADJOURNED


def test_it_goes_on_once_it_is_mended_and_then_the_mail_is_played_once(harness: Harness) -> None:
    stopped(with_operator(harness), "another set-up")
    mend(harness)
    assert console.list_games(harness.store, harness.causes)[0]["state"] == "frozen"
    page = show(harness)
    assert "Resume the game:" in page
    assert "Put them back:\n  takmail mail requeue 8\n" in page
    assert {one.to for one in resume(harness)} == {ADA, BEN}
    assert mails.requeue(harness.store, harness.causes, [8], read_here, is_from_person=False) == {}
    harness.mail_worker.work()
    answer, news = harness.collect()
    assert "played as turn 5" in said(answer)
    assert news.lines[0] == "ps d4"
    assert turns(harness) == [*PLAYED, "ps d4"]


def test_while_it_is_mended_and_not_resumed_a_move_hears_that_it_stands_still(broken: Harness) -> None:
    mend(broken)
    (answer,) = put(broken, BEN, "ps d4")
    assert "this game stands still at the moment" in said(answer)
    assert "the operator of Tak by Mail has to mend it" in said(answer)


def test_the_other_games_go_on(game: Harness) -> None:
    game.begin("4")
    do(game, changed(3, text="ps a5"))
    put(game, ADA, "rs")
    (answer,) = write(game, ADA, "games")
    assert "game #1 with Ben (5x5): something in its log is broken" in said(answer)
    assert "game #2 with Ben (4x4): it is your turn" in said(answer)
    (answer,) = write(game, ADA, "log")
    assert answer.subject.startswith("[tak #2]")
    newest = next(one for one in reversed(game.box) if one.to == BEN and "[tak #2]" in one.subject)
    (answer,) = write(game, BEN, "rs", newest)
    assert "0 0 0 0" in answer.text


def test_a_finished_game_keeps_its_result_when_a_mail_names_it(harness: Harness) -> None:
    with_operator(harness).begin("3")
    harness.play("ps c1", "ps a3", "ps b3", "ps a1", "ps c3")
    result = stored_result(harness)
    assert result[:2] == ("over", "R-0")
    do(harness, changed(3, text="ps a3"))
    write(harness, ADA, "#1 show")
    assert stored_result(harness) == result


def stored_result(harness: Harness) -> tuple[object, ...]:
    with harness.store.transaction() as session:
        row = session.get_one(GameRow, 1)
        return row.standing, row.score, row.winner, row.first_points, row.score_digest


def test_a_game_that_breaks_again_after_it_was_mended_is_told_of_again(broken: Harness) -> None:
    mend(broken)
    resume(broken)
    do(broken, changed(3, text="ps a5"))
    assert [one.to for one in put(broken, ADA, "rs")] == [ADA, BEN, OPERATOR]


def test_the_replayed_board_is_shown(game: Harness) -> None:
    do(game, changed(4, text="ps d4"))
    put(game, ADA, "rs")
    assert "The replayed board after this turn:" in show(game)
    assert "\n  0 0 0 S 0\n" in show(game)


def test_a_finished_game_keeps_its_result_and_a_letter_says_so(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "resign", game.last(ADA))
    game.send(f"Ada <{ADA}>", "yes", game.last(ADA))
    do(game, changed(3, text="ps a5"))
    letters = put(game, BEN, "log")
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert "its result stays as it is" in said(letters[0])
    assert standing(game) == Standing.OVER
    assert put(game, BEN, "log") == []


def test_an_invitation_whose_set_up_is_damaged_tells_nobody_but_the_operator(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "new 6 vs someone@example.net")
    do(game, set_up("nonsense"))
    invited = game.last("someone@example.net")
    assert [one.to for one in write(game, "someone@example.net", "accept", invited)] == [OPERATOR]
    assert standing(game, 2) == Standing.INVITED


def test_without_an_address_of_the_operators_only_the_players_are_written_to(game: Harness) -> None:
    game.change(operator=None)
    do(game, changed(3, text="ps a5"))
    letters = put(game, ADA, "rs")
    assert [one.to for one in letters] == [ADA, BEN]
    assert all("The operator of Tak by Mail has to mend it." in said(one) for one in letters)


def test_nothing_is_kept_of_the_operators_letter_once_it_has_left(broken: Harness) -> None:
    with broken.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.mail_to == OPERATOR)).one()
        assert (row.purge_after_send, row.state) == (True, LetterState.QUEUED)


def test_the_log_of_the_service_has_one_line_without_addresses(
    game: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    do(game, changed(3, text="ps a5"))
    with caplog.at_level(logging.ERROR):
        put(game, ADA, "ps d4")
    (record,) = caplog.records
    assert record.getMessage() == (
        "mail 8 is shunted: game 1 is corrupt: "
        "the stored turn 3 (ps a5) breaks the rules: A5 is not empty: a black flat stands there. "
        "A piece can only be placed on an empty space."
    )


def test_a_frozen_game_does_not_go_on_with_the_end_of_a_block(broken: Harness) -> None:
    mend(broken)
    for undo in (False, True):
        players.block(broken.store, broken.causes, ADA, BY, undo=undo)
    assert standing(broken) == Standing.ADJOURNED
