"""Ten lessons in Tak: positions on small boards, what to play in each, and what any other turn does."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from takmail.games.interface import Effect, NearMiss, ReadTurn, Reason, Refused, Seat
from takmail.games.kit.naming import PLACE
from takmail.games.tak.bot.bits import bits_of, layout_of
from takmail.games.tak.bot.roads import road_in_one
from takmail.games.tak.calls import is_tak, is_tinue
from takmail.games.tak.described import described, ends_of, names_something, only_square, ways_of
from takmail.games.tak.moves import Place, legal_moves
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.position import Position
from takmail.games.tak.state import TakState
from takmail.games.teaching import UNREAD, WHICH, Lesson, LessonAnswer
from takmail.vocabulary import table, words_of

_MOST_PLACES = 4
"""The maximum number of squares that are named to who may mean each of them."""
_BY_THE_BOOK = re.compile(r"(?:p[swc]|m[nsew]) ?[a-z]\d")
"""How a move by the book begins, which describes no other."""
RIGHT = "right"
"""The name of the answer to a turn that solves a lesson. All other names are those of turns that do not."""

_THINGS = (
    "count",
    "notation",
    "compass",
    "square",
    "komi",
    "jump",
    "full",
    "bend",
    "whose",
    "wall",
    "capstone",
    "stack",
    "road",
    "end",
    "tak",
    "first",
    "colour",
    "number",
    "flat",
    "pieces",
)
"""The things about which somebody may ask in a lesson, those first of which a question is rather than of later ones."""

_PLACE_ASKED = "place"
"""What words stand for by which a square beside them is asked about."""
_OF_TURN = {"end", "first"}
"""The things about which somebody may ask who asks whose turn it is, or who wins."""


@dataclass(frozen=True, slots=True)
class _Played:
    """A legal turn in a lesson: what it does, and the state after it."""

    effect: Effect
    after: TakState

    @property
    def square(self) -> object:
        """The square of a placement, or the last one of a move."""
        facts = self.effect.facts
        return facts["square"] if self.effect.name == "placed" else facts["drops"][-1][0]  # type: ignore[index]

    def places(self, kind: str) -> bool:
        """Return whether it places a piece of this kind."""
        return self.effect.name == "placed" and self.effect.facts["kind"] == kind


def _placing(played: _Played) -> str:
    return RIGHT if played.places("flat") else "wrong"


def _moving(played: _Played) -> str:
    if played.effect.name == "placed":
        return "placed"
    return RIGHT if played.square == "d2" else "wrong"


def _wall(played: _Played) -> str:
    if played.square != "c2":
        return "wrong"
    return RIGHT if played.places("wall") else "covered"


def _capstone(played: _Played) -> str:
    return RIGHT if played.effect.facts.get("wall") else "wrong"


def _winning(played: _Played) -> str:
    result = played.after.result
    if result is None:
        return "wall" if played.places("wall") else "wrong"
    return RIGHT if result.winner is Seat.FIRST else "draw"


def _tak(played: _Played) -> str:
    return RIGHT if is_tak(played.after.position) else "wrong"


def _tinue(played: _Played) -> str:
    position = played.after.position
    return RIGHT if is_tinue(position) else "tak" if is_tak(position) else "wrong"


def _strong_wall(played: _Played) -> str:
    return "wrong" if _lets_road(played) else RIGHT


def _lets_road(played: _Played) -> bool:
    """Return whether Black can make a road after a turn."""
    position = played.after.position
    return road_in_one(layout_of(position.size), bits_of(position), is_white=False) is not None


@dataclass(frozen=True, slots=True)
class _Exercise:
    """A position in TPS, White to move, and the function that names what a legal turn does in it.

    `solution` is the turn that is shown to who finds none.

    A touched square plays one of the `touches`. Without any, each empty square places the piece `placed`.
    """

    name: str
    tps: str
    judge: Callable[[_Played], str]
    solution: str
    touches: Mapping[str, str] = field(default_factory=dict)
    placed: str = "ps"


_EXERCISES = (
    _Exercise("place", "2,x2/x,1,x/x3 1 2", _placing, "ps b1"),
    _Exercise(
        "move",
        "x4/111,x2,2/x,2,x2/x,1,2,x 1 5",
        _moving,
        "me a2 p3 1 1 1",
        {"c2": "me a2 p3 2 1", "b2": "me a2 p3 3", "d2": "me a2 p3 1 1 1"},
    ),
    _Exercise("wall", "x3/2,22,x/x2,1 1 4", _wall, "pw c2", placed="pw"),
    _Exercise(
        "capstone",
        "x5/x,2,2,x2/1,1,2S,1,1/x2,1C,2,x/x,2,x3 1 6",
        _capstone,
        "mn c4 p1 1",
        {"b4": "mw c4 p1 1", "c3": "mn c4 p1 1", "d4": "me c4 p1 1", "c5": "ms c4 p1 1"},
    ),
    _Exercise("road", "2,x2,2/1,1,2,x/x,1,1,x/x,2,x2 1 5", _winning, "ps d3"),
    _Exercise("flats", "1,2,2S/2,1S,1/1,2,x 1 5", _winning, "ps c3"),
    _Exercise("tak", "2,x3/1,1,x2/x4/x,2,x2 1 3", _tak, "ps c2"),
    _Exercise("tinue", "2,x,1,x/1,1,x2/x,2,1,x/2,x2,2 1 5", _tinue, "ps c2"),
    _Exercise(
        "strong wall",
        "x,2,1,1/x,2,x,x/1S,2,2,2/1,x,1,x 1 6",
        _strong_wall,
        "me a3 p1 1",
        {"a2": "mn a3 p1 1", "b4": "pw b4", "b3": "me a3 p1 1", "c2": "pw c2"},
    ),
    _Exercise(
        "last piece",
        "11,2,x,1/222,1,x,12/211,112,x,11/222,1,1,12 1 27",
        _winning,
        "ps c2",
        {"a2": "mw b2 p1 1", "c1": "ps c1", "c2": "ps c2", "c3": "ps c3", "d2": "ms d1 p1 1"},
    ),
)


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in order."""
    return tuple(_lesson(number, exercise) for number, exercise in enumerate(_EXERCISES, 1))


