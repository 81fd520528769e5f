"""The rules of TZAAR, against the vectors of an independent program."""

import pytest

from takmail.games.interface import Refused
from takmail.games.tzaar.apply import apply_step, captures, outcome_of
from takmail.games.tzaar.board import SPOT_NAMED, SPOTS
from takmail.games.tzaar.notation.rs import board_rows
from takmail.games.tzaar.perft import count_turns, legal_turns, perft
from takmail.games.tzaar.pieces import Color, Kind
from takmail.games.tzaar.position import EMPTY, FIXED, Position, position_of, write_position
from takmail.games.tzaar.rules import covers_last, findings, play, refusal
from takmail.games.tzaar.turns import Act, Actions, Pass, Placing, Step, parse_turn, write_turn
from tests.support.tables import each_row
from tests.support.width import tenth_of
from tests.tzaar.vectors import position, vectors

MOST_NODES = 100_000
"""The number of nodes that takes less than a second; `make long` counts the other cases."""
GAMES = vectors()["games"]
CASES = vectors()["cases"]


def ended(of: Position) -> tuple[str | None, str | None, str | None]:
    """Return the result, how the game ended and the kind that the loser lacks, as the vectors name them."""
    outcome = outcome_of(of)
    if outcome is None:
        return None, None, None
    return outcome.score, outcome.ended_by, None if outcome.kind is None else outcome.kind.word


def fault(of: Position, turn: str) -> str | None:
    """Return the name of the reason why a turn is refused, or None."""
    try:
        reason = refusal(of, parse_turn(turn).move)
    except Refused as refused:
        return refused.reason.name
    return None if reason is None else reason.name


@each_row("game", GAMES)
def test_a_recorded_game_is_played_and_ends_as_recorded(game) -> None:
    now = position(game["start"])
    for turn, after in zip(game["turns"], game["positions"], strict=True):
        assert outcome_of(now) is None
        played = parse_turn(turn)
        assert write_turn(played.move) == turn
        now = play(now, played.move)
        assert write_position(now) == after
    assert ended(now) == (game["result"], game["ended_by"], game["kind"])
    assert list(board_rows(now)) == game["final_rs"]


@each_row("game", tenth_of(GAMES))
def test_as_many_actions_and_turns_are_legal_as_another_program_counts(game) -> None:
    now = position(game["start"])
    for turn, first, complete in zip(game["turns"], game["first"], game["complete"], strict=True):
        firsts = count_turns(now) if now.is_placing else len(captures(now))
        assert (firsts, count_turns(now)) == (first, complete)
        now = play(now, parse_turn(turn).move)


@each_row("case", CASES)
def test_a_turn_is_allowed_or_refused_as_the_vectors_say(case) -> None:
    now = position(case["position"])
    assert fault(now, case["turn"]) == case.get("fault")
    if case["legal"]:
        after = play(now, parse_turn(case["turn"]).move)
        assert write_position(after) == case["after"]
        assert ended(after) == (case["result"], case["ended_by"], case["kind"])


@pytest.mark.parametrize(
    ("text", "depth", "nodes"),
    [
        pytest.param(
            one["position"],
            int(depth),
            nodes,
            id=f"{number}-depth-{depth}",
            marks=[pytest.mark.long] if nodes > MOST_NODES else [],
        )
        for number, one in enumerate(vectors()["perft"])
        for depth, nodes in one["nodes"].items()
    ],
)
def test_as_many_sequences_of_turns_as_another_program_finds(text: str, depth: int, nodes: int) -> None:
    assert perft(position(text), depth) == nodes


def test_a_finished_game_counts_at_the_leaves_only() -> None:
    finished = position("tTx3/x6/Zx6/x8/x8/x8/x7/x6/x3rz w")
    assert (perft(finished, 0), perft(finished, 1), perft(finished, 2)) == (1, 0, 0)


@pytest.mark.parametrize("number", [0, 12, 30, 39])
def test_every_listed_turn_is_legal_and_no_two_are_the_same(number: int) -> None:
    game = GAMES[number]
    now = position(game["positions"][-4])
    turns = legal_turns(now)
    assert len({write_turn(turn) for turn in turns}) == len(turns) == count_turns(now)
    assert all(refusal(now, turn) is None for turn in turns)


def test_every_other_action_than_a_listed_capture_is_refused() -> None:
    now = position(GAMES[0]["positions"][20])
    legal = set(captures(now))
    for start in SPOTS:
        for end in SPOTS:
            step = Step(Act.CAPTURE, start, end)
            reason = refusal(now, Actions((step, Pass.PASS)))
            ends_at_once = reason is not None and reason.name == "over-after-first"
            assert (reason is None or ends_at_once) == (step in legal)


def test_the_masks_of_a_position_follow_its_stacks_after_every_turn() -> None:
    for game in GAMES[::5]:
        now = position(game["start"])
        for turn in game["turns"]:
            now = play(now, parse_turn(turn).move)
            assert now == position_of(now.stacks, now.to_move, is_placing=now.is_placing)


def test_the_sixtieth_placing_begins_the_game_for_white() -> None:
    now = EMPTY
    places = iter(SPOTS)
    for kind in Kind:
        for _ in range(2 * kind.count):
            assert now.is_placing
            now = play(now, Placing(kind, next(places)))
    assert (now.is_placing, now.to_move, now.is_first_turn) == (False, Color.WHITE, True)


def test_whoever_has_nothing_left_to_place_is_passed_over() -> None:
    # Only a board that both have agreed on leads here: White has placed all, and Black lacks two Totts.
    filled = "zzzzz/zrrrrr/rrrrttt/tttttttt/ttttZZZZ/ZZRRRRRR/RRRTTTT/TTTTTT/TTTxx b place"
    now = play(position(filled), parse_turn("pt i4").move)
    assert (now.to_move, now.is_placing) == (Color.BLACK, True)
    assert not play(now, parse_turn("pt i5").move).is_placing


def test_covering_the_own_last_piece_of_a_kind_is_noticed() -> None:
    case = next(
        one for one in CASES if one["what"] == "covering the own last tzaar is legal and loses at once"
    )
    now = position(case["position"])
    assert covers_last(now, parse_turn(case["turn"]).move) == (SPOT_NAMED["a3"], Kind.TZAAR)
    assert covers_last(now, parse_turn("c a1 a2 pass").move) is None


def test_the_kind_that_is_covered_is_that_after_the_first_action() -> None:
    # White's only Tzaar captures on A2, where a Tott of Black's stands, and is covered there.
    now = position("zTtx2/x6/x7/x8/x8/x8/x7/xrx4/ZTRx2 w")
    assert covers_last(now, parse_turn("c a1 a2 s a3 a2").move) == (SPOT_NAMED["a2"], Kind.TZAAR)


def test_a_verdict_ends_with_the_first_broken_rule() -> None:
    for case in CASES:
        if case["legal"] or case["fault"] == "no-such-spot":
            continue
        found = list(findings(position(case["position"]), parse_turn(case["turn"]).move))
        assert [one.reason is None for one in found] == [True] * (len(found) - 1) + [False], case["what"]


def test_an_action_keeps_the_turn_of_its_player() -> None:
    assert apply_step(FIXED, captures(FIXED)[0]).to_move is Color.WHITE
