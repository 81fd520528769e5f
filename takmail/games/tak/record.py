"""Write a game that was played by mail as PTN."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from takmail.games.interface import Branch, Refused
from takmail.games.tak.agreed_board import adopt, is_board
from takmail.games.tak.apply import apply_move
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.ptn import Ply, write_ply
from takmail.games.tak.notation.ptn_game import Comment, PtnGame, write_game
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.rules import refusal
from takmail.games.tak.setup import TakSetup

_COMMENT_WIDTH = 72  # characters in a line of a comment


def tak_record(
    setup: TakSetup,
    turns: Sequence[str],
    tags: Mapping[str, str],
    score: str | None,
    branches: Sequence[Branch] = (),
) -> str:
    """Return turns in canonical form as PTN; `tags` come first, then the tags of the set-up, then `score`.

    PTN can't set up a board in the middle of a game, so the record begins at the last agreed board. That board is
    in the tag TPS, and the turns before it are in a comment. Branches are comments at the places where they were
    played. If `score` is None, there is no result, because PTN has no mark for an unfinished game. Raises
    `NotationError` for a turn that isn't canonical.
    """
    return write_game(game_of(setup, turns, tags, score, branches))


def game_of(
    setup: TakSetup,
    turns: Sequence[str],
    tags: Mapping[str, str],
    score: str | None,
    branches: Sequence[Branch] = (),
) -> PtnGame:
    """Return the game that `tak_record` writes. Raises `NotationError` for a turn that isn't canonical."""
    has_boards = any(is_board(turn) for some in (turns, *(one.turns for one in branches)) for turn in some)
    frames = (_frames if has_boards else _numbered_frames)(empty_position(setup.size, setup.half_komi), turns)
    begin = max((number for number, turn in enumerate(turns, 1) if is_board(turn)), default=0)
    start = frames[begin]
    own = {"Size": str(setup.size)}
    if setup.half_komi:
        own["Komi"] = write_komi(setup.half_komi)
    if begin:
        own["TPS"] = tps.write(start)
    if score is not None:
        own["Result"] = score
    items: list[Ply | Comment] = []
    if begin:
        before = _turns_text(frames[0], turns[: begin - 1])
        items.append(_comment(f"Both agreed on this board. Before it: {before or 'nothing'}"))
    given_up: dict[int, list[Branch]] = {}
    for branch in branches:
        given_up.setdefault(branch.after, []).append(branch)
    for number in range(len(turns) + 1):
        items.extend(_branch_comment(branch, frames[number]) for branch in given_up.get(number, ()))
        if begin <= number < len(turns):
            items.append(_ply(start, turns[number]))
    return PtnGame(tuple({**tags, **own}.items()), start, tuple(items), score)


def _numbered_frames(start: Position, turns: Sequence[str]) -> list[Position]:
    """Return the frames of a game without agreed boards, whose record needs only the ply numbers.

    The boards of these frames stay empty.
    """
    return [start._replace(ply=ply) for ply in range(len(turns) + 1)]


def _frames(start: Position, turns: Sequence[str]) -> list[Position]:
    """Return the positions before and after each turn. An illegal turn of an unchecked game changes no stack."""
    frames = [start]
    for turn in turns:
        frames.append(_next(frames[-1], turn))
    return frames


def _next(position: Position, turn: str) -> Position:
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


def _branch_comment(branch: Branch, position: Position) -> Comment:
    return _comment(f"Given up, {branch.how}: {_turns_text(position, branch.turns)}")


def _comment(text: str) -> Comment:
    """Return a comment, wrapped to 72 characters. A brace would end the comment, so braces become parentheses."""
    plain = text.translate({ord("{"): "(", ord("}"): ")"})
    return Comment(
        "\n".join(textwrap.wrap(plain, _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False))
    )


def _turns_text(position: Position, turns: Sequence[str]) -> str:
    """Return turns in PTN for a comment, with move numbers."""
    return " ".join(_words(position, turns))


def _words(position: Position, turns: Sequence[str]) -> Iterator[str]:
    numbered = False
    moves = not any(map(is_board, turns))
    for turn in turns:
        following = position._replace(ply=position.ply + 1) if moves else _next(position, turn)
        if is_board(turn):
            yield f"then both agreed on another board (as TPS: {tps.write(following)}),"
            numbered = False
        else:
            if position.ply % 2 == 0 or not numbered:
                yield f"{position.ply // 2 + 1}." + (" --" if position.ply % 2 else "")
            yield write_ply(position.board, _ply(position, turn))
            numbered = True
        position = following
