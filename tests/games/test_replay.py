"""Replaying a recorded game by the rules."""

import pytest

from takmail.games.tak.notation.ptn_game import parse_games, read_games
from takmail.games.tak.replay import replay

ROAD = '[Size "3"]\n1. a3 a1\n2. b1 b3\n3. c1\n'


def replayed(text):
    (game,) = parse_games(text)
    return replay(game)


def test_a_finished_game_has_the_result_of_the_rules():
    played = replayed(ROAD)
    assert (played.size, played.result, played.plies, played.error) == (3, "R-0", 5, None)
    assert played.final_tps == "2,2,x/x3/1,1,1 2 3"


@pytest.mark.parametrize("text", [ROAD + "R-0", '[Result "R-0"]\n' + ROAD, ROAD + "*"])
def test_the_recorded_result_may_agree_with_the_board(text):
    assert replayed(text).error is None


@pytest.mark.parametrize("recorded", ["0-R", "F-0", "1-0", "1/2-1/2"])
def test_a_recorded_result_that_contradicts_the_board_is_an_error(recorded):
    for text in (f'[Result "{recorded}"]\n{ROAD}', ROAD + recorded):
        played = replayed(text)
        assert (played.error.name, played.bad_ply) == ("result-mismatch", None)
        assert dict(played.error.facts) == {"recorded": recorded, "by_rules": "R-0"}


@pytest.mark.parametrize("recorded", ["1-0", "0-1", "1/2-1/2"])
def test_resignations_and_agreed_draws_are_taken_from_the_record(recorded):
    played = replayed(f'[Size "3"]\n[Result "{recorded}"]\n1. a3 a1')
    assert (played.result, played.error) == (recorded, None)


def test_tag_and_last_word_have_to_agree():
    played = replayed('[Size "3"]\n[Result "1-0"]\n1. a3 a1 0-1')
    assert dict(played.error.facts) == {"recorded": "0-1", "by_rules": "1-0"}


def test_a_road_that_is_not_on_the_board_is_an_error():
    played = replayed('[Size "3"]\n1. a3 a1 R-0')
    assert (played.result, played.error.name) == ("*", "result-mismatch")


def test_a_game_without_an_end_has_no_result():
    assert replayed('[Size "3"]\n1. a3').result == "*"
    assert replayed('[Size "3"]\n[Result "?"]\n1. a3').result == "*"


def test_the_first_illegal_ply_is_named_with_its_reason_and_squares_as_in_ptn():
    played = replayed('[Size "3"]\n1. a3 a1\n2. a3 b3\n')
    assert (played.bad_ply, played.ply_number, played.plies) == ("a3", 3, 2)
    assert played.error.name == "space-taken"
    assert played.error.facts["square"] == "a3"
    assert played.final_tps == "2,x2/x3/1,x2 1 2"


def test_a_ply_behind_the_end_is_illegal():
    played = replayed(ROAD + "4. b2")
    assert (played.error.name, played.bad_ply, played.ply_number) == ("game-over", "b2", 6)


def test_komi_counts():
    moves = "1. a1 b1\n2. c1 a2\n3. b2 c2\n4. a3 b3\n5. Sc3"
    assert replayed(f'[Size "3"]\n{moves}').result == "1/2-1/2"
    assert replayed(f'[Size "3"]\n[Komi "0.5"]\n{moves}').result == "0-F"


def test_a_game_may_start_anywhere():
    played = replayed('[TPS "x3/x3/1,1,x 1 9"]\n9. c1 R-0')
    assert (played.error, played.result, played.final_tps) == (None, "R-0", "x3/x3/1,1,1 2 9")


@pytest.mark.parametrize(
    ("ply", "name"),
    [
        ("z9", "ptn-ply"),
        ("a4", "off-the-board"),
        ("3a3-11", "drops-do-not-add-up"),
        ("3a3", "count-without-direction"),
        ("3a3-30", "drop-of-zero"),
    ],
)
def test_a_ply_that_cannot_be_read_is_the_first_illegal_one(ply, name):
    (game,) = read_games(f'[Size "3"]\n1. a3 a1\n2. {ply} b3\n')
    played = replay(game)
    assert (played.error.name, played.bad_ply, played.ply_number, played.plies) == (name, ply, 3, 2)
    assert (played.result, played.final_tps) == ("*", "2,x2/x3/1,x2 1 2")


def test_an_illegal_ply_before_an_unreadable_one_is_the_first():
    (game,) = read_games('[Size "3"]\n1. a3 a3\n2. z9\n')
    played = replay(game)
    assert (played.error.name, played.ply_number) == ("space-taken", 2)
