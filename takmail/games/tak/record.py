"""Write a game that was played by mail as PTN."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from takmail.games.interface import RecordedRun, Refused
from takmail.games.kit.turns import is_board
from takmail.games.tak.agreed_board import adopt
from takmail.games.tak.apply import apply_move
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.ptn import Ply, write_ply
from takmail.games.tak.notation.ptn_game import Comment, PtnGame, write_game
from takmail.games.tak.position import Position
from takmail.games.tak.rules import refusal
from takmail.games.tak.setup import TakSetup

_COMMENT_WIDTH = 72  # characters in a line of a comment


def tak_record(
    setup: TakSetup,
    turns: Sequence[str],
    tags: Mapping[str, str],
    score: str | None,
    runs: Sequence[RecordedRun] = (),
) -> str:
    """Return turns in canonical form as PTN; `tags` come first, then the tags of the set-up, then `score`.

    What else the players have agreed on, such as the rules about coins, is a comment before the first turn: PTN Ninja
    refuses a file with a tag that it does not know.

    PTN can't set up a board in the middle of a game, so the record begins at the last agreed board. That board is
    in the tag TPS, and the turns before it are in a comment. Runs are comments after the last turn: a run may
    continue another one, so no place among the turns is right for all. If `score` is None, there is no result, because
    PTN has no mark for an unfinished game. Raises `NotationError` for a turn that isn't canonical.
    """
    return write_game(game_of(setup, turns, tags, score, runs))


def game_of(
    setup: TakSetup,
    turns: Sequence[str],
    tags: Mapping[str, str],
    score: str | None,
    runs: Sequence[RecordedRun] = (),
) -> PtnGame:
    """Return the game that `tak_record` writes. Raises `NotationError` for a turn that isn't canonical."""
    empty = setup.position
    begin = max((number for number, turn in enumerate(turns, 1) if is_board(turn)), default=0)
    start = reduce(_next, turns[:begin], empty)
    own = {"Size": str(setup.size)}
    if setup.half_komi:
        own["Komi"] = write_komi(setup.half_komi)
    if setup.capstones is not None:
        own["Caps"] = str(setup.capstones)
    if begin:
        own["TPS"] = tps.write(start)
    if score is not None:
        own["Result"] = score
    items: list[Ply | Comment] = []
    if agreed := _agreed(setup):
        items.append(_comment(f"Agreed on: {agreed}"))
    if begin:
        before = " ".join(_words(empty, turns[: begin - 1]))
        items.append(_comment(f"Both agreed on this board. Before it: {before or 'nothing'}"))
    items += (_ply(start, turn) for turn in turns[begin:])
    items += (_comment(f"{run.heading}: {' '.join(_run_words(empty, run))}") for run in runs)
    return PtnGame(tuple({**tags, **own}.items()), start, tuple(items), score)


def _agreed(setup: TakSetup) -> str:
    """Return the words of the set-up that no tag of PTN says."""
    in_tags = TakSetup(setup.size, setup.half_komi, capstones=setup.capstones)
    return str(setup).removeprefix(str(in_tags)).strip()


def _next(position: Position, turn: str) -> Position:
    """Return the position after a turn. An illegal turn of an unchecked game changes no stack."""
    passed = position._replace(ply=position.ply + 1)
    if is_board(turn):
        try:
            return adopt(position, turn)
        except Refused:
            return passed
    move = mail.parse(position.board, turn).move
    return passed if refusal(position, move) is not None else apply_move(position, move)


def _ply(position: Position, turn: str) -> Ply:
    read = mail.parse(position.board, turn)
    return Ply(read.move, "'" if read.tak else "")


def _comment(text: str) -> Comment:
    """Return a comment, wrapped to 72 characters. A brace would end the comment, so braces become parentheses."""
    plain = text.translate({ord("{"): "(", ord("}"): ")"})
    return Comment(
        "\n".join(textwrap.wrap(plain, _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False))
    )


def _words(position: Position, turns: Sequence[str]) -> Iterator[str]:
    """Yield turns in PTN for a comment, with move numbers. `position` is the one before them."""
    numbered = False
    for turn in turns:
        following = _next(position, turn)
        if is_board(turn):
            yield f"then both agreed on another board (as TPS: {tps.write(following)}),"
            numbered = False
        else:
            if position.ply % 2 == 0 or not numbered:
                yield f"{position.ply // 2 + 1}." + (" --" if position.ply % 2 else "")
            yield write_ply(position.board, _ply(position, turn))
            numbered = True
        position = following


def _run_words(empty: Position, run: RecordedRun) -> Iterator[str]:
    """Yield the turns of a run in PTN for a comment, without move numbers."""
    for turn in run.turns:
        if is_board(turn):
            yield f"a board that both agreed on (as TPS: {tps.write(_next(empty, turn))})"
        else:
            yield write_ply(empty.board, _ply(empty, turn))
