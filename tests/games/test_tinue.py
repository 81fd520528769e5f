"""Forced roads: puzzles with all their solutions, positions without one, and small boards searched in full."""

import tracemalloc
from random import Random
from typing import Any

import pytest

from takmail.games.tak.bot import tinue as tinue_module
from takmail.games.tak.bot.bits import (
    FLAT,
    LOST,
    WON,
    Bits,
    Layout,
    Ply,
    bits_of,
    has_road,
    layout_of,
    make,
    move_of,
    plies,
    result,
)
from takmail.games.tak.bot.roads import road_in_one
from takmail.games.tak.bot.threats import threats
from takmail.games.tak.bot.tinue import Effort, Proof, Tinue, TinueSearch
from takmail.games.tak.notation import tps
from takmail.games.tak.notation.ptn import Ply as PtnPly
from takmail.games.tak.notation.ptn import write_ply
from takmail.games.tak.position import empty_position
from tests.support.tables import each_row
from tests.support.tak import vectors
from tests.support.width import IS_WIDE, some_of, tenth_of

MANY = 10**9
PUZZLES: list[dict[str, Any]] = vectors("tinue.json")["tinue"]  # type: ignore[call-overload]
WITHOUT: list[dict[str, Any]] = vectors("tinue.json")["none"]  # type: ignore[call-overload]


def puzzles(plies: tuple[int, ...]) -> list[Any]:
    """Return the puzzles that take so many plies; those that take some seconds are marked `long`."""
    chosen = [puzzle for puzzle in PUZZLES if puzzle["plies"] in plies and not puzzle.get("quiet")]
    short = tenth_of(puzzle for puzzle in chosen if puzzle["plies"] <= 5)
    long = [puzzle for puzzle in chosen if puzzle["plies"] > 5]
    return [
        *(pytest.param(puzzle, id=named(puzzle)) for puzzle in short),
        *(pytest.param(puzzle, id=named(puzzle), marks=pytest.mark.long) for puzzle in long),
    ]


def named(puzzle: dict[str, Any]) -> str:
    return f"{puzzle['size']} {puzzle['tps']}"


def search_of(text: str) -> tuple[TinueSearch, Layout, Bits]:
    position = tps.parse(text)
    layout, bits = layout_of(position.size), bits_of(position)
    return TinueSearch(layout, not bits[9] & 1), layout, bits


def written(layout: Layout, moves: tuple[Ply, ...]) -> set[str]:
    return {write_ply(layout.board, PtnPly(move_of(layout, ply))) for ply in moves}


def positions(size: int, count: int) -> list[Bits]:
    """Return positions in which nobody has a road in one, after random plies of which most place flats.

    They are the same every time.
    """
    random, layout = Random(size), layout_of(size)
    found: list[Bits] = []
    while len(found) < count:
        bits = bits_of(empty_position(size))
        for _ in range(random.randrange(2 * size, 4 * size)):
            choices = plies(layout, bits)
            flats = [ply for ply in choices if ply[1:3] == (0, (FLAT,))]
            bits = make(bits, ply := random.choice(flats if flats and random.random() < 0.8 else choices))
            if result(layout, bits, ply[3]) is not None:
                break
        else:
            if not any(road_in_one(layout, bits, is_white) for is_white in (True, False)):
                found.append(bits)
    return found


@pytest.mark.parametrize("puzzle", puzzles((3, 5, 7)))
def test_of_a_puzzle_all_first_plies_are_found_and_a_line_that_ends_with_the_road(
    puzzle: dict[str, Any],
) -> None:
    search, layout, bits = search_of(puzzle["tps"])
    tinue = search.find(bits, puzzle["plies"] + 2, MANY)
    assert (tinue.proof, tinue.plies) == (Proof.PROVEN, puzzle["plies"])
    assert written(layout, tinue.moves) == set(puzzle["moves"])
    line = search.line(bits, tinue, MANY)
    assert len(line) == puzzle["plies"]
    for ply in line[:-1]:
        assert ply in plies(layout, bits)
        bits = make(bits, ply)
        assert result(layout, bits, ply[3]) is None
    assert result(layout, make(bits, line[-1]), line[-1][3]) == WON


def test_a_puzzle_that_begins_with_a_quiet_ply() -> None:
    (puzzle,) = (puzzle for puzzle in PUZZLES if puzzle.get("quiet"))
    search, layout, bits = search_of(puzzle["tps"])
    assert search.find(bits, 5, MANY) == Tinue(Proof.NONE, 5)
    tinue = search.find(bits, 5, MANY, quiet=5)
    assert (tinue.proof, written(layout, tinue.moves)) == (Proof.PROVEN, {"b3+"})


@each_row(
    "bits",
    [
        (258, 36, 0, 0, (1, 2, 5, 1, 1, 3, 1, 1, 2, 1, 1, 1), 7, 0, 8, 0, 6),
        (513, 66, 0, 0, (6, 3, 1, 1, 1, 1, 3, 1, 1, 2, 1, 1), 8, 0, 7, 0, 7),
        *(bits for bits in positions(3, 60)),
    ],
)
def test_all_first_plies_are_found_the_quiet_ones_too(bits: Bits) -> None:
    layout, is_white = layout_of(3), not bits[9] & 1
    search = TinueSearch(layout, is_white)
    tinue = search.find(bits, 5, MANY, quiet=5)
    if tinue.proof is Proof.PROVEN:
        assert tinue.has_quiet
        lost = {
            ply for ply in plies(layout, bits) if loses(layout, make(bits, ply), ply, tinue.plies, is_white)
        }
        assert set(tinue.moves) == lost
    stopped = TinueSearch(layout, is_white, effort=Effort(60)).find(bits, 5, MANY, quiet=5)
    assert stopped.proof is not Proof.PROVEN or set(stopped.moves) <= set(tinue.moves)


