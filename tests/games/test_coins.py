"""Coins by University Rules and Femr's Folly, and the set-ups of Tak's other variants."""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Refused, Result, Seat
from takmail.games.optional import Account
from takmail.games.relay import Relay
from takmail.games.tak import coins
from takmail.games.tak.calls import is_tak
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import ptn_game
from takmail.games.tak.position import Position
from takmail.games.tak.setup import TakSetup
from takmail.games.tak.state import TakState
from tests.support.tables import each_row
from tests.support.tak import vectors

GAME = TakGame()
GAMES: list[dict[str, Any]] = vectors("variants.json")["coins"]  # type: ignore[call-overload]
NUMBERS = range(len(GAMES))
FEMR = "5 rules=femr"
UNIVERSITY = "5 rules=university bids=4,2"


def setup_of(game: dict[str, Any]) -> str:
    bids = f" bids={game['bids'][0]},{game['bids'][1]}" if game.get("bids") else ""
    return f"{game['size']} rules={game['rules']}{bids}"


def steps(game: dict[str, Any]) -> Iterator[tuple[TakState, list[Seat], str]]:
    """Yield the state, who has taken back by right, and the turn, after each turn of a game."""
    states, take_backs = [GAME.start(setup_of(game))], list[Seat]()
    for turn in game["turns"]:
        if turn == "undo":
            states.pop()
            take_backs = [*take_backs, states[-1].to_move]
        elif turn != "resign":
            states.append(states[-1].play(turn))
        yield states[-1], take_backs, turn


def result_of(state: TakState, turn: str) -> Result | None:
    return GAME.resign(state.to_move) if turn == "resign" else state.result


def account(state: TakState, take_backs: Sequence[Seat] = (), result: Result | None = None) -> Account:
    found = state.account(take_backs, result)
    assert found is not None
    return found


def after(setup: str, turns: Sequence[str]) -> TakState:
    return reduce(TakState.play, turns, GAME.start(setup))


@each_row("number", NUMBERS)
def test_the_pot_after_each_turn_is_that_of_the_vectors(number: int) -> None:
    game = GAMES[number]
    pots = [account(state, take_backs).pot for state, take_backs, _ in steps(game)]
    assert pots == game["pots"]


@each_row("number", NUMBERS)
def test_the_end_is_that_of_the_vectors(number: int) -> None:
    game = GAMES[number]
    *_, (state, take_backs, turn) = steps(game)
    result = result_of(state, turn)
    assert result is not None
    assert result.score == game["result"]
    assert [sum(state.position.white_reserve), sum(state.position.black_reserve)] == game["reserves"]
    end = account(state, take_backs, result)
    assert end.net is not None
    assert [*end.net] == game["net"]
    assert sum(end.net) == 0
    assert end.due == (0, 0)
    assert [*state.score(result).points] == game["standard_score"]


@each_row("number", NUMBERS)
def test_calls_are_true_and_false_as_in_the_vectors(number: int) -> None:
    game = GAMES[number]
    state = GAME.start(setup_of(game))
    for (after, _, turn), call in zip(steps(game), game["calls"], strict=False):
        if turn not in ("undo", "resign"):
            assert state.effect(turn).facts["is_true_call"] is call, turn
        state = after


@each_row("number", NUMBERS)
def test_the_pot_is_what_was_paid_less_what_was_taken(number: int) -> None:
    for state, take_backs, _ in steps(GAMES[number]):
        found = account(state, take_backs)
        assert found.pot == sum(found.paid) - sum(found.taken)


@given(st.sampled_from(GAMES), st.sampled_from([None, Seat.FIRST, Seat.SECOND]), st.data())
def test_whatever_ends_a_game_nobody_gains_what_nobody_loses(
    game: dict[str, Any], winner: Seat | None, data: st.DataObject
) -> None:
    state, take_backs, _ = data.draw(st.sampled_from(list(steps(game))))
    for how in ("agreed", "ruled"):
        end = account(state, take_backs, GAME.decide(winner, how))  # type: ignore[arg-type]
        assert end.net is not None
        assert sum(end.net) == 0


