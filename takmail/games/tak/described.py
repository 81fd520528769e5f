"""Find the turn of a lesson that a learner describes: "take all three and go right", "the round one onto the wall"."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from takmail.games.kit.meant import contains
from takmail.games.kit.naming import VERBS, WAYS, Named, named_in
from takmail.games.tak.meant import possible, readings_of, squares_in
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.position import Position
from takmail.vocabulary import table, words_of

_BESIDE = ("small", "fillers", "polite", "greetings", "farewells", "asides", "praise", "describing")
"""The tables of words that may stand in a description, beside those of the game."""
_PLACING = frozenset(("place", "upon"))
"""Words for placing, which learners say of a move, too: "put the wall on b3"."""


def described(text: str, turns: Collection[str], position: Position) -> tuple[str, ...]:
    """Return those of some turns that have all that a text describes, none if it describes no turn."""
    named = _named_in(text)
    readings = () if _may_be_no_way(named) else _readings(named, position)
    if not readings:
        return ()
    placements = (*readings, *_with_parts(named))
    moves = zip(turns, _moves(turns, position), strict=True)
    return tuple(
        turn
        for turn, move in moves
        if any(
            _fits(reading, move, position)
            for reading in (placements if isinstance(move, Place) else readings)
        )
    )


def _moves(turns: Collection[str], position: Position) -> list[Move]:
    return [mail.parse(position.board, turn).move for turn in turns]


def ends_of(turns: Sequence[str], position: Position) -> tuple[str, ...]:
    """Return the last squares of turns, each once."""
    return tuple(dict.fromkeys(possible(position, move).places[-1] for move in _moves(turns, position)))


def ways_of(turns: Collection[str], position: Position) -> set[Move]:
    """Return the moves that turns are, each stack's way once, however many pieces stay where."""
    moves = _moves(turns, position)
    return {replace(move, drops=()) if isinstance(move, Spread) else move for move in moves}


def only_square(text: str, position: Position) -> str:
    """Return the square that a text names and nothing else of a turn, such as "the middle", '' if it names more."""
    readings = _readings(_named_in(text), position)
    places = readings[0].places if len(readings) == 1 else ()
    is_only = len(places) == 1 and not (readings[0].things or readings[0].numbers)
    return places[0] if is_only else ""


def _readings(named: Named, position: Position) -> tuple[Named, ...]:
    """Return what a text may name, nothing if it says anything else or names a square off the board."""
    others = words_of(" ".join(named.others), is_wish=True)
    if table(*_BESIDE, "tak.words").others(others):
        return ()
    try:
        return readings_of(named, position.board)
    except NotationError:
        return ()


def _with_parts(named: Named) -> tuple[Named, ...]:
    """Return what a text names of a placement, whose ways are parts of the board: "a flat on the left"."""
    ways = frozenset().union(*(thing for thing in named.things if thing <= WAYS))
    things = tuple(thing for thing in named.things if not thing <= WAYS)
    return (
        (replace(named, areas=ways, things=things),)
        if ways and not (named.has("move") or named.beside)
        else ()
    )


def _named_in(text: str) -> Named:
    """Return what a text names. A phrase for a number is one: "one by one"."""
    named = named_in(text, table("tak.words"))
    numbers = [int(thing) for things in named.things for thing in things if thing.isdecimal()]
    things = tuple(things for things in named.things if not any(map(str.isdecimal, things)))
    return replace(named, things=things, numbers=(*named.numbers, *numbers))


def names_something(text: str) -> bool:
    """Tell whether a text names more of a turn than a verb: "put it" names nothing."""
    named = _named_in(text)
    return _names_places(named) or any(not thing <= VERBS for thing in named.things)


def _names_places(named: Named) -> bool:
    return bool(named.places or named.areas or named.beside) or len(named.numbers) > 1


def _may_be_no_way(named: Named) -> bool:
    """Tell whether a text only names a way beside small words, and so may say something else: "ok, right"."""
    is_way = len(named.things) == 1 and named.things[0] <= WAYS
    is_alone = not (_names_places(named) or named.numbers)
    return is_way and is_alone and bool(table("fillers").others(named.others))


def _fits(named: Named, move: Move, position: Position) -> bool:
    """Tell whether a turn has all that is named, in a part of the board that is named, if any is."""
    if not (named.things or named.places or named.areas or len(named.numbers) > 1):
        return False
    has = possible(position, move)
    things = has.things
    is_told = bool(named.places) or any(not thing <= VERBS | WAYS for thing in named.things)
    end = position.stacks[mail.square_named(position.board, has.places[-1])]
    if isinstance(move, Spread) and is_told and end:
        things |= {*_PLACING, end[-1].kind.value}
    squares = {mail.square_name(position.board, square) for square in squares_in(named, position.board)}
    is_there = not named.areas or has.places[-1] in squares
    has_numbers = bool(named.areas) or set(named.numbers) <= set(has.numbers or ())
    ends = has.places[:: len(has.places) - 1 or 1]
    is_whole = set(named.places) <= set(ends) if len(named.places) < 2 else ends[-1] == named.places[-1]
    return (
        is_there
        and has_numbers
        and is_whole
        and contains(replace(has, things=things), replace(named, numbers=(), areas=frozenset()))
    )
