"""Reviews of games of Tak, hints, and what a record gets of them."""

import pickle
import re
from collections.abc import Sequence
from functools import reduce

import pytest

from takmail.games.interface import Seat
from takmail.games.tak.bot import reviewer
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.notation.ptn_game import PtnGame, read_games
from takmail.games.tak.position import empty_position
from takmail.games.tak.state import TakState
from takmail.games.thinking import Forced, Review
from tests.support.tak import recorded, setup_of
from tests.support.width import tenth_of

GAME = TakGame()


def never() -> bool:
    return False


def at_once() -> bool:
    return True


def turns_of(plies: str, size: int = 5) -> tuple[str, ...]:
    """Return turns in canonical form from plies in PTN."""
    board = empty_position(size).board
    return tuple(mail.write(board, ptn.parse_ply(board, ply).move) for ply in plies.split())


def in_ptn(turns: Sequence[str], size: int = 5) -> list[str]:
    return [GAME.in_record(GAME.start(str(size)), turn) for turn in turns]


def reviewed(plies: str, only: int | None = None, size: int = 5) -> Review:
    return GAME.review(str(size), turns_of(plies, size), never, only)


def named(review: Review) -> list[tuple[str, int]]:
    return [(finding.name, finding.turn) for finding in review.findings]


def after(plies: str) -> TakState:
    return reduce(TakState.play, turns_of(plies), GAME.start("5"))


GAME_WITH_ALL = "a5 e1 a2 e2 b2 e3 c2 c5 d2 c4 e4 c3 d4"


def test_what_was_missed_and_allowed_in_a_game_the_worst_first() -> None:
    review = reviewed(GAME_WITH_ALL)
    assert [
        (finding.name, finding.turn, finding.seat, in_ptn(finding.line)) for finding in review.findings
    ] == [
        ("road_missed", 11, Seat.FIRST, ["d1"]),
        ("road_allowed", 10, Seat.SECOND, ["c4", "d1"]),
        ("tinue_missed", 9, Seat.FIRST, ["Cd2", "e2-", "e2"]),
        ("tinue_allowed", 8, Seat.SECOND, ["c5", "Cd2", "e2-", "e2"]),
    ]
    better = [in_ptn(finding.better) for finding in review.findings]
    assert better[:3] == [["d1", "e1+", "Cd1"], ["e2<"], ["Cd2"]]
    for turn in better[3]:
        played = GAME_WITH_ALL.rsplit(maxsplit=6)[0]
        assert GAME.forced(after(f"{played} {turn}"), 5, never).proof == "none"
    assert (review.is_complete, review.within) == (True, 5)


def test_one_turn_alone_is_searched_further() -> None:
    review = reviewed(GAME_WITH_ALL, only=10)
    assert (named(review), review.within, review.marks) == ([("road_allowed", 10)], 7, ())
    assert named(reviewed(GAME_WITH_ALL, only=7)) == []


def test_the_same_again_is_told_once() -> None:
    assert named(reviewed("a5 e1 a2 e2 b2 e3 c2 c5 d2 c4 e4 c3 d4 b5 e5"))[:2] == [
        ("road_missed", 11),
        ("road_allowed", 10),
    ]


def test_praise_for_the_only_ply_that_prevents_a_road() -> None:
    (finding,) = reviewed(GAME_WITH_ALL.rsplit(maxsplit=4)[0].replace("c4", "") + " e2<", only=10).findings
    assert (finding.name, in_ptn([finding.played])) == ("only_defence", ["e2<"])


def findings_about(tps: str, ply: str) -> list[tuple[str, list[str]]]:
    """Return what is found about a ply in a position, each with the better plies in PTN."""
    before = GAME.position(tps)
    assert before is not None
    turns = turns_of(ply, len(before.board()))
    review = GAME.review_states([before, before.play(turns[0])], turns, never)
    return [(it.name, [GAME.in_record(before, turn) for turn in it.better]) for it in review.findings]


def test_a_ply_that_wins_by_count_is_better_than_one_that_lets_a_road() -> None:
    only = "2,1,1/22,x,2111S/2S,2,2 1 13"
    assert findings_about(only, "b3-") == [("road_allowed", ["2c2<11"])]
    assert findings_about(only, "2c2<11") == []
    ((name, better),) = findings_about("2,1S,1S/1S,x,2S/1,2,1 2 7", "b1+")
    assert (name, better[0]) == ("road_allowed", "b2")


def test_no_ply_is_the_only_one_against_a_road_if_others_end_the_game() -> None:
    assert findings_about("x,2,2/2,1,112S/21S,2S,1S 1 16", "b2+") == []


def test_a_quiet_ply_that_still_forces_a_road_misses_nothing() -> None:
    position = "x,1,x/x2,1/x2,2 1 3"
    assert findings_about(position, "c2-") == []
    assert findings_about(position, "Sa1") == [("tinue_missed", ["a3", "b2"])]


def test_a_win_by_count_misses_nothing() -> None:
    assert findings_about("1,1,x/2,2,2S/1S,1,1 1 9", "Sc3") == []


def test_a_search_without_time_finds_nothing_and_says_so() -> None:
    assert GAME.review("5", turns_of(GAME_WITH_ALL), at_once).is_complete is False