def loses(layout: Layout, after: Bits, ply: Ply, most: int, is_white: bool) -> bool:
    """Return whether a first ply forces a road within `most` plies, by trying all plies of both sides."""
    ended = result(layout, after, ply[3])
    if ended is not None or most == 1:
        return ended == WON and has_road(layout, after[not is_white] & ~after[2], ply[3])
    for reply in plies(layout, after):
        bits = make(after, reply)
        if (ended := result(layout, bits, reply[3])) is not None:
            if ended != LOST or not has_road(layout, bits[not is_white] & ~bits[2], layout.full):
                return False
        elif not (
            road_in_one(layout, bits, is_white)
            or (
                most > 3
                and any(
                    loses(layout, make(bits, one), one, most - 2, is_white) for one in plies(layout, bits)
                )
            )
        ):
            return False
    return True


@pytest.mark.parametrize("most", [5, pytest.param(7, marks=pytest.mark.long)])
def test_no_tinue_is_claimed_where_there_is_none(most: int) -> None:
    for position in some_of(WITHOUT, 10):
        search, _, bits = search_of(position["tps"])
        within = min(most, position["none_within"])
        assert search.find(bits, within, MANY) == Tinue(Proof.NONE, within)


def test_a_road_in_one_is_proven_with_all_plies() -> None:
    search, layout, bits = search_of("x5/x5/1,1,1,1,x/x5/2,2,2,2,x 1 5")
    tinue = search.find(bits, 5, MANY)
    assert (tinue.proof, tinue.plies, written(layout, tinue.moves)) == (Proof.PROVEN, 1, {"e3", "Ce3"})


def test_a_search_that_was_stopped_claims_nothing() -> None:
    hard = max(PUZZLES, key=lambda puzzle: puzzle["plies"])["tps"]
    search, _, bits = search_of(hard)
    tinue = search.find(bits, 7, 100)
    assert (tinue.proof, tinue.moves) == (Proof.UNFINISHED, ())
    assert (
        TinueSearch(layout_of(6), not bits[9] & 1, lambda: True).find(bits, 7, MANY).proof is Proof.UNFINISHED
    )


def test_what_was_remembered_changes_no_answer() -> None:
    puzzle = next(puzzle for puzzle in PUZZLES if puzzle["plies"] == 5)
    search, _, bits = search_of(puzzle["tps"])
    stopped = search.find(bits, 5, 20)
    again, fresh = search.find(bits, 5, MANY), search_of(puzzle["tps"])[0].find(bits, 5, MANY)
    assert stopped.proof is Proof.UNFINISHED
    assert (again.plies, set(again.moves)) == (fresh.plies, set(fresh.moves))


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_no_threat_is_overlooked(size: int) -> None:
    layout = layout_of(size)
    for bits in positions(size, 40):
        is_white = not bits[9] & 1
        expected = {ply for ply in plies(layout, bits) if road_in_one(layout, make(bits, ply), is_white)}
        assert {ply for ply, _ in threats(layout, bits)} >= expected


def forced(layout: Layout, bits: Bits, most: int, is_white: bool) -> bool:
    """Return whether the player to move makes a road within some plies, by trying all replies to all threats."""
    if road_in_one(layout, bits, is_white):
        return True
    return most > 1 and any(
        result(layout, after, ply[3]) is None
        and road_in_one(layout, after, is_white) is not None
        and unstoppable(layout, after, most - 1, is_white)
        for ply in plies(layout, bits)
        for after in [make(bits, ply)]
    )


def unstoppable(layout: Layout, bits: Bits, most: int, is_white: bool) -> bool:
    for ply in plies(layout, bits):
        after = make(bits, ply)
        ended = result(layout, after, ply[3])
        if ended is not None:
            squares = (after[0] if is_white else after[1]) & ~after[2]
            if ended != LOST or not has_road(layout, squares, layout.full):
                return False
        elif not forced(layout, after, most - 1, is_white):
            return False
    return True


@pytest.mark.parametrize(("size", "most", "count"), [(3, 5, 200), (4, 3, 300), (4, 5, 40), (5, 3, 150)])
def test_the_search_agrees_with_trying_every_reply(size: int, most: int, count: int) -> None:
    layout = layout_of(size)
    answers = []
    for bits in positions(size, count if IS_WIDE else count // 8):
        is_white = not bits[9] & 1
        tinue = TinueSearch(layout, is_white).find(bits, most, MANY)
        assert (tinue.proof is Proof.PROVEN) is forced(layout, bits, most, is_white)
        answers.append(tinue.proof)
    assert set(answers) == {Proof.PROVEN, Proof.NONE}


def test_what_a_search_remembers_is_bounded_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tinue_module, "_HALF_BYTES", 20_000)
    puzzle = max((puzzle for puzzle in PUZZLES if puzzle["size"] == 5), key=lambda puzzle: puzzle["plies"])
    search, _, bits = search_of(puzzle["tps"])
    tracemalloc.start()
    search.find(bits, 9, 300)
    with_search, _ = tracemalloc.get_traced_memory()
    del search
    without, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 10_000 < with_search - without < 45_000  # 87,000 without a bound
