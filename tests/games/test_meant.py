"""What texts mean: the legal moves of Tak that contain all that they name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import ReadTurn
from takmail.games.tak.game import TakGame
from takmail.games.tak.state import TakState
from tests.support.tables import each_row
from tests.support.tak import replayed, start, state

# White is to move and owns C3 and E5. A black flat is on A1, and a black wall on C2.
FOUR = TakGame().start("5").play("ps a1").play("ps e5").play("ps c3").play("pw c2")
# White's stack of five is at b2, and White's single piece at d4. Black's stack of two is at a5. A wall is at e5.
MIDDLE = state("x5/x,21211,x3/x5/x3,1,x/12,x3,2S 1 12")


def lines(game: TakState, text: str) -> tuple[str, ...]:
    found = game.meant(text)
    assert found is not None, text
    assert (found.reason is None) == bool(found.lines)
    assert len(found.lines) <= 6
    return found.lines


@each_row(
    ("text", "expected"),
    [
        ("flat b4", "ps b4"),
        ("b4 flat", "ps b4"),
        ("wall b4", "pw b4"),
        ("a capstone at b4, please", "pc b4"),
        ("pf b4", "ps b4"),
        ("ps: b4", "ps b4"),
        ("psb4", "ps b4"),
        ("p s b4", "ps b4"),
        ("ps 4b", "ps b4"),
        ("ps b 4", "ps b4"),
        ("ps B-4", "ps b4"),
        ("ps b4 t", "ps b4 t"),
        ("ps", ""),
        ("ps b", "ps b1|ps b2|ps b3"),
        ("right of c3 put 9", ""),
        ("right of c3 place d", "ps d3|pw d3|pc d3"),
        ("place b4", "ps b4|pw b4|pc b4"),
        ("b4 it is", "ps b4|pw b4|pc b4"),
        ("1. ps b4", "ps b4"),
        ("I move c3 east", "me c3 p1 1"),
        ("mw c3 1", "mw c3 p1 1"),
        ("mv c3 to d3", "me c3 p1 1"),
        ("c3 to d3", "me c3 p1 1"),
        ("c3 -> d3", "me c3 p1 1"),
        ("c3->d3", "me c3 p1 1"),
        ("c3 → d3", "me c3 p1 1"),
        ("c3xd3", "me c3 p1 1"),
        ("d3 from c3", "me c3 p1 1"),
        ("move to d3", "me c3 p1 1"),
        ("Move my flat from c3 to d3", "me c3 p1 1"),
        ("c3 right", "me c3 p1 1"),
        ("c3→", "me c3 p1 1"),
        ("c3", "me c3 p1 1|ms c3 p1 1|mw c3 p1 1"),
        # Russian
        ("поставь плоский на b4", "ps b4"),
        ("стену на b4", "pw b4"),
        ("хожу c3 вправо", "me c3 p1 1"),
        ("c3 вниз", "ms c3 p1 1"),
        ("пс b4", "ps b4"),
        ("пв b4", "pw b4"),
        ("ПК B4", "pc b4"),
        ("д 2", "ps d2|pw d2|pc d2"),
        ("кэпстоун на b4", "pc b4"),
        ("с c3 на d3", "me c3 p1 1"),
        # Chinese
        ("d4 放", "ps d4|pw d4|pc d4"),
        ("b4 放平", "ps b4"),
        ("b4放墙", "pw b4"),
        ("在b4上放墙", "pw b4"),
        ("在 b4 上放", "ps b4|pw b4|pc b4"),
        ("c3向右", "me c3 p1 1"),
        ("c3 左", "mw c3 p1 1"),
        ("从c3到d3", "me c3 p1 1"),
        ("b4顶石", "pc b4"),
    ],
)
def test_half_a_turn_gives_the_turns_that_contain_it(text: str, expected: str) -> None:
    assert lines(FOUR, text) == tuple(filter(None, expected.split("|")))


@each_row(
    ("text", "expected"),
    [
        ("b2", "mn b2 p5 5|me b2 p5 5|ms b2 p5 5"),
        ("b2 south 2 1", "ms b2 p3 2 1"),
        ("3 from b2 to the south, 2 1", "ms b2 p3 2 1"),
        ("take up 2 of b2 and go west", "mw b2 p2 2"),
        ("two pieces of b2 north", "mn b2 p2 2"),
        ("ms b2 p3 21", "ms b2 p3 2 1"),
        ("b2 to b4, 4 1 3", "ms b2 p4 1 3"),
        ("d4 to d5", "ms d4 p1 1"),
    ],
)
def test_moves_of_stacks_name_their_numbers_in_any_order(text: str, expected: str) -> None:
    assert lines(MIDDLE, text) == tuple(expected.split("|"))


@each_row(
    ("text", "reason"),
    [
        ("c3 to c2", "wall-needs-capstone"),
        ("mn c3", "wall-needs-capstone"),
        ("c3 north", "wall-needs-capstone"),
        ("ps f3", "off-the-board"),
        ("c3 to z9", "off-the-board"),
        ("a10", "off-the-board"),
        ("pc a1", "space-taken"),
        ("стену на a1", "space-taken"),
        ("a1 to b1", "not-yours"),
        ("move from d3 to e3", "nothing-there"),
        ("c3 to e3", "stack-too-low"),
        ("two from c3 east", "stack-too-low"),
        ("c3 to a2", "nothing-fits"),
        ("flat b4 wall b5", "nothing-fits"),
        ("cap c3 to d3", "nothing-fits"),
        ("a flat", "place-missing"),
        ("how do I place a wall?", "place-missing"),
    ],
)
def test_where_nothing_legal_contains_it_there_is_only_the_reason(text: str, reason: str) -> None:
    found = FOUR.meant(text)
    assert found is not None
    assert found.reason is not None
    assert (found.reason.name, found.meant) == (reason, ())


@each_row(
    ("text", "by_mail", "in_ptn"),
    [
        ("b4", "ps b4|pw b4|pc b4", ""),
        ("Sb4", "ps b4", "pw b2"),
        ("Cb4", "pc b4", "pc b2"),
        ("c3>", "me c3 p1 1", "me c3 p1 1"),
        ("e5<", "mw e5 p1 1", ""),
        ("ptn b4", "", "ps b2"),
        ("ptn: flat b4", "", "ps b2"),
        ("place b4", "ps b4|pw b4|pc b4", ""),
        ("flat b4", "ps b4", ""),
    ],
)
def test_ptn_is_offered_below_where_the_text_is_written_like_it(text: str, by_mail: str, in_ptn: str) -> None:
    found = FOUR.meant(text)
    assert found is not None
    ways = {one.how: "|".join(one.lines) for one in found.meant}
    assert list(ways) in (["mail"], ["mail", "ptn"], ["ptn"])
    assert ways.get("mail", "") == by_mail
    assert ways.get("ptn", "") == ("" if in_ptn == by_mail else in_ptn)


@each_row("text", ["", "hello", "4 5 6", "see you at 4", "move", "ben@b4.org", "r4bb1t", "5x5", "t"])
def test_a_text_without_places_pieces_and_ways_means_no_move(text: str) -> None:
    assert FOUR.meant(text) is None


def test_in_the_opening_only_a_flat_of_the_opponent_is_meant() -> None:
    assert lines(start(5), "b4") == ("ps b4",)
    wall = start(5).meant("wall b4")
    assert wall is not None
    assert wall.reason is not None
    assert (wall.reason.name, wall.lines) == ("opening-flat-only", ())


def test_nothing_is_meant_once_the_game_is_over() -> None:
    end = replayed(0)[-1]
    assert end.result is not None
    assert end.meant("b4") is None


def test_on_an_unknown_board_a_move_has_its_form_alone() -> None:
    unseen = TakGame().unseen("5")
    for text, expected in {
        "b4": ("ps b4",),
        "wall b4": ("pw b4",),
        "c3 to d3": ("me c3 p1 1",),
        "c3 to e3": ("me c3 p2 1 1",),
        "3b2-21": ("ms b2 p3 2 1", "ms b4 p3 2 1"),
        "z9": (),
        "c3 to a2": (),
    }.items():
        assert lines(unseen, text) == expected


WORDS = st.sampled_from(
    (
        *(
            "a1",
            "b4",
            "c3",
            "d3",
            "e5",
            "c2",
            "f3",
            "4b",
            "b-4",
            "c3+",
            "3b2-21",
            "Sb4",
            "ptn",
            "1",
            "2",
            "21",
        ),
        *(
            "flat",
            "wall",
            "cap",
            "s",
            "w",
            "c",
            "p",
            "ps",
            "pw",
            "pc",
            "pf",
            "m",
            "mn",
            "ms",
            "me",
            "mw",
            "p3",
        ),
        *(
            "north",
            "south",
            "east",
            "west",
            "up",
            "down",
            "left",
            "right",
            "to",
            "from",
            "->",
            "place",
            "move",
        ),
        *("t", "and", "please", "стену", "вверх", "плоский", "на", "放", "墙", "上", "向右"),
    )
)


@pytest.mark.parametrize("seed", [0, 1])
@given(st.data())
def test_every_line_is_legal_and_contains_all_squares_that_are_named(seed: int, data: st.DataObject) -> None:
    states = replayed(seed)
    game = data.draw(st.sampled_from(states[:-1]))
    text = " ".join(data.draw(st.lists(WORDS, min_size=1, max_size=5)))
    found = game.meant(text)
    for line in () if found is None else found.lines:
        assert game.read(line) == ReadTurn(line)
        game.play(line)
    for line in (
        () if found is None else (line for one in found.meant if one.how == "mail" for line in one.lines)
    ):
        touched = {one.place for one in game.touched(line)}
        assert set(re.findall(r"(?<!\S)[a-h][1-8](?!\S)", text)) <= touched


@given(st.text(st.sampled_from("abcdefghpsmwn12345678 .-+<>→'上放стену"), max_size=500))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for game in (FOUR, MIDDLE, TakGame().unseen("5")):
        game.meant(text)
        game.turns_in(text)


@each_row(
    ("text", "turns"),
    [
        ("I think I will play ps b4", "ps b4"),
        ("ps b4, no wait, ps c4", "ps b4|ps c4"),
        ("Ps b4 Sent from my iPhone", "ps b4"),
        ("Your pw c2 was brilliant!", "pw c2"),
        ("me c3, sorry", "me c3 p1 1"),
        ("MN C3 p1 1 t and good luck", "mn c3 p1 1 t"),
        ("(ps b4)", "ps b4"),
        ("PS: b4 is nice", ""),
        ("ps f3 it is", ""),
        ("me c3 2-1", ""),
        ("caps b4", ""),
        ("ps b44", ""),
        ("me c3 p1 g1", ""),
    ],
)
def test_whole_turns_are_found_anywhere_in_a_text(text: str, turns: str) -> None:
    assert FOUR.turns_in(text) == tuple(filter(None, turns.split("|")))


@pytest.mark.parametrize("text", ["me c3 p1 g1", "me c3 g1 p1 tak t", "me c3 p1 g1 12 é"])
def test_what_only_looks_like_a_whole_move_is_no_turn(text: str) -> None:
    assert not isinstance(FOUR.read(text), ReadTurn)
