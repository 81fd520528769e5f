"""Set-ups, records and `takmail replay`."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from takmail.cli import main
from takmail.games.interface import RecordedRun, Refused, Seat
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.notation.record import read_recorded, replay_records, write_recorded
from takmail.games.tzaar.position import has_all_pieces, read_position
from takmail.games.tzaar.turns import parse_turn
from tests.support.tables import each_row
from tests.tzaar.vectors import position, vectors

GAME = TzaarGame()
RECORDED = vectors()["games"]
TAGS = {"Player1": "Ada", "Player2": 'Ben "B"', "Date": "2026.11.21"}


FIXED = next(one for one in RECORDED if one["setup"] == "fixed")
KIND = next(one for one in RECORDED if one["ended_by"] == "kind")
WON = f'[Start "{KIND["start"]}"]\n{" ".join(KIND["record"])}'


def setup_of(game) -> str:
    start = f" start={game['start'].split()[0]}" if game["setup"] == "random" else ""
    return f"{game['setup']}{start}"


def record_of(game) -> str:
    state = GAME.start(setup_of(game))
    for turn in game["turns"]:
        state = state.play(turn)
    return GAME.record(setup_of(game), game["turns"], TAGS, state.result)


@each_row("game", RECORDED)
def test_the_turns_of_a_record_are_those_of_the_vectors(game) -> None:
    assert [write_recorded(parse_turn(turn)) for turn in game["turns"]] == game["record"]
    assert [read_recorded(turn) for turn in game["record"]] == [parse_turn(turn) for turn in game["turns"]]


def test_records_are_played_over_to_their_result_and_position(tmp_path: Path) -> None:
    file = tmp_path / "games.tzaar.txt"
    file.write_text("\n".join(map(record_of, RECORDED)))
    result = CliRunner().invoke(main, ["replay", "--json", str(file)])
    assert result.exit_code == 0, result.output
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "file": str(file),
            "game": "tzaar",
            "result": game["result"],
            "position": game["positions"][-1],
            "turns": len(game["turns"]),
            "error": None,
        }
        for game in RECORDED
    ]


def test_a_record_has_the_tags_of_the_game() -> None:
    game = next(one for one in RECORDED if one["ended_by"] == "kind" and one["setup"] == "random")
    lines = record_of(game).splitlines()
    assert lines[:8] == [
        '[Game "TZAAR"]',
        '[Player1 "Ada"]',
        r'[Player2 "Ben \"B\""]',
        '[Date "2026.11.21"]',
        '[Setup "random"]',
        f'[Start "{game["start"]}"]',
        f'[Result "{game["result"]}"]',
        f'[Ended "kind {game["kind"]}"]',
    ]
    assert lines[9].startswith(f"1. {game['record'][0]} {game['record'][1]} 2. ")
    assert lines[-1].endswith(game["result"])


def test_what_was_given_up_and_agreed_on_is_in_comments() -> None:
    state = GAME.start("fixed").play("c a5 a4")
    board = state.adopt("/".join(state.board()), Seat.SECOND)
    run = RecordedRun("Turn 3, given up {so}", ("c a3 a4 pass",))
    text = GAME.record("fixed", ["c a5 a4", board, "c a3 a4 pass t"], TAGS, None, [run])
    assert "{Both agreed on this board. Before it: 1. a5xa4}" in text
    assert "1. -- a3xa4,-'" in text
    assert "{Turn 3, given up (so): a3xa4,-}" in text
    (found,) = replay_records(text)
    assert (found.error, found.turns, found.result) == (None, 1, "*")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no game in this file"),
        ('[Setup "random"]\n1. a5xa4', "neither a Start tag nor a Setup tag"),
        ('[Start "nonsense"]\n1. a5xa4', "is no position to begin with"),
        ('[Setup "fixed"]\n1. a5xa4 hello', 'turn 2 (hello): "hello" is no turn of a record'),
        ('[Setup "fixed"]\n1. a5xa4 a4xa5,-', "turn 2 (a4xa5,-): "),
        ('[Setup "fixed"]\n1. a5xe9', "turn 1 (a5xe9): there is no E9"),
        ('[Setup "fixed"]\n1. a5xa4 {open', "line 2 is no record"),
        ('[Setup "fixed"]\n[Result "1-0"]\n1. a5xa4 0-1', "the record has two results, 1-0 and 0-1"),
        ('[Setup "fixed"]\n1. a5xa4 1-0 a3xa4,-', "turn 2 (a3xa4,-): it stands behind the result, 1-0"),
        (
            '[Setup "fixed"]\n[Ended "stuck"]\n1. a5xa4 1-0',
            'by "stuck", and by the rules the game is not over',
        ),
        (f'[Setup "fixed"][Start "{FIXED["positions"][0]}"]\n', 'the set-up "fixed" begins'),
        (f'[Setup "tournament"][Start "{FIXED["start"]}"]\n', 'the set-up "tournament" begins'),
        (f'[Setup "random"][Start "{FIXED["positions"][0]}"]\n', 'the set-up "random" begins'),
        (f"{WON} {'0-1' if KIND['result'] == '1-0' else '1-0'}", "by the rules it is"),
        (f'[Ended "resigned"]\n{WON}', f'by "resigned", and by the rules it is "kind {KIND["kind"]}"'),
    ],
)
def test_a_faulty_record_is_told_in_a_sentence(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.tzaar.txt"
    file.write_text(text)
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert (result.exit_code, result.exception.__class__) == (1, SystemExit)
    assert words in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        '[Setup "fixed"]\n[Ended "resigned"]\n[Result "0-1"]\n1. a5xa4 0-1',
        '[Setup "fixed"]\n[Ended "agreed"]\n1. a5xa4 1/2-1/2',
        '[Setup "fixed"]\n[Result "*"]\n1. a5xa4 1-0',
        f'[Start "{FIXED["positions"][0]}"]\n1. --',
        f'[Ended "kind {KIND["kind"]}"]\n{WON}',
    ],
)
def test_a_record_that_contradicts_nothing_has_no_error(text: str) -> None:
    (found,) = replay_records(text)
    assert found.error is None


@pytest.mark.parametrize("fault", ["}\n1. a5xa4", "1. a5xa4 }"])
def test_a_fault_of_one_game_hides_no_other(fault: str) -> None:
    faulty, sound = replay_records(f'[Setup "fixed"]\n{fault}\n\n{WON}')
    assert faulty.error is not None
    assert sound.error is None


def test_a_person_reads_the_result_and_the_last_position(tmp_path: Path) -> None:
    file = tmp_path / "short.tzaar.txt"
    file.write_text('[Setup "fixed"]\n\n1. a5xa4 a3xa4,a2+b3\n')
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.stdout.splitlines() == [
        f"{file}: TZAAR, 2 turns, no result",
        "  Tx2Tx/tRT2Rrt/trZZzrt/trzTtzrt/trztTZRT/TRZTtZRT/TRZzzRT/TRrrrT/Ttttt w",
    ]


def test_a_random_position_is_drawn_at_the_acceptance_and_not_before() -> None:
    setup = GAME.set_up([], Random(1))
    assert setup == "random"
    drawn = {GAME.complete(setup, Random(seed)) for seed in range(20)}
    assert len(drawn) == 20
    for one in drawn:
        start = read_position(f"{one.removeprefix('random start=')} w")
        assert start is not None
        assert has_all_pieces(start.stacks)
        assert GAME.rematch_setup(one) == "random"
        assert GAME.complete(one, Random(1)) == one


def test_nobody_chooses_a_random_position() -> None:
    complete = GAME.complete("random", Random(1))
    for words in (
        complete.split(),
        complete.lower().split(),
        ["random", "start=zzz"],
        ["start=zzz"],
        ["fixed", complete.split()[1]],
    ):
        with pytest.raises(Refused):
            GAME.set_up(words, Random(1))


@pytest.mark.parametrize(
    "words", [["fixed", "random"], ["fixed", "fixed"], ["5"], ["score=tarway"], ["fixed!"]]
)
def test_other_words_are_no_set_up(words: list[str]) -> None:
    with pytest.raises(Refused):
        GAME.set_up(words, Random(1))


def test_the_title_names_the_set_up() -> None:
    assert [GAME.title(one) for one in ("random", "fixed", "tournament")] == [
        "TZAAR random",
        "TZAAR fixed",
        "TZAAR tournament",
    ]


def test_the_vectors_of_the_boards_begin_as_their_set_up() -> None:
    for game in RECORDED:
        assert GAME.start(setup_of(game)).position == position(game["start"])
