"""Whole games in PTN: tags, numbered plies, comments, a result; several games may stand in one text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from takmail.games.tak.board import Board
from takmail.games.tak.notation import tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.komi import parse_komi
from takmail.games.tak.notation.ptn import Ply, parse_ply, write_ply
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.position import Position, empty_position

LONGEST = 4_000_000
"""The longest text that is read, in characters."""

RESULTS = ("R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2")
"""How a game may end; `1-0` and `0-1` by resignation. `0-0` and `*` are read as no result."""

# Every alternative starts differently and none can match in two ways: the scan is linear.
_TOKEN = re.compile(
    r"""\s+
    |\[\s*(?P<tag>\w{1,40})\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    |\{(?P<comment>[^{}]*)\}
    |(?P<word>[^\s\[\]{}]+)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[0-9]{1,6}\.+")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment where it stands among the plies, without its braces."""

    text: str


@dataclass(frozen=True, slots=True)
class PtnGame:
    """A game as it is written down; nothing says yet that its plies are legal.

    `tags` in their order; `start` is the position of the TPS tag, or the empty board, with the komi of the
    tags; `result` is the one at the end of the plies, or None.
    """

    tags: tuple[tuple[str, str], ...]
    start: Position
    items: tuple[Ply | Comment, ...]
    result: str | None = None

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The plies without the comments."""
        return tuple(item for item in self.items if isinstance(item, Ply))

    def tag(self, name: str) -> str | None:
        """The value of the first tag of that name, in any case, or None."""
        return next((value for key, value in self.tags if key.lower() == name.lower()), None)


def write_game(game: PtnGame) -> str:
    """The whole game as text, a full move a line, ending with a newline."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in game.tags]
    lines += ["", *_move_lines(game)]
    if game.result is not None:
        lines.append(game.result)
    return "\n".join(lines).rstrip("\n") + "\n"


def parse_games(text: str) -> tuple[PtnGame, ...]:
    """Read all games of a text, in time linear in its length; a tag behind plies begins the next game.

    Raises `NotationError`, most with the `line`: `text-too-long`, `ptn-syntax`, `size-missing`, `bad-size`,
    `size-mismatch`, `bad-komi`, `after-the-result`, what `tps.parse` raises, and what `parse_ply` raises.
    """
    if len(text) > LONGEST:
        raise NotationError("text-too-long", characters=len(text), longest=LONGEST)
    games: list[PtnGame] = []
    draft = _Draft()
    for token in _tokens(text.removeprefix("\ufeff")):
        if token.kind == "tag" and draft.has_moves:
            games.append(draft.finished())
            draft = _Draft()
        draft.add(token)
    if draft.tags or draft.has_moves:
        games.append(draft.finished())
    return tuple(games)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    name: str
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise NotationError("ptn-syntax", line=line, text=text[at : at + 20])
        if found.lastgroup is not None:
            kind = "tag" if found.lastgroup == "value" else found.lastgroup
            yield _Token(kind, found["tag"] or "", found[found.lastgroup], line)
        line += text.count("\n", at, found.end())
        at = found.end()


class _Draft:
    """A game while it is being read."""

    def __init__(self) -> None:
        self.tags: list[tuple[str, str]] = []
        self.items: list[Ply | Comment] = []
        self.result: str | None = None
        self.has_moves = False
        self._over = False
        self._start: Position | None = None

    def add(self, token: _Token) -> None:
        match token.kind:
            case "tag":
                self.tags.append((token.name, re.sub(r"\\(.)", r"\1", token.text, flags=re.DOTALL)))
            case "comment":
                self.items.append(Comment(token.text))
            case _:
                self.has_moves = True
                self._add_word(token)

    def finished(self) -> PtnGame:
        return PtnGame(tuple(self.tags), self._position(), tuple(self.items), self.result)

    def _add_word(self, token: _Token) -> None:
        # A number may stand directly before its ply, and `--` fills the place of a ply not played.
        number = _NUMBER.match(token.text)
        word = token.text[number.end() :] if number else token.text
        if not word or word == "--":
            return
        if self._over:
            raise NotationError("after-the-result", line=token.line, text=word[:20])
        if word.upper() in RESULTS:
            self.result, self._over = word.upper(), True
        elif word in ("*", "0-0"):
            self._over = True
        else:
            self.items.append(self._ply(word, token.line))

    def _ply(self, word: str, line: int) -> Ply:
        board = self._position().board
        try:
            return parse_ply(board, word)
        except NotationError as error:
            raise NotationError(error.reason.name, **{**error.reason.facts, "line": line}) from None

    def _position(self) -> Position:
        if self._start is None:
            self._start = starting_position(self.tags)
        return self._start


def starting_position(tags: list[tuple[str, str]]) -> Position:
    """The position that the tags Size, Komi and TPS describe; raises as `parse_games` does."""
    first = {name.lower(): value.strip() for name, value in reversed(tags)}
    half_komi = parse_komi(first["komi"]) if first.get("komi") else 0
    size_text, tps_text = first.get("size"), first.get("tps")
    if size_text is not None and size_text not in map(str, SIZES):
        raise NotationError("bad-size", text=size_text[:20], smallest=SIZES[0], largest=SIZES[-1])
    if tps_text:
        position = tps.parse(tps_text, half_komi)
        if size_text is not None and position.size != int(size_text):
            raise NotationError("size-mismatch", size=int(size_text), rows=position.size)
        return position
    if size_text is None:
        raise NotationError("size-missing", smallest=SIZES[0], largest=SIZES[-1])
    return empty_position(int(size_text), half_komi)


def _move_lines(game: PtnGame) -> Iterator[str]:
    board: Board = game.start.board
    ply, words = game.start.ply, [f"{game.start.ply // 2 + 1}.", *(["--"] if game.start.ply % 2 else [])]
    bare = len(words)  # what a line begins with when nothing has been put on it
    numbered = True
    for item in game.items:
        match item:
            case Ply():
                if not numbered:
                    words.append(f"{ply // 2 + 1}.")
                    numbered = True
                words.append(write_ply(board, item))
                ply += 1
                if ply % 2 == 0:
                    yield " ".join(words)
                    words, bare, numbered = [], 0, False
            case Comment():
                if numbered and len(words) == bare and bare:
                    # A comment before the first ply stands on a line of its own.
                    yield f"{{{item.text}}}"
                else:
                    words.append(f"{{{item.text}}}")
            case _:
                assert_never(item)
    if len(words) > bare:
        yield " ".join(words)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
