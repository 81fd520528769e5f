"""Replay a recorded game by the rules."""

from dataclasses import dataclass

from takmail.games.interface import Reason
from takmail.games.tak.explain import to_reason
from takmail.games.tak.notation import ptn, tps
from takmail.games.tak.notation.ptn_game import RESULTS, PtnGame
from takmail.games.tak.position import Position
from takmail.games.tak.rules import IllegalMove, play


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    `positions` are the position before the first ply and the one after each ply that was played. `result` is the
    result by the rules. If the game isn't over by the rules, `result` is the recorded `1-0`, `0-1` or agreed draw,
    or `*`. `error` is None if everything is legal. Otherwise it is `result-mismatch`, or the reason why the first
    illegal ply is illegal. Squares in that reason are named as in PTN. A ply that can't be read counts as illegal.
    `bad_ply` is the text of the illegal ply, or None if there is none or if the unreadable item in its place is not a
    word. `ply_number` is the number of that ply in the game, from 1.
    """

    positions: tuple[Position, ...]
    result: str
    error: Reason | None = None
    bad_ply: str | None = None
    ply_number: int | None = None

    @property
    def size(self) -> int:
        """The size of the board."""
        return self.positions[0].board.size

    @property
    def plies(self) -> int:
        """The number of plies that were played."""
        return len(self.positions) - 1

    @property
    def final_tps(self) -> str:
        """The position after the plies that were played."""
        return tps.write(self.positions[-1])


def replay(game: PtnGame) -> Replay:
    """Return the result of replaying a parsed game. Never raises; the result has the reason against an illegal ply."""
    position, board = game.start, game.start.board
    positions = [position]
    for ply in game.plies:
        try:
            position = play(position, ply.move)
        except IllegalMove as illegal:
            broken = to_reason(illegal.reason, lambda square: ptn.square_name(board, square))
            return Replay(tuple(positions), "*", broken, ptn.write_ply(board, ply), position.ply + 1)
        positions.append(position)
    if game.fault is not None:
        return Replay(tuple(positions), "*", game.fault.reason, game.fault.word, position.ply + 1)
    return Replay(tuple(positions), *_result(game, position))


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