@each_row(
    ("turns", "pot", "paid", "due", "caller"),
    [
        ([], 24, (14, 10), (0, 0), None),
        (["ps a3 t"], 24, (14, 10), (0, 0), None),
        (["ps a3", "ps a1", "ps b1 t"], 24, (14, 10), (0, 2), Seat.FIRST),
        (["ps a3", "ps a1", "ps b1 t", "ps b3"], 26, (14, 12), (0, 0), Seat.FIRST),
        (["ps a3", "ps a1", "ps b1 t", "ps b3 t"], 26, (14, 12), (2, 0), Seat.SECOND),
        (["ps a3", "ps a1", "ps b1 t", "ps b3", "ps a2 t"], 26, (14, 12), (0, 0), Seat.FIRST),
        (["ps a3", "ps a1", "ps b1 t", "ps b3 t", "ps a2 t"], 28, (16, 12), (0, 2), Seat.FIRST),
        (["ps a3", "ps a1", "ps b1", "ps b3 t"], 24, (14, 10), (2, 0), Seat.SECOND),
    ],
)
def test_a_true_call_costs_the_opponent_two_but_nobody_pays_twice_in_a_row(
    turns: list[str], pot: int, paid: tuple[int, int], due: tuple[int, int], caller: Seat | None
) -> None:
    found = account(after("3 rules=university bids=4,2", turns))
    assert (found.pot, found.paid, found.due, found.facts["last_caller"]) == (pot, paid, due, caller)
    assert found.may_take_back is None


@pytest.mark.parametrize(
    ("turns", "take_backs", "paid", "rights"),
    [
        ([], [], (25, 20), (True, True)),
        (["ps a1", "ps e5", "pw c3"], [], (30, 20), (True, True)),
        (["ps a1", "ps e5", "pw c3", "pw c4", "pc d4"], [], (40, 20), (True, True)),
        (["ps a1", "ps e5"], [Seat.FIRST], (30, 20), (False, True)),
        ([], [Seat.FIRST, Seat.SECOND], (30, 25), (True, False)),
    ],
)
def test_firsts_and_taking_back_are_paid_for(
    turns: list[str], take_backs: list[Seat], paid: tuple[int, int], rights: tuple[bool, bool]
) -> None:
    found = account(after(FEMR, turns), take_backs)
    assert (found.pot, found.paid, found.may_take_back) == (sum(paid), paid, rights)


def test_of_true_calls_only_the_first_takes_a_row_and_only_once() -> None:
    found = account(after("3 rules=femr", ["ps a3", "ps a1", "ps b1 t", "ps b3 t"]))
    assert (found.pot, found.taken) == (9 + 6 - 3, (3, 0))
    assert found.facts["open"] == ("wall",), "3x3 has no capstones"


def test_a_wall_that_ends_the_game_is_paid_for_first() -> None:
    turns = ["ps a1", "ps b1", "ps c1", "ps a2", "ps b2", "ps c2", "ps a3", "ps c3", "pw b3"]
    state = after("3 rules=femr", turns)
    if state.result is None or state.result.how != "full":
        pytest.fail("the turns must fill the board")
    end = account(state, (), state.result)
    assert end.paid == (12, 6)


@pytest.mark.parametrize(
    ("setup", "how", "given_back"),
    [
        ("3 rules=femr", "full", 3),
        ("3 rules=femr", "reserves", 3),
        ("3 rules=femr", "road", 0),
        ("3 rules=university bids=4,2", "reserves", 0),
    ],
)
def test_who_loses_by_flats_gets_back_a_row(setup: str, how: str, given_back: int) -> None:
    end = account(GAME.start(setup), (), Result(Seat.FIRST, "F-0", how))
    assert end.net is not None
    assert end.facts["given_back"] == given_back
    assert end.net[1] == given_back - end.paid[1] - end.facts["bonus"]


def test_the_odd_coin_of_a_draw_is_blacks_and_nothing_due_is_paid() -> None:
    state = after("3 rules=university bids=5,2", ["ps a3", "ps a1", "ps b1 t"])
    end = account(state, (), GAME.decide(None, "agreed"))
    assert (end.pot, end.net, end.due) == (25, (-3, 3), (0, 0))


def test_no_coins_are_played_for_without_coin_rules_or_before_both_have_bid() -> None:
    assert after("5 komi=2", ["ps a1"]).account((), None) is None
    assert GAME.start("5 rules=university").account((), None) is None


def test_an_agreed_board_costs_nobody_anything() -> None:
    board = "board 0 0 0/0 w 0/s S 0 b"
    found = account(after("3 rules=femr", ["ps a3", "ps a1", board]))
    assert (found.paid, found.facts["open"]) == ((9, 6), ("wall", "tak"))
    assert account(after("3 rules=femr", ["ps a3", "ps a1", board, "pw c1"])).paid == (9, 9)


