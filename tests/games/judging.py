"""Make boards with known changes, and check whether an explanation is true and names the change."""

from random import Random

from takmail.games.interface import Refused
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.position import Position
from tests.support.tak import replayed, setup_of, vectors

GAME = TakGame()
WAYS = ("same", "earlier", "turned", "otherwise", "differs")


def rows_of(position: Position) -> list[list[str]]:
    """Return the spots of a board, row by row."""
    return [row.split() for row in rs.write(position, aligned=False)]


def text_of(rows: list[list[str]]) -> str:
    """Return rows as the text of a written board."""
    return "/".join(" ".join(row) for row in rows)


TURNED = {
    "": lambda rows: rows,
    "north-south": lambda rows: rows[::-1],
    "east-west": lambda rows: [row[::-1] for row in rows],
    "half": lambda rows: [row[::-1] for row in rows[::-1]],
    "clockwise": lambda rows: [list(column) for column in zip(*rows[::-1], strict=True)],
    "counterclockwise": lambda rows: [list(column) for column in zip(*rows, strict=True)][::-1],
    "diagonal": lambda rows: [list(column) for column in zip(*rows, strict=True)],
    "other-diagonal": lambda rows: [list(column)[::-1] for column in zip(*rows, strict=True)][::-1],
}


def wrongly(rows: list[list[str]], turn: str, swapped: bool, bottom_up: bool) -> list[list[str]]:
    """Return a correct board in a wrong orientation."""
    rows = TURNED[turn](rows)
    if swapped:
        rows = [[spot.swapcase() for spot in row] for row in rows]
    return [[spot[::-1] for spot in row] for row in rows] if bottom_up else rows


class Case:
    """A recorded game up to turn `now`, whose boards are changed."""

    def __init__(self, number: int, now: int) -> None:
        game = vectors("games.json")[number]
        self.setup = setup_of(game)
        self.turns = game["mail"][:now]
        self.frames = replayed(number)[: now + 1]

    def board(self, ply: int) -> list[list[str]]:
        """Return the board after `ply` turns."""
        return rows_of(self.frames[ply].position)

    def written(self, ply: int) -> str:
        return text_of(self.board(ply))

    def otherwise(self, number: int, move: str, until: int) -> str | None:
        """Return the board after `until` turns with `move` as turn `number`; None if that game is illegal."""
        state = self.frames[number - 1]
        try:
            for turn in (move, *self.turns[number:until]):
                state = state.play(turn)
        except Refused:
            return None
        return text_of(rows_of(state.position))

    def answer(self, board: str):
        return GAME.compare(self.setup, self.turns, board)

    def is_true(self, found, board: str) -> bool:
        """Return whether an explanation is true. This is determined without the code under test."""
        facts = found.facts
        match found.how:
            case "same":
                return board == self.written(len(self.turns))
            case "earlier":
                return board == self.written(facts["ply"])
            case "turned":
                way = facts["orientation"]
                return board == text_of(
                    wrongly(self.board(facts["ply"]), way.turn, way.swapped, way.bottom_up)
                )
            case "ahead":
                return board == text_of(rows_of(self.frames[-1].play(facts["move"]).position))
            case "otherwise":
                ways = (facts["first"], *facts["others"])
                return all(
                    one.played == self.turns[one.number - 1]
                    and self.otherwise(one.number, one.instead, facts["ply"]) == board
                    for one in ways
                )
        return False


def alternative(case: Case, chance: Random, number: int) -> tuple[str, str] | None:
    """Return a random move for turn `number` after which the rest is still legal, and the resulting board."""
    position = case.frames[number - 1].position
    moves = [mail.write(position.board, move) for move in legal_moves(position)]
    chance.shuffle(moves)
    played = case.turns[number - 1].removesuffix(" t")
    for move in moves[:60]:
        board = None if move == played else case.otherwise(number, move, len(case.turns))
        if board is not None:
            return move, board
    return None


def spoiled(rows: list[list[str]], chance: Random, count: int) -> tuple[list[list[str]], set[str]]:
    """Return a board with `count` squares changed by typical mistakes, and these squares."""
    size = len(rows)
    changed = [row[:] for row in rows]
    squares = chance.sample([(row, column) for row in range(size) for column in range(size)], count)
    for row, column in squares:
        spot = changed[row][column]
        choices = {"0", "s", "S", "w", f"s{spot}", f"S{spot}", spot[1:] or "0", spot.swapcase()} - {spot}
        changed[row][column] = chance.choice(
            sorted(one if one == "0" else one.replace("0", "") for one in choices)
        )
    return changed, {f"{'abcdefgh'[column]}{row + 1}" for row, column in squares}


def judged(case: Case, way: str, chance: Random) -> tuple[bool, bool] | None:
    """Change a board in one way, and return whether the explanation names the change and whether it is true.

    None if the board can't be changed in this way.
    """
    now = len(case.turns)
    ply = chance.randint(0, max(now - 1, 0))
    if way == "same":
        found = case.answer(case.written(now))
        return (found.how == "same",) * 2
    if way == "earlier":
        found = case.answer(case.written(ply))
        return found.how == "earlier" and found.facts["ply"] == ply, case.is_true(found, case.written(ply))
    if way == "turned":
        ply = chance.choice((now, ply))
        turn = chance.choice(sorted(TURNED))
        board = text_of(wrongly(case.board(ply), turn, chance.random() < 0.3, chance.random() < 0.3))
        found = case.answer(board)
        return found.facts["ply"] == ply, case.is_true(found, board)
    if way == "otherwise":
        number = chance.randint(1, now)
        made = alternative(case, chance, number)
        if made is None:
            return None
        move, board = made
        found = case.answer(board)
        named = [found.facts["first"], *found.facts["others"]] if found.how == "otherwise" else []
        is_named = any((one.number, one.instead) == (number, move) for one in named)
        return is_named, case.is_true(found, board)
    return _judged_differing(case, chance, chance.choice((now, now, ply)))


def _judged_differing(case: Case, chance: Random, ply: int) -> tuple[bool, bool]:
    rows, squares = spoiled(case.board(ply), chance, chance.randint(1, 3))
    found = case.answer(text_of(rows))
    if found.how != "differs":
        return False, case.is_true(found, text_of(rows))
    named = {one.square: one for one in found.facts["squares"]}
    is_named = found.facts["ply"] == ply and set(named) == squares
    ours = case.board(found.facts["ply"])
    is_right = found.facts["orientation"] is None and len(named) <= len(squares)
    for name, one in named.items():
        column, row = "abcdefgh".index(name[0]), int(name[1]) - 1
        is_right &= one.yours == rows[row][column] != ours[row][column] == one.ours
    return is_named, is_right
