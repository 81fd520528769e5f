"""The bot as an opponent: legal turns at every level, the same ones each time, and roads that it takes and stops."""

from random import Random

import pytest

from takmail.config.bots import LEVELS as BOT_LEVELS
from takmail.games.tak.bot.bits import CAPSTONE, FLAT, WALL, bits_of, layout_of, make, move_of, result
from takmail.games.tak.bot.levels import LEVELS, Level, choice
from takmail.games.tak.bot.roads import road_in_one
from takmail.games.tak.bot.search import WIN, Search
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import ptn, tps
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.position import empty_position
from takmail.games.thinking import Player
from tests.support.tables import each_row
from tests.support.tak import vectors
from tests.support.width import some_of

GAME = TakGame()
SEED = b"a seed"
CUT_AFTER = 3


def _never() -> bool:
    return False


def test_tak_has_an_opponent_of_the_levels_that_an_operator_can_name() -> None:
    assert isinstance(GAME, Player)
    assert GAME.levels == BOT_LEVELS
    assert GAME.quick_levels == BOT_LEVELS[: BOT_LEVELS.index("fair") + 1]
    assert [GAME.stand_in(level) for level in ("patient", "fair", "able", "best")] == [
        "patient",
        "keen",
        "fair",
        "fair",
    ]


