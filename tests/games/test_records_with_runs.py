"""Records keep runs that were given up as comments, and reading returns only the turns of the game."""

from random import Random

import pytest

from takmail.games.interface import RecordedRun
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import ptn, rs
from takmail.games.tak.notation.ptn_game import Comment, parse_games, write_game
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.replay import replay
from tests.support.examples import examples
from tests.support.tak import recorded, replayed, setup_of

GAME = TakGame()
TAGS = {"Player1": "Ada", "Player2": "Ben", "Date": "2026.11.21"}
TURNS = ["ps a1", "ps e5", "ps c3", "ps c2", "pw b3"]


def record(turns, runs=(), setup="5", result=None):
    return GAME.record(setup, turns, TAGS, result, runs)


def moves_of(text):
    return text.split("\n\n", 1)[1]


def test_runs_stand_after_the_last_turn():
    runs = (
        RecordedRun("Turns 4 to 5, given up", ("ps d3", "mn c3 p1 1")),
        RecordedRun("Turn 3, given up", ("ps b2",)),
    )
    assert moves_of(record(TURNS, runs)) == (
        "1. a5 e1\n2. c3 c4\n3. Sb3 {Turns 4 to 5, given up: d3 c3+} {Turn 3, given up: b4}\n"
    )
    assert moves_of(record(TURNS[:4], runs[1:])) == "1. a5 e1\n2. c3 c4\n{Turn 3, given up: b4}\n"


def test_a_game_begun_again_keeps_what_was_played_before():
    text = record([], (RecordedRun("Turns 1 to 3, given up", ("ps a1", "ps e5", "ps c3")),))
    assert moves_of(text) == "{Turns 1 to 3, given up: a5 e1 c3}\n"


def test_braces_do_not_end_the_comment():
    text = record(TURNS, (RecordedRun("{so} it was", ("ps b2",)),))
    (game,) = parse_games(text)
    assert len(game.plies) == 5


def test_an_adopted_board_begins_the_record_anew():
    board = "S 0 0 0 0/0 0 0 0 0/0 w Ss c 0/0 0 0 0 0/0 0 0 0 s"
    text = record([*TURNS, f"board {board} b", "ps a2", "pc b1 t"], setup="5 komi=2")
    assert '[TPS "2,x4/x5/x,1S,12,1C,x/x5/x4,1 2 3"]' in text
    assert '[Komi "2"]' in text
    assert moves_of(text) == (
        "{Both agreed on this board. Before it: 1. a5 e1 2. c3 c4 3. Sb3}\n3. -- a4\n4. Cb5'\n"
    )


def test_only_the_last_of_several_boards_begins_it():
    board = "S 0 0/0 0 0/0 0 s"
    text = record(["ps a1", f"board {board} w", "ps b2", f"board {board} w", "ps b1"], setup="3")
    (game,) = parse_games(text)
    assert [ptn.write_ply(game.start.board, ply) for ply in game.plies] == ["b3"]
    assert " ".join(text.split()).count("then both agreed on another board (as TPS: ") == 1


def test_a_run_with_an_agreed_board_is_written():
    board = "S 0 0/0 0 0/0 0 s"
    text = record(["ps a1"], (RecordedRun("Turns 2 to 3", (f"board {board} w", "ps b2")),), setup="3")
    assert "to 3: a board that both agreed on (as TPS: 2,x2/x3/x2,1 1 2) b2}" in text.replace("\n", " ")


def test_a_game_that_nobody_checked_is_written_as_it_was_played():
    text = record(["ps a1", "ps a1", "me c3 p1 1"], (RecordedRun("Turn 3", ("ps a1",)),))
    (game,) = parse_games(text)
    assert len(game.plies) == 3


@pytest.mark.many
@pytest.mark.parametrize("size", SIZES)
def test_the_main_line_is_read_back(size):
    for number, game in recorded(size=size)[: examples(10, 50)]:
        chance, turns, frames = Random(number), list(game["mail"]), replayed(number)
        runs = []
        for _ in range(3):
            begin = chance.randint(0, len(turns) - 1)
            runs.append(RecordedRun("Given up", tuple(turns[begin : begin + chance.randint(1, 30)])))
        at, has_board = chance.randint(2, len(turns) - 1), chance.random() < 0.5
        if has_board:
            turns.insert(at, frames[at].adopt("/".join(rs.write(frames[at].position)), frames[at].to_move))
        text = GAME.record(setup_of(game), turns, TAGS, frames[-1].result, runs)
        (parsed,) = parse_games(text)
        assert write_game(parsed) == text, number
        assert sum(isinstance(item, Comment) for item in parsed.items) == 3 + has_board, number
        played = replay(parsed)
        assert (played.error, played.result) == (None, game["result"]), number
        assert (played.final_tps, played.plies) == (game["final_tps"], len(turns) - has_board * (at + 1)), (
            number
        )
        assert max(len(line) for line in text.splitlines() if line.count("/") < 2) <= 240, number


def test_a_board_that_can_not_be_adopted_changes_nothing_in_a_game_that_nobody_checked():
    turns = ["ps a1", "board s s/0 0 w", "ps b1", "board S 0 0/0 0 0/0 0 s w", "ps c1"]
    assert moves_of(record(turns, setup="3")).endswith("3. c3\n")
