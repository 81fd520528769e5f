"""The lessons in Tak: what to play in each, and what any other turn does."""

import pytest

from takmail.games.interface import Reason, Seat
from takmail.games.tak.calls import is_tak, is_tinue
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.state import TakState
from takmail.games.teaching import Lesson
from tests.support.tables import each_row

GAME = TakGame()
PLACE, MOVE, WALL, CAPSTONE, ROAD, FLATS, TAK, TINUE, ATTACK, LAST = GAME.lessons
in_each_lesson = pytest.mark.parametrize("lesson", GAME.lessons, ids=lambda lesson: lesson.name)


def state_of(lesson: Lesson) -> TakState:
    assert isinstance(lesson.state, TakState)
    return lesson.state


def legal(lesson: Lesson) -> list[str]:
    """Return all legal turns of a lesson."""
    position = state_of(lesson).position
    return [mail.write(position.board, move) for move in legal_moves(position)]


def answered(lesson: Lesson, name: str) -> list[str]:
    """Return the legal turns that get this answer."""
    return [turn for turn in legal(lesson) if GAME.answer(lesson, turn).name == name]


def black_makes_a_road(lesson: Lesson, turn: str) -> list[str]:
    """Return the turns by which Black makes a road after this one."""
    after = state_of(lesson).play(turn)
    moves = [mail.write(after.position.board, move) for move in legal_moves(after.position)]
    results = {move: after.play(move).result for move in moves}
    return [move for move, result in results.items() if result and result.winner is Seat.SECOND]


@in_each_lesson
def test_white_is_to_move_and_nobody_has_won(lesson: Lesson) -> None:
    assert lesson.state.to_move is Seat.FIRST
    assert lesson.state.result is None
    assert lesson is GAME.lessons[lesson.number - 1]
    assert not black_makes_a_road(lesson, legal(lesson)[0]) or lesson in (WALL, ATTACK)
    assert GAME.solution(lesson).is_solved


@each_row(
    ("lesson", "right"),
    [
        (PLACE, ["ps b1", "ps c1", "ps a2", "ps c2", "ps a3", "ps b3", "ps c3"]),
        (MOVE, ["me a2 p3 1 1 1"]),
        (WALL, ["pw c2"]),
        (CAPSTONE, ["mn c4 p1 1"]),
        (ROAD, ["ps d3"]),
        (FLATS, ["ps c3"]),
        (TAK, ["ps c2", "ps d2"]),
        (TINUE, ["ps c2"]),
        (ATTACK, ["me a3 p1 1"]),
        (LAST, ["ps c1", "ps c2", "ps c3", "pw c1", "pw c2", "pw c3"]),
    ],
)
def test_a_lesson_is_solved_by_these_turns(lesson: Lesson, right: list[str]) -> None:
    assert answered(lesson, "right") == right
    assert set(right) <= {GAME.answer(lesson, place).turn for place in lesson.touches} | set(right[1:])


@in_each_lesson
def test_a_touch_plays_a_legal_turn(lesson: Lesson) -> None:
    assert set(lesson.touches.values()) <= set(legal(lesson))


@in_each_lesson
def test_a_legal_turn_is_told_what_it_does(lesson: Lesson) -> None:
    for turn in legal(lesson):
        answer = GAME.answer(lesson, turn)
        assert answer.is_solved == (answer.name == "right")
        assert (answer.turn, answer.state) == (turn, lesson.state.play(turn))
        assert answer.facts["effect"] == lesson.state.effect(turn)


def test_without_the_wall_black_makes_a_road() -> None:
    assert answered(WALL, "covered") == ["ps c2", "mn c3 p1 1"]
    assert all(black_makes_a_road(WALL, turn) == ["me b2 p1 1"] for turn in answered(WALL, "covered"))
    assert all("ps c2" in black_makes_a_road(WALL, turn) for turn in answered(WALL, "wrong"))
    assert not black_makes_a_road(WALL, "pw c2")


@pytest.mark.parametrize("lesson", [ATTACK, LAST])
def test_whatever_else_white_plays_black_makes_a_road(lesson: Lesson) -> None:
    assert all(black_makes_a_road(lesson, turn) for turn in answered(lesson, "wrong"))
    assert not any(black_makes_a_road(lesson, turn) for turn in answered(lesson, "right"))


def test_the_capstone_wins_on_the_wall() -> None:
    result = state_of(CAPSTONE).play("mn c4 p1 1").result
    assert result is not None
    assert (result.winner, result.how) == (Seat.FIRST, "road")


def test_the_last_square_decides_the_count() -> None:
    assert [state_of(FLATS).play(turn).result.score for turn in ("ps c3", "pw c3")] == ["F-0", "1/2-1/2"]  # type: ignore[union-attr]
    assert answered(FLATS, "draw") == ["pw c3"]


def test_a_wall_is_part_of_no_road() -> None:
    assert answered(ROAD, "wall") == [turn for turn in legal(ROAD) if turn.startswith("pw")]


def test_a_threat_is_tak_and_two_are_tinue() -> None:
    for lesson in (TAK, TINUE):
        for turn in legal(lesson):
            position, name = state_of(lesson).play(turn).position, GAME.answer(lesson, turn).name
            assert is_tak(position) == (name in ("right", "tak"))
            assert is_tinue(position) == (lesson is TINUE and name == "right")