@pytest.mark.parametrize(
    ("setup", "plays"),
    [("5", True), ("7 caps=1 komi=2", True), ("5 rules=university", False), ("6 rules=femr", False)],
)
def test_it_plays_for_no_coins(setup: str, plays: bool) -> None:
    assert GAME.plays(setup) is plays


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=() if size in (3, 4) else pytest.mark.wide) for size in SIZES]
)
def test_it_plays_whole_games_by_the_rules(size: int) -> None:
    setup = f"{size} komi=2"
    state, turns = GAME.start(setup), []
    levels = ("easy", "gentle", "fair" if size < 7 else "gentle")
    while state.result is None:
        level = levels[(len(turns) // 2 + size) % 3]
        turns.append(GAME.choose(setup, turns, level, SEED, _never).text)
        state = state.play(turns[-1])
        assert len(turns) < 40 * size


def test_the_same_seed_gives_the_same_turn_and_another_one_another() -> None:
    turns = ["ps a1", "ps e5", "ps c3"]
    for level in ("easy", "gentle", "fair"):
        texts = {GAME.choose("5", turns, level, SEED, _never).text for _ in range(3)}
        assert len(texts) == 1
    assert len({GAME.choose("5", turns, "easy", bytes([seed]), _never).text for seed in range(8)}) > 1


def test_a_search_that_is_cut_still_has_a_turn() -> None:
    chosen = GAME.choose("5", ["ps a1", "ps e5"], "strong", SEED, lambda: True)
    assert chosen.is_cut
    GAME.start("5").play("ps a1").play("ps e5").play(chosen.text)


def test_what_is_cut_is_what_the_last_finished_depth_found() -> None:
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > CUT_AFTER

    chosen = GAME.choose("5", ["ps a1", "ps e5"], "strong", SEED, is_over)
    assert chosen.is_cut
    assert "depth 0" not in chosen.note


def test_it_calls_tak_where_one_must() -> None:
    turns = ["ps c3", "ps a1"]
    assert GAME.choose("3 calls=must", turns, "fair", SEED, _never).text.endswith(" t")
    assert not GAME.choose("3", turns, "fair", SEED, _never).text.endswith(" t")


ROAD = "x5/x5/1,1,1,1,x/2,2,2,x2/x5 1 5"
STACK_THREAT = "x5/2,2,x3/1,1111,x3/2,x,2,x2/x2,2,x2 2 6"
BEHIND = "2,2,2,2,x/1,1,1,1,x/2,x,2,x,2/x5/x5 1 8"
THREAT = "x5/2,x4/1,1,1,1,x/2,2,x3/x5 2 5"


@each_row("level", LEVELS)
def test_every_level_takes_a_road_in_one_that_lets_nobody_catch_up(level: str) -> None:
    layout, position = layout_of(5), tps.parse(ROAD)
    with_mercy = ("patient", "playful")
    plies = {choice(layout, bits_of(position), LEVELS[level], Random(seed), _never).ply for seed in range(9)}
    texts = {ptn.write_ply(position.board, ptn.Ply(move_of(layout, ply))) for ply in plies}
    assert (texts == {"e3"}) is (level not in with_mercy)


def test_who_lets_others_catch_up_takes_a_road_when_they_are_behind() -> None:
    layout, bits = layout_of(5), bits_of(tps.parse(BEHIND))
    for seed in range(9):
        assert choice(layout, bits, LEVELS["playful"], Random(seed), _never).score == WIN


def test_who_lets_others_catch_up_begins_with_flats() -> None:
    layout = layout_of(5)
    for seed in range(20):
        bits, random = bits_of(empty_position(5)), Random(seed)
        for _ in range(5):
            ply = choice(layout, bits, LEVELS["patient"], random, _never).ply
            assert ply[1:3] == (0, (FLAT,))
            bits = make(bits, ply)


@pytest.mark.parametrize(("threat", "least", "most"), [(THREAT, 65, 92), (STACK_THREAT, 5, 45)])
def test_easy_overlooks_what_several_stones_threaten_rather_than_one(
    threat: str, least: int, most: int
) -> None:
    layout, bits = layout_of(5), bits_of(tps.parse(threat))

    def stopped(level: Level) -> int:
        return sum(
            road_in_one(layout, make(bits, choice(layout, bits, level, Random(seed), _never).ply), True)
            is None
            for seed in range(100)
        )

    assert least <= stopped(LEVELS["easy"]) <= most
    assert stopped(LEVELS["gentle"]) == 100


@pytest.mark.parametrize("level", ["easy", "dreamy", "gentle", "careful"])
def test_those_who_learn_lay_flats_first_and_move_and_build_walls_for_a_reason(level: str) -> None:
    layout, capstones = layout_of(5), []
    for seed in some_of(range(20), 2):
        bits, random, ended = bits_of(empty_position(5)), Random(seed), None
        while ended is None:
            is_white = not bits[9] & 1
            ply = choice(layout, bits, LEVELS[level], random, _never).ply
            after = make(bits, ply)
            is_threatened = road_in_one(layout, bits, not is_white) is not None
            has_flats = bits[5 if is_white else 7] > 0
            ended = result(layout, after, ply[3])
            if has_flats and not is_threatened and ended is None:
                assert not ply[1] or road_in_one(layout, after, is_white)
                assert ply[1] or ply[2] != (WALL,)
            if not ply[1] and ply[2] == (CAPSTONE,):
                capstones.append(bits[9])
            bits = after
    assert min(capstones) >= 10


def test_strong_levels_take_a_forced_road_that_is_deep() -> None:
    entry = next(entry for entry in vectors("tinue.json")["tinue"] if entry["plies"] == 5)
    position = tps.parse(entry["tps"])
    layout = layout_of(position.size)
    found = choice(layout, bits_of(position), LEVELS["strong"], Random(1), _never)
    assert ptn.write_ply(position.board, ptn.Ply(move_of(layout, found.ply))) in entry["moves"]
    assert found.score == WIN - position.ply - 5


def test_a_ply_that_loses_too_deep_for_the_search_is_not_played() -> None:
    layout, bits = layout_of(5), bits_of(tps.parse("x5/x5/x2,1,x2/x5/2,x3,1 2 2"))
    best = Search(layout, 2000, _never).best(bits, Random(1)).ply
    other = Search(layout, 2000, _never).best(bits, Random(1), loses=lambda ply: ply == best).ply
    assert other != best
    assert Search(layout, 2000, _never).best(bits, Random(1), loses=lambda ply: ply != best).ply
