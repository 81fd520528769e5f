"""Every recorded game, in both notations, against an engine that is not ours."""

import pytest

from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import mail, ptn, rs, tps
from takmail.games.tak.notation.ptn_game import parse_games, write_game
from takmail.games.tak.replay import replay
from tests.support.tak import vectors

GAMES = vectors("games.json")
TAGS = {"Player1": "Ada", "Player2": "Ben", "Date": "2026.11.21"}


def setup_of(game):
    return TakGame().set_up([str(game["size"]), f"komi={game['komi']}"], None)


def test_all_games_are_there():
    assert len(GAMES) == 228
    assert sum(len(game["mail"]) for game in GAMES) == 13737


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_game_ends_as_recorded(number):
    game = GAMES[number]
    state = TakGame().start(setup_of(game))
    for text in game["mail"]:
        assert state.result is None
        state = state.play(text)
    assert tps.write(state.position) == game["final_tps"]
    assert list(rs.write(state.position, aligned=False)) == game["final_rs"]
    assert state.result.score == game["result"]
    assert state.result.how == game["ended_by"]
    assert state.result.facts["double_road"] is game["double_road"]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_game_reads_the_same_in_both_notations(number):
    game = GAMES[number]
    board = TakGame().start(setup_of(game)).position.board
    for in_mail, in_ptn in zip(game["mail"], game["ptn"], strict=True):
        move = mail.parse(board, in_mail).move
        assert ptn.parse_ply(board, in_ptn) == ptn.Ply(move)
        assert mail.write(board, move) == in_mail
        assert ptn.write_ply(board, ptn.Ply(move)) == in_ptn


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_record_of_a_game_can_be_replayed(number):
    game = GAMES[number]
    state = TakGame().start(setup_of(game))
    for text in game["mail"]:
        state = state.play(text)
    text = TakGame().record(setup_of(game), game["mail"], TAGS, state.result)
    (parsed,) = parse_games(text)
    assert write_game(parsed) == text
    played = replay(parsed)
    assert played.error is None
    assert (played.size, played.result, played.final_tps, played.plies) == (
        game["size"],
        game["result"],
        game["final_tps"],
        len(game["ptn"]),
    )