@each_row(
    ("lesson", "line", "name", "reason"),
    [
        (PLACE, "ps a1", "refused", "space-taken"),
        (PLACE, "b2", "refused", "space-taken"),
        (PLACE, "in the middle please", "refused", "space-taken"),
        (PLACE, "z9", "refused", "off-the-board"),
        (PLACE, "pc b1", "refused", "no-capstones-on-this-board"),
        (PLACE, "mn a1", "refused", "not-yours"),
        (PLACE, "ps z9", "refused", "off-the-board"),
        (MOVE, "me a2 p4 2 1 1", "refused", "stack-too-low"),
        (MOVE, "mw a2 p1 1", "refused", "off-the-edge"),
        (WALL, "mn c3 p2 2", "refused", "stack-too-low"),
        (CAPSTONE, "me b3 p1 1", "refused", "wall-needs-capstone"),
        (ROAD, "hello", "unread", None),
        (ROAD, "", "unread", None),
    ],
)
def test_what_the_rules_forbid_is_explained(lesson: Lesson, line: str, name: str, reason: str | None) -> None:
    answer = GAME.answer(lesson, line)
    given = answer.facts["reason"]
    assert (answer.name, answer.is_solved, answer.turn, answer.state) == (name, False, None, None)
    assert (given.name if isinstance(given, Reason) else given) == reason


@pytest.mark.parametrize(
    ("lesson", "line", "turn"),
    [
        (PLACE, "B1", "ps b1"),
        (MOVE, "d2", "me a2 p3 1 1 1"),
        (WALL, "c2", "pw c2"),
        (WALL, "a wall on c2", "pw c2"),
        (WALL, "wal on c2", "pw c2"),
        (WALL, "стену на c2", "pw c2"),
        (CAPSTONE, " C3 ", "mn c4 p1 1"),
        (CAPSTONE, "move the capstone up", "mn c4 p1 1"),
        (FLATS, "flat", "ps c3"),
        (TAK, "ps c2 t", "ps c2 t"),
        (ATTACK, "стену направо", "me a3 p1 1"),
        (PLACE, "put a flat on the left", "ps a2"),
        (PLACE, "положи куда нибудь", "ps b1"),
        (MOVE, "i want the 3 to go right, one on each", "me a2 p3 1 1 1"),
        (MOVE, "take all three and go right", "me a2 p3 1 1 1"),
        (MOVE, "move it east", "me a2 p3 1 1 1"),
        (MOVE, "двигай стопку вправо по одному", "me a2 p3 1 1 1"),
        (MOVE, "возьми 3 камня и оставь по 1", "me a2 p3 1 1 1"),
        (MOVE, "从a2走到d2 一格放一个", "me a2 p3 1 1 1"),
        (MOVE, "b2 c2 d2 各放一个", "me a2 p3 1 1 1"),
        (MOVE, "put c2", "ps c2"),
        (MOVE, "a2 to c2", "me a2 p3 2 1"),
        (WALL, "flat on c2", "ps c2"),
        (CAPSTONE, "move it up", "mn c4 p1 1"),
        (CAPSTONE, "go on the wall with the round thing", "mn c4 p1 1"),
        (CAPSTONE, "flatten the wall", "mn c4 p1 1"),
        (CAPSTONE, "опрокинуть стену", "mn c4 p1 1"),
        (CAPSTONE, "用顶石把墙推倒", "mn c4 p1 1"),
        (FLATS, "i put my peice on the last empty square", "ps c3"),
        (FLATS, "竖着放", "pw c3"),
        (ATTACK, "put the wall on b3", "me a3 p1 1"),
        (ATTACK, "put the wall on top of the black flat", "me a3 p1 1"),
        (MOVE, "leave one on b2 one on c2 one on d2", "me a2 p3 1 1 1"),
        (WALL, "stand it on c2", "pw c2"),
        (ROAD, "play it next to c3 on the right", "ps d3"),
    ],
)
def test_a_line_may_name_the_turn_in_other_words(lesson: Lesson, line: str, turn: str) -> None:
    assert GAME.answer(lesson, line).turn == turn


@each_row(
    ("lesson", "line", "places"),
    [
        (PLACE, "put a wall on the left", ("A2", "A3")),
        (WALL, "put the wall somewhere", ()),
        (ROAD, "flat in the middle right", ("D3", "D2")),
        (TAK, "рядом с b2", ("C2", "B1", "B3")),
        (WALL, "next to b2", ("C2", "B1", "B3")),
        (ATTACK, "двинь стену на черный камень", ("B3", "A2")),
    ],
)
def test_who_may_mean_several_turns_is_asked_which(
    lesson: Lesson, line: str, places: tuple[str, ...]
) -> None:
    answer = GAME.answer(lesson, line)
    assert (answer.name, answer.facts["places"], answer.has_failed) == ("which", places, False)


@each_row(
    ("lesson", "line"),
    [
        (MOVE, "ok right"),
        (WALL, "the wall is ugly"),
        (CAPSTONE, "move"),
        (WALL, "用墙壁挡住黑方"),
        (WALL, "put it"),
    ],
)
def test_talk_is_no_turn(lesson: Lesson, line: str) -> None:
    assert GAME.answer(lesson, line).name == "unread"


def test_the_next_lesson_follows_a_right_answer() -> None:
    assert GAME.after(WALL, None) is WALL
    assert GAME.after(WALL, GAME.answer(WALL, "ps c2")) is WALL
    assert GAME.after(WALL, GAME.answer(WALL, "pw c2")) is CAPSTONE
    assert GAME.after(LAST, GAME.solution(LAST)) is None
