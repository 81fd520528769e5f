"""What happens beside a damaged game: in the player's other games, in lists and scores, and when mails are put back."""

import pytest

from takmail.cli import games as console
from takmail.cli import mails, players
from takmail.world.kinds import Ruling, Standing
from tests.support.damaged import (
    BY,
    OPERATOR,
    PLAYED,
    changed,
    do,
    four_turns,
    mend,
    put,
    resume,
    shunted,
    sql,
    standing,
    with_operator,
    write,
)
from tests.support.harness import ADA, BEN, Harness, read_here, said, turns
from tests.support.scenes import played_once


@played_once
def two_games(harness: Harness) -> None:
    """Four turns are played in the first game, and none in the second one."""
    four_turns(harness)
    harness.begin("4")


@pytest.fixture
def games(harness: Harness) -> Harness:
    """A turn of the first game breaks the rules. No mail has met it yet."""
    two_games(with_operator(harness))
    do(harness, changed(3, text="ps a5"))
    return harness


def requeue(games: Harness) -> None:
    kept = [one.id or 0 for one in shunted(games)]
    assert mails.requeue(games.store, games.causes, kept, read_here, is_from_person=False) == {}
    games.mail_worker.work()


def test_a_mail_about_a_damaged_game_and_another_one_is_asked_about_as_of_any_two_games(
    games: Harness,
) -> None:
    (answer,) = write(games, ADA, "#1 show\n#2 ps a1")
    assert "It asks for this:" in said(answer)
    assert (turns(games, 2), shunted(games), standing(games)) == ([], [], Standing.OPEN)


def test_the_other_game_is_played_and_ends_and_its_score_leaves_the_damaged_one_out(games: Harness) -> None:
    answered = next(one for one in reversed(games.box) if one.to == ADA and "[tak #2]" in one.subject)
    write(games, ADA, "resign", answered)
    letters = write(games, ADA, "yes", games.last(ADA))
    assert sorted(one.to for one in letters) == [ADA, BEN]
    assert standing(games, 2) == Standing.OVER
    games.send(f"Ben <{BEN}>", "match", games.last(BEN))
    assert "Not counted" not in said(games.last(BEN))
    assert standing(games) == Standing.OPEN


def test_a_finished_game_that_is_damaged_is_left_out_of_the_match(harness: Harness) -> None:
    with_operator(harness).begin("3")
    harness.play("ps c1", "ps a3", "ps b3", "ps a1", "ps c3")
    harness.begin("4")
    do(harness, changed(3, text="ps a3"))
    harness.send(f"Ben <{BEN}>", "match", harness.last(BEN))
    assert "Not counted: 1 game with something broken in the log" in said(harness.last(BEN))


def test_a_mail_that_is_put_back_too_early_is_kept_again_and_nobody_is_told_twice(games: Harness) -> None:
    assert [one.to for one in put(games, ADA, "ps d4")] == [ADA, BEN, OPERATOR]
    requeue(games)
    assert games.collect() == []
    assert [one.errors for one in shunted(games)] == [0]
    mend(games)
    resume(games)
    requeue(games)
    assert "played as turn 5" in said(games.collect()[0])
    assert turns(games) == [*PLAYED, "ps d4"]


def test_a_resignation_of_a_damaged_game_is_kept_and_asked_about_once_it_goes_on(games: Harness) -> None:
    put(games, ADA, "resign")
    assert standing(games) == Standing.ADJOURNED
    mend(games)
    resume(games)
    requeue(games)
    (asked,) = games.collect()
    put(games, ADA, "yes")
    assert (asked.to, standing(games)) == (ADA, Standing.OVER)


def test_each_damaged_game_is_told_of(games: Harness) -> None:
    answered = next(one for one in reversed(games.box) if one.to == ADA and "[tak #2]" in one.subject)
    put(games, ADA, "rs")
    sql(games, "UPDATE game SET setup = 'zzz' WHERE id = 2")
    assert [one.to for one in write(games, ADA, "rs", answered)] == [ADA, BEN, OPERATOR]
    (answer,) = write(games, ADA, "games")
    assert said(answer).count("something in its log is broken") == 2


def test_a_damaged_game_goes_to_another_player_by_a_merger_and_is_played_on_after_it_is_mended(
    games: Harness,
) -> None:
    games.send("Cyd <cyd@example.org>", "new 5 vs someone@example.org")
    put(games, ADA, "ps d4")
    players.merge(games.store, games.causes, ADA, "cyd@example.org", BY)
    mend(games)
    resume(games)
    requeue(games)
    assert "played as turn 5" in said(games.collect()[0])


def test_a_damaged_game_that_a_ruling_has_ended_is_left_alone(games: Harness) -> None:
    console.end(games.store, games.causes, 1, Ruling.SECOND, BY)
    games.collect()
    (answer,) = write(games, BEN, "match Ada")
    assert "Not counted: 1 game" in said(answer)
    assert shunted(games) == []
