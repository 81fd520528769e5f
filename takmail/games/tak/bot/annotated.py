"""Write what a review has found into a record in PTN."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.games.tak.board import Board
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.ptn import Ply, write_ply
from takmail.games.tak.notation.ptn_game import Comment, PtnGame, read_games, write_game
from takmail.games.thinking import Finding, Review

_COMMENTS = {
    "road_missed": "A road was there: {better}.",
    "road_allowed": "This lets the other side make a road with {reply}. Better: {better}.",
    "tinue_missed": "Tinue was there: {line}.",
    "tinue_allowed": "This allows tinue: {reply}. No road by threats within {within} plies after {better}.",
    "lost": "Here no ply prevented a road any more.",
    "only_win": "Found: one of few plies that force a road.",
    "only_defence": "Found: the only ply that prevents a road.",
}
_MARKS = "'\""


def annotated(record: str, reviews: Sequence[Review]) -> str:
    """Return a record with marks and comments in as many of its games as there are reviews.

    The last ply of a game is the last turn of its review: a record may begin at a board that the players agreed on.
    """
    games = (
        write_game(replace(game, items=tuple(_items(game, review))))
        for game, review in zip(read_games(record), reviews, strict=False)
        if isinstance(game, PtnGame)
    )
    return "\n".join(games)


def _items(game: PtnGame, review: Review) -> Iterator[Ply | Comment]:
    comments = {
        finding.turn: _comment(game.start.board, finding, review.within) for finding in review.findings
    }
    marks = review.marks or ("",) * len(game.plies)
    turn = len(marks) - len(game.plies)
    for item in game.items:
        if isinstance(item, Comment):
            yield item
            continue
        turn += 1
        others = "".join(mark for mark in item.marks if mark not in _MARKS)
        yield replace(item, marks=marks[turn - 1] + others)
        if turn in comments:
            yield comments[turn]


def _comment(board: Board, finding: Finding, within: int) -> Comment:
    better, line = (
        [write_ply(board, Ply(mail.parse(board, text).move)) for text in texts]
        for texts in (finding.better, finding.line)
    )
    words = {
        "better": " or ".join(better),
        "line": " ".join(line or better),
        "reply": " ".join(line[1:]) or "a road can be forced",
        "within": within,
    }
    return Comment(_COMMENTS[finding.name].format(**words))
