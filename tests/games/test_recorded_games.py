"""Every recorded game, in both notations, compared with an independent engine."""

import pytest

from takmail.games.tak.notation import mail, ptn, rs, tps
from takmail.games.tak.pieces import SIZES
from tests.support.tak import recorded, replayed


def test_all_games_are_there():
    assert len(recorded()) == 228
    assert sum(len(game["mail"]) for _, game in recorded()) == 13737


@pytest.mark.parametrize("size", SIZES)
def test_games_end_as_recorded(size):
    for number, game in recorded(size=size):
        *before, end = replayed(number)
        assert {state.result for state in before} == {None}, number
        assert tps.write(end.position) == game["final_tps"], number
        assert list(rs.write(end.position, aligned=False)) == game["final_rs"], number
        facts = (game["result"], game["ended_by"], game["double_road"])
        assert (end.result.score, end.result.how, end.result.facts["double_road"]) == facts, number


@pytest.mark.parametrize("size", SIZES)
def test_games_read_the_same_in_both_notations(size):
    for number, game in recorded(size=size):
        board = replayed(number)[0].position.board
        for in_mail, in_ptn in zip(game["mail"], game["ptn"], strict=True):
            move = mail.parse(board, in_mail).move
            assert ptn.parse_ply(board, in_ptn) == ptn.Ply(move)
            assert mail.write(board, move) == in_mail
            assert ptn.write_ply(board, ptn.Ply(move)) == in_ptn