def _lesson(number: int, exercise: _Exercise) -> Lesson:
    state = TakState(tps.parse(exercise.tps))
    empty = (place for place, touch in state.touches().items() if not touch.is_move)
    touches = exercise.touches or {place: f"{exercise.placed} {place}" for place in empty}
    return Lesson(number, exercise.name, str(state.position.board.size), state, touches)


def answer(lesson: Lesson, text: str) -> LessonAnswer:
    """Return what a line does in a lesson; never raises.

    The name is `right`; `wrong`, or `covered`, `wall`, `draw` or `tak` for what only some lessons have; `refused` for
    what the rules do not allow, with the `reason`, and `unread` for a line that is no turn. The facts of a legal turn
    have what it does as `effect`. If several turns are meant, it is `which`, and the facts have their last `places`
    if these are few.
    """
    state, turn = lesson.state, _turn(lesson, text)
    if isinstance(turn, tuple):
        places = tuple(map(str.upper, turn)) if len(turn) <= _MOST_PLACES else ()
        return LessonAnswer(WHICH, False, facts={"places": places})
    if not isinstance(turn, str):
        return _refused(turn)
    try:
        after = state.play(turn)
    except Refused as refused:
        return _refused(refused.reason)
    assert isinstance(after, TakState)
    effect = state.effect(turn)
    assert effect is not None
    name = _exercise(lesson).judge(_Played(effect, after))
    return LessonAnswer(name, name == RIGHT, turn, after, {"effect": effect})


def solution(lesson: Lesson) -> LessonAnswer:
    """Return the answer to the turn that is shown to who has found none."""
    return answer(lesson, _exercise(lesson).solution)


def topic(text: str, *, is_asked: bool, asks_turn: bool = False) -> str:
    """Return the thing that a text is about, the most special one that it names, '' if none.

    If it is not `is_asked`, only small words may stand beside it, and no other thing, as in a turn. `asks_turn` is as
    in `Teacher.topic`.
    """
    words, things = words_of(text), table("tak.topics")
    named = {*things.meanings(words), *things.within(text)}
    if asks_turn:
        named -= _OF_TURN
    if named == {_PLACE_ASKED} and PLACE.search(text):
        return "square"
    is_alone = len(named) == 1 and not table("small", "fillers", "polite").others(things.others(words))
    is_about = is_asked or is_alone
    return next((thing for thing in _THINGS if thing in named), "") if is_about else ""


def _refused(reason: Reason | None) -> LessonAnswer:
    return LessonAnswer(UNREAD if reason is None else "refused", False, facts={"reason": reason})


def _turn(lesson: Lesson, text: str) -> str | tuple[str, ...] | Reason | None:
    """Return the turn that a line is: as typed, that of a touched square, or the one that it describes.

    If it may be several, return the squares where these end. If the line is no turn, return the reason, or None if
    nothing of it is of a turn, or it names no square.
    """
    line = " ".join(text.lower().split())
    if line in lesson.touches:
        return lesson.touches[line]
    exercise = _exercise(lesson)
    square = "" if exercise.touches else only_square(line, _position(lesson))
    if square:
        line = f"{exercise.placed} {square}"  # The rules say why nothing can be placed there.
    reading = lesson.state.read(line)
    if isinstance(reading, ReadTurn):
        return reading.text
    turns = () if _BY_THE_BOOK.match(line) else _described(lesson, line)
    if len(turns) == 1:
        return turns[0]
    if isinstance(reading, NearMiss) and not turns:
        return reading.fixes[0] if reading.fixes and reading.turn is None else reading.reason
    meant = None if turns else lesson.state.meant(line)
    if meant is not None:
        if meant.reason is not None:
            return None if meant.reason.name == "place-missing" else meant.reason
        turns = meant.lines
    ends = ends_of(turns, _position(lesson))
    return next(iter(turns), None) if len(ends) < 2 else ends


def _described(lesson: Lesson, line: str) -> tuple[str, ...]:
    """Return the turn that a line describes, or those that it may mean: touches, or else placements.

    The solution is meant by who describes no more than the way of its stack, and any turn if all that fit are right.
    """
    exercise, position = _exercise(lesson), _position(lesson)
    likely = described(line, dict.fromkeys((exercise.solution, *lesson.touches.values())), position)
    moves = (move for move in legal_moves(position) if isinstance(move, Place))
    turns = likely or described(line, [mail.write(position.board, move) for move in moves], position)
    is_way = names_something(line) and len(ways_of(turns, position)) == 1 and exercise.solution in turns
    if is_way or all(answer(lesson, turn).is_solved for turn in turns):
        return turns[:1]
    return turns if names_something(line) or len(turns) == 1 else ()


def _exercise(lesson: Lesson) -> _Exercise:
    return _EXERCISES[lesson.number - 1]


def _position(lesson: Lesson) -> Position:
    assert isinstance(lesson.state, TakState)
    return lesson.state.position