@pytest.mark.parametrize(
    ("setup", "turns", "asked"),
    [
        ("3 rules=femr", ["ps a3", "ps a1", "ps b1 t"], 1),
        ("3 rules=femr", ["ps a3", "ps a1", "ps b1 t", "ps b3 t", "ps a2 t"], 1),
        ("3 rules=femr", ["ps a3", "ps a1", "ps c2 t", "ps b3 t"], 2),
        ("3 rules=university bids=4,2", ["ps a3", "ps a1", "ps b1 t", "ps b3", "ps a2 t"], 1),
        ("3 rules=university bids=4,2", ["ps a3", "ps a1", "ps b1 t", "ps b3 t", "ps a2 t"], 3),
        ("3", ["ps a3", "ps a1", "ps b1 t"], 0),
    ],
)
def test_whether_it_is_tak_is_only_asked_where_it_moves_coins(
    monkeypatch: pytest.MonkeyPatch, setup: str, turns: list[str], asked: int
) -> None:
    found = list[Position]()
    monkeypatch.setattr(coins, "is_tak", lambda position: found.append(position) or is_tak(position))
    after(setup, turns)
    assert len(found) == asked


# Set-ups


@each_row(
    ("words", "setup"),
    [
        ("7 caps=1", "7 caps=1"),
        ("7 caps=0 komi=2", "7 caps=0 komi=2"),
        ("7 caps=2", "7"),
        ("5x5 rules=Femr", "5 rules=femr"),
        ("5 rules=femrs komi=2.5", "5 komi=2.5 rules=femr"),
        ("folly=1 5", None),
        ("5 rules=folly", "5 rules=femr"),
        ("rules=university 5", "5 rules=university"),
        ("5 University", "5 rules=university"),
        ("5 femrs", "5 rules=femr"),
        ("5 calls=must score=tarway", "5 score=tarway calls=must"),
        ("5 calls=MUST", "5 calls=must"),
    ],
)
def test_words_are_read_as_a_set_up(words: str, setup: str | None) -> None:
    if setup is None:
        with pytest.raises(Refused):
            GAME.set_up(words.split(), Random())
        return
    assert GAME.set_up(words.split(), Random()) == setup
    assert GAME.set_up(setup.split(), Random()) == setup