def test_a_review_that_has_looked_enough_tells_what_it_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, turns = reviewed(GAME_WITH_ALL), turns_of(GAME_WITH_ALL)
    monkeypatch.setattr(reviewer, "_WHOLE_GAME", reviewer.Limits(5, 4_000, 4_000, 10_000))
    review = GAME.review("5", turns, never)
    assert not review.is_complete
    assert {"road_missed", "road_allowed"} <= dict(named(review)).keys() <= dict(named(whole)).keys()
    assert GAME.review("5", turns, never) == review


def test_a_review_can_be_sent_to_another_process() -> None:
    review = reviewed(GAME_WITH_ALL)
    assert pickle.loads(pickle.dumps(review)) == review


def test_a_record_gets_marks_and_comments() -> None:
    turns = turns_of(GAME_WITH_ALL)
    record = GAME.record("5", turns, {"Player1": "Ada", "Player2": "Ben", "Date": "2026.11.27"}, None)
    annotated = GAME.annotated(record, [GAME.review("5", turns, never)])
    lines = re.sub(
        "after .*?}", "after …}", annotated
    ).splitlines()  # which others are named is a matter of taste
    assert lines[-7:] == [
        "1. a5 e1",
        "2. a2 e2",
        "3. b2 e3",
        "4. c2 c5",
        "{This allows tinue: Cd2 e2- e2. No road by threats within 5 plies after …} "
        "5. d2' {Tinue was there: Cd2 e2- e2.} c4",
        "{This lets the other side make a road with d1. Better: e2<.} "
        "6. e4' {A road was there: d1 or e1+ or Cd1.} c3",
        "7. d4'",
    ]
    (game,) = read_games(annotated)
    assert isinstance(game, PtnGame)
    assert len(game.plies) == len(turns)


def test_a_record_that_begins_at_an_agreed_board_gets_the_marks_of_its_plies() -> None:
    turns = turns_of(GAME_WITH_ALL)
    state = after(" ".join(GAME_WITH_ALL.split()[:8]))
    agreed = state.adopt("/".join(" ".join(row.split()) for row in state.board()), Seat.FIRST)
    with_board = (*turns[:8], agreed, *turns[8:])
    review = GAME.review("5", with_board, never)
    annotated = GAME.annotated(GAME.record("5", with_board, {}, None), [review])
    assert (len(review.marks), review.marks[8]) == (14, "")
    assert "d2' {Tinue was there: Cd2 e2- e2.} c4\n{" in annotated


@pytest.mark.parametrize(
    ("plies", "hint"),
    [
        ("a5 e1 a2 e2 b2 e3 c2 c5 d2 c4", ("road", "d1", "south-east")),
        ("a5 e1 a2 e2 b2 e3 c2 c5", ("tinue", "Cd2", "south-east")),
        ("a5 e1 a2 e2 b2 e3 c2 c5 d2", ("block", "e2<", "south-east")),
    ],
)
def test_hints(plies: str, hint: tuple[str, str, str]) -> None:
    found = GAME.hint("5", turns_of(plies), never)
    assert (found.name, *in_ptn([found.turn]), found.facts["area"]) == hint


def test_a_hint_where_nothing_is_forced_is_what_the_bot_plays() -> None:
    found = GAME.hint("5", turns_of("a5 e1 a2"), at_once)
    assert found.name == "good"
    assert after("a5 e1 a2").play(found.turn).turns == 4


def test_a_hint_in_a_lost_position_says_so() -> None:
    two_threats = "a2 c1 b4 d4 b3 a1 c2"
    assert GAME.hint("4", turns_of(two_threats, 4), never).name == "lost"
    one_threat = "a2 c1 b4 d4 b3 a1"
    assert GAME.hint("4", turns_of(one_threat, 4), never).name == "tinue"


def test_forced_roads_for_the_command_line() -> None:
    state = GAME.position("1,1,121C,x,112/x2,2,x,2/x2,2C,x2/x5/2,x4 1 11")
    assert state is not None
    assert GAME.forced(state, 7, never) == Forced("proven", 3, ("2c5>11",))
    assert GAME.forced(state, 1, never) == Forced("none", 1)
    assert GAME.forced(state, 7, at_once) == Forced("unfinished", 1)
    assert GAME.forced(GAME.start("5"), 7, never) == Forced("none", 7, (), "threats")
    assert GAME.forced(GAME.start("3"), 7, never) == Forced("unfinished", 0)


@pytest.mark.parametrize(
    "number", tenth_of([number for number, game in recorded() if game["size"] < 6][::18])
)
def test_each_line_of_a_recorded_game_ends_with_a_road(number: int) -> None:
    game = dict(recorded())[number]
    review = GAME.review(setup_of(game), game["mail"], never)
    assert len(review.findings) <= 5
    assert len(review.marks) == len(game["mail"])
    for finding in review.findings:
        assert finding.played == game["mail"][finding.turn - 1].removesuffix(" t")
        winner = (
            finding.seat
            if finding.name in ("road_missed", "tinue_missed", "only_win")
            else finding.seat.other
        )
        if finding.name == "only_defence":
            continue
        state = GAME.start(setup_of(game))
        for turn in (*game["mail"][: finding.turn - 1], *finding.line):
            state = state.play(turn)
        assert state.result is not None
        assert (state.result.how, state.result.winner) == ("road", winner)
        last = finding.line if winner is finding.seat else finding.line[1:]
        assert len(last) <= finding.facts["plies"]  # type: ignore[operator]
        for better in finding.better:
            before = GAME.start(setup_of(game))
            for turn in game["mail"][: finding.turn - 1]:
                before = before.play(turn)
            before.play(better)
