"""Replay a recorded game by the rules."""

from dataclasses import dataclass
from typing import assert_never

from takmail.games.interface import Reason, ReplayedRecord
from takmail.games.tak.explain import to_reason
from takmail.games.tak.notation import ptn, tps
from takmail.games.tak.notation.ptn_game import RESULTS, NoStart, PtnGame
from takmail.games.tak.position import Position
from takmail.games.tak.rules import IllegalMove, play


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    `plies` is the number of plies that were played, and `final_tps` is the position after them. `result` is the
    result by the rules. If the game isn't over by the rules, `result` is the recorded `1-0`, `0-1` or agreed draw,
    or `*`. `error` is None if everything is legal. Otherwise it is `result-mismatch`, or the reason why the first
    illegal ply is illegal. Squares in that reason are named as in PTN. A ply that can't be read counts as illegal.
    `bad_ply` is the text of the illegal ply, or None if there is none or if the unreadable item in its place is not a
    word. `ply_number` is the number of that ply in the game, from 1.
    """

    size: int
    result: str
    final_tps: str
    plies: int
    error: Reason | None = None
    bad_ply: str | None = None
    ply_number: int | None = None


def replay(game: PtnGame) -> Replay:
    """Return the result of replaying a parsed game. Never raises; the result has the reason against an illegal ply."""
    position, board = game.start, game.start.board
    plies = game.plies
    for played, ply in enumerate(plies):
        try:
            position = play(position, ply.move)
        except IllegalMove as illegal:
            broken = to_reason(illegal.reason, lambda square: ptn.square_name(board, square))
            text, number = ptn.write_ply(board, ply), position.ply + 1
            return Replay(board.size, "*", tps.write(position), played, broken, text, number)
    if game.fault is not None:
        number, final = position.ply + 1, tps.write(position)
        return Replay(board.size, "*", final, len(plies), game.fault.reason, game.fault.word, number)
    result, error = _result(game, position)
    return Replay(board.size, result, tps.write(position), len(plies), error)


_NO_DATA = {"size": None, "result": None, "tps": None, "plies": 0}
NO_GAME = ReplayedRecord(_NO_DATA, Reason("no-game"))
"""The result for a text without a game."""


def replayed(game: PtnGame | NoStart) -> ReplayedRecord:
    """Return the result of replaying a parsed game, for `takmail replay`. A game without a start has no data."""
    match game:
        case NoStart(reason=reason):
            return ReplayedRecord(_NO_DATA, reason)
        case PtnGame():
            one = replay(game)
            data = {"size": one.size, "result": one.result, "tps": one.final_tps, "plies": one.plies}
            return ReplayedRecord(data, one.error, one.bad_ply, one.ply_number)
        case _:
            assert_never(game)


def _result(game: PtnGame, position: Position) -> tuple[str, Reason | None]:
    """Return the result, and an error if the tag or the last word of the game records another one."""
    recorded = [text for text in (_tag_result(game), game.result) if text]
    if position.outcome is not None:
        by_rules = position.outcome.score
        return by_rules, _mismatch(recorded, by_rules)
    if not recorded:
        return "*", None
    # The board shows a win by road or by flats. It doesn't show a resignation or an agreement.
    if recorded[0] in ("1-0", "0-1", "1/2-1/2"):
        return recorded[0], _mismatch(recorded, recorded[0])
    return "*", _mismatch(recorded, "*")


def _tag_result(game: PtnGame) -> str | None:
    text = (game.tag("Result") or "").strip()
    return text if text in RESULTS else None


def _mismatch(recorded: list[str], by_rules: str) -> Reason | None:
    wrong = next((text for text in recorded if text != by_rules), None)
    return None if wrong is None else Reason("result-mismatch", {"recorded": wrong, "by_rules": by_rules})