@each_row(
    ("words", "name"),
    [
        ("5 caps=1", "caps-elsewhere"),
        ("7 caps=3", "bad-caps"),
        ("7 caps=-1", "bad-caps"),
        ("7 caps=1 caps=2", "said-twice"),
        ("5 rules=poker", "bad-rules"),
        ("5 rules=", "bad-rules"),
        ("5 calls=may", "bad-calls"),
        ("5 rules=university bids=4,2", "unknown-word"),
        ("5 bids=4,2", "unknown-word"),
        ("5 rules=university bid=4", "unknown-word"),
        ("5 rules=femr score=tarway", "score-with-coins"),
        ("5 rules=university score=downings", "score-with-coins"),
        ("5 rules=femr calls=must", "calls-with-coins"),
    ],
)
def test_words_that_contradict_each_other_are_refused(words: str, name: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.set_up(words.split(), Random())
    assert refused.value.reason.name == name


@pytest.mark.parametrize("words", ["5 rules=femr", "5 rules=university", "5 calls=must"])
def test_a_relay_game_has_neither_coins_nor_added_calls(words: str) -> None:
    with pytest.raises(Refused):
        Relay(GAME).set_up(words.split(), Random())
    assert Relay(GAME).set_up(["5", "komi=2"], Random()) == "5 komi=2"


SETUPS = st.builds(
    TakSetup,
    st.integers(3, 8),
    st.integers(0, 20),
    coins=st.sampled_from(
        [None, *{TakSetup.of([*FEMR.split()]).coins, TakSetup.of(UNIVERSITY.split()).coins}]
    ),
).filter(lambda one: not one.has_bids)


@given(SETUPS)
def test_a_set_up_reads_itself(setup: TakSetup) -> None:
    assert TakSetup.of(str(setup).split()) == setup


# Bids


@given(st.integers(0, 100), st.integers(0, 100), st.integers())
def test_the_higher_bid_begins(first: int, second: int, seed: int) -> None:
    setup, beginner = GAME.opened("5 rules=university", (first, second), Random(seed))
    if first != second:
        assert beginner is (Seat.FIRST if first > second else Seat.SECOND)
    assert setup == f"5 rules=university bids={max(first, second)},{min(first, second)}"
    assert GAME.rematch_setup(setup) == "5 rules=university"


def test_equal_bids_are_decided_by_lot() -> None:
    drawn = {GAME.opened("5 rules=university", (3, 3), Random(n))[1] for n in range(20)}
    assert drawn == {*Seat}


@pytest.mark.parametrize("setup", ["5", "5 rules=femr", "7 caps=1 calls=must"])
def test_nobody_bids_in_another_game(setup: str) -> None:
    assert not GAME.asks_bid(setup)
    assert GAME.asks_bid("5 rules=university")


@each_row("text", ["-1", "101", "2.5", "four", "٤", "", "1000000000", "1 2"])
def test_a_bid_is_a_whole_number_from_0_to_100(text: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.read_bid(text)
    assert refused.value.reason.name == "bad-bid"
    assert [GAME.read_bid(str(bid)) for bid in (0, 4, 100)] == [0, 4, 100]


# Capstones


@pytest.mark.parametrize(("caps", "most"), [(0, 0), (1, 1)])
def test_an_agreed_number_of_capstones_is_kept(caps: int, most: int) -> None:
    state = GAME.start(f"7 caps={caps}").play("ps a1").play("ps g7")
    for n in range(most):
        state = state.play(f"pc {'abc'[n]}2").play("ps f7")
    assert state.position.white_reserve.capstones == 0
    with pytest.raises(Refused) as refused:
        state.play("pc d4")
    assert refused.value.reason.name == ("none-left" if caps else "no-capstones-on-this-board")
    assert state.facts().has_capstones is (caps > 0)
    with pytest.raises(Refused):
        state.adopt("/".join(["c" * 1 + " 0" * 6, "c" + " 0" * 6, *["0 " * 6 + "0"] * 5]), Seat.FIRST)


def test_a_record_tells_an_agreed_number_of_capstones() -> None:
    assert '[Caps "1"]' in GAME.record("7 caps=1", ["ps a1"], {"Player1": "Ada"}, None)
    assert "Caps" not in GAME.record("7", ["ps a1"], {"Player1": "Ada"}, None)


@pytest.mark.parametrize(
    ("setup", "agreed"),
    [
        ("4 rules=university bids=4,2", "rules=university bids=4,2"),
        ("4 komi=2 rules=femr", "rules=femr"),
        ("7 caps=1 komi=2.5 score=tarway calls=must", "score=tarway calls=must"),
        ("4 komi=2", None),
    ],
)
def test_a_record_tells_what_was_agreed_on_beside_the_board(setup: str, agreed: str | None) -> None:
    turns = ["ps a1", "ps d4", "ps b2 t"]
    text = GAME.record(setup, turns, {"Player1": "Ada"}, None)
    assert re.findall(r"\{(.*)\}", text) == ([] if agreed is None else [f"Agreed on: {agreed}"])
    (recorded,) = GAME.recorded(text)
    assert recorded.error is None
    assert (recorded.data["plies"], len(recorded.turns)) == (3, 3)


# Obligatory calls


@each_row(
    ("turns", "text", "completed"),
    [
        (["ps a3", "ps a1"], "ps b1", "ps b1 t"),
        (["ps a3", "ps a1"], "ps b1 t", "ps b1 t"),
        (["ps a3", "ps a1"], "ps c2 t", "ps c2 t"),
        (["ps a3", "ps a1"], "pw b1", "pw b1"),
        ([], "ps b1", "ps b1"),
        (["ps a3", "ps a1", "ps b1 t", "ps b3"], "ps c1", "ps c1"),
        (["ps a3", "ps a1"], "ps a1", "ps a1"),
        (["ps a3", "ps a1"], "board s 0 0/0 0 0/0 0 S w", "board s 0 0/0 0 0/0 0 S w"),
    ],
)
def test_a_call_is_added_to_each_move_that_is_tak(turns: list[str], text: str, completed: str) -> None:
    must, may = GAME.start("3 calls=must"), GAME.start("3")
    for turn in turns:
        must, may = must.play(turn), may.play(turn)
    assert must.completed(text) == completed
    assert may.completed(text) == text


def test_a_record_is_read_with_the_agreed_capstones() -> None:
    text = GAME.record("7 caps=0", ["ps a1"], {"Player1": "Ada"}, None)
    (game,) = ptn_game.read_games(text)
    assert isinstance(game, ptn_game.PtnGame)
    assert game.start.white_reserve == (40, 0)
