"""Whole games in PTN: tags, numbered plies, comments and a result. A text may contain several games."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from takmail.games.interface import Reason
from takmail.games.tak.board import Board
from takmail.games.tak.notation import tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.komi import parse_komi
from takmail.games.tak.notation.ptn import Ply, parse_ply, write_ply
from takmail.games.tak.pieces import AGREED_CAPSTONES, AGREED_CAPSTONES_SIZE, SIZES
from takmail.games.tak.position import Position, empty_position
from takmail.limits.games import MAX_RECORD_CHARS

RESULTS = ("R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2")
"""The results that a game can have; `1-0` and `0-1` are by resignation. `0-0` and `*` are read as no result."""

# The alternatives start with different characters, and none can match in two ways. Therefore the scan takes linear
# time.
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
    """A comment among the plies, without its braces."""

    text: str


@dataclass(frozen=True, slots=True)
class PtnFault:
    """An unreadable item in place of a ply; `word` is its text, or None if the item isn't a word."""

    reason: Reason
    word: str | None = None


@dataclass(frozen=True, slots=True)
class NoStart:
    """A game without a valid starting position; `reason` is the fault in its tags.

    `tags` are those that could be parsed.
    """

    tags: tuple[tuple[str, str], ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class PtnGame:
    """A parsed game, whose plies may be illegal.

    `tags` are in the order of the text. `start` is the position in the tag TPS or the empty board, with the komi of
    the tags. `result` is the result at the end of the plies, or None. If there is a `fault`, only the part of the game
    before it was parsed.
    """

    tags: tuple[tuple[str, str], ...]
    start: Position
    items: tuple[Ply | Comment, ...]
    result: str | None = None
    fault: PtnFault | None = None

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The plies without the comments."""
        return tuple(item for item in self.items if isinstance(item, Ply))

    def tag(self, name: str) -> str | None:
        """Return the value of the first tag with this name, in upper or lower case, or None."""
        return next((value for key, value in self.tags if key.lower() == name.lower()), None)


def write_game(game: PtnGame) -> str:
    """Return the whole game as text, with a full move per line and a newline at the end."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in game.tags]
    lines += ["", *_move_lines(game)]
    if game.result is not None:
        lines.append(game.result)
    return "\n".join(lines).rstrip("\n") + "\n"


def read_games(text: str) -> tuple[PtnGame | NoStart, ...]:
    """Parse all games of a text, in time linear in its length. A tag after plies begins the next game.

    A fault ends only its own game. Its reason is `ptn-syntax`, `after-the-result` or one that `parse_ply` raises, and
    most reasons have the `line`. Reasons for tags are `ptn-syntax`, `size-missing`, `bad-size`, `size-mismatch`,
    `bad-komi` or one that `tps.parse` raises. If the reason is `text-too-long`, nothing is parsed.
    """
    if len(text) > MAX_RECORD_CHARS:
        return (NoStart((), Reason("text-too-long", {"characters": len(text), "longest": MAX_RECORD_CHARS})),)
    games: list[PtnGame | NoStart] = []
    draft = _Draft()
    for token in _tokens(text.removeprefix("\ufeff")):
        if token.kind in ("tag", "bad-tag") and draft.has_moves:
            games.append(draft.finished())
            draft = _Draft()
        draft.add(token)
    if draft.begun:
        games.append(draft.finished())
    return tuple(games)


def parse_games(text: str) -> tuple[PtnGame, ...]:
    """Parse all games of a text as `read_games` does, but raise the first fault as a `NotationError`."""
    games = []
    for game in read_games(text):
        match game:
            case NoStart(reason=reason) | PtnGame(fault=PtnFault(reason=reason)):
                raise NotationError(reason.name, **reason.facts)
            case _:
                games.append(game)
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
        if found is None:
            # The rest of this line can't be parsed. The next line may begin another game.
            end = (text.find("\n", at) + 1) or len(text)
            kind = "bad-tag" if _begins_a_tag(text, at) else "junk"
            yield _Token(kind, "", text[at:end].rstrip()[:20], line)
        else:
            end = found.end()
            if found.lastgroup is not None:
                kind = "tag" if found.lastgroup == "value" else found.lastgroup
                yield _Token(kind, found["tag"] or "", found[found.lastgroup], line)
        line += text.count("\n", at, end)
        at = end


def _begins_a_tag(text: str, at: int) -> bool:
    return text[at] == "[" and not text[text.rfind("\n", 0, at) + 1 : at].strip()


class _Draft:
    """A game that is being parsed. After a fault, the remaining tokens only show where the game ends."""

    def __init__(self) -> None:
        self.has_moves = False
        self._tags: list[tuple[str, str]] = []
        self._items: list[Ply | Comment] = []
        self._result: str | None = None
        self._over = False
        self._start: Position | None = None
        self._bad_head: Reason | None = None
        self._fault: PtnFault | None = None

    @property
    def begun(self) -> bool:
        """Whether the draft has a tag or a ply, or a fault in either. Comments don't count."""
        return bool(self._tags or self.has_moves or self._bad_head)

    def add(self, token: _Token) -> None:
        match token.kind:
            case "tag":
                self._tags.append((token.name, re.sub(r"\\(.)", r"\1", token.text, flags=re.DOTALL)))
            case "bad-tag":
                self._bad_head = self._bad_head or _syntax_error(token)
            case "comment":
                if self._fault is None:
                    self._items.append(Comment(token.text))
            case "junk":
                self.has_moves = True
                if self._fault is None and self._bad_head is None:
                    self._fault = PtnFault(_syntax_error(token))
            case _:
                self.has_moves = True
                self._add_word(token)

    def finished(self) -> PtnGame | NoStart:
        tags, start = tuple(self._tags), self._position()
        if start is None:
            assert self._bad_head is not None
            return NoStart(tags, self._fault.reason if self._fault else self._bad_head)
        return PtnGame(tags, start, tuple(self._items), self._result, self._fault)

    def _add_word(self, token: _Token) -> None:
        # A number may be attached to its ply. `--` is the placeholder for a ply that was not played.
        number = _NUMBER.match(token.text)
        word = token.text[number.end() :] if number else token.text
        start = None if self._fault else self._position()
        if start is None or not word or word == "--":
            return
        if self._over:
            reason = Reason("after-the-result", {"line": token.line, "text": word[:20]})
            self._fault = PtnFault(reason, word[:20])
        elif word.upper() in RESULTS:
            self._result, self._over = word.upper(), True
        elif word in ("*", "0-0"):
            self._over = True
        else:
            self._add_ply(start.board, word, token.line)

    def _add_ply(self, board: Board, word: str, line: int) -> None:
        try:
            self._items.append(parse_ply(board, word))
        except NotationError as error:
            reason = Reason(error.reason.name, {**error.reason.facts, "line": line})
            self._fault = PtnFault(reason, word[:20])

    def _position(self) -> Position | None:
        if self._start is None and self._bad_head is None:
            try:
                self._start = starting_position(self._tags)
            except NotationError as error:
                self._bad_head = error.reason
        return self._start


def _syntax_error(token: _Token) -> Reason:
    return Reason("ptn-syntax", {"line": token.line, "text": token.text})


def starting_position(tags: list[tuple[str, str]]) -> Position:
    """Return the position that the tags Size, Komi, Caps and TPS describe.

    Raises `NotationError` as `parse_games` does.
    """
    first = {name.lower(): value.strip() for name, value in reversed(tags)}
    half_komi = parse_komi(first["komi"]) if first.get("komi") else 0
    size_text, tps_text = first.get("size"), first.get("tps")
    # Other sizes have the capstones of the rules, whatever a record says.
    has_agreed = size_text == str(AGREED_CAPSTONES_SIZE) and first.get("caps") in AGREED_CAPSTONES
    capstones = int(first["caps"]) if has_agreed else None
    if size_text is not None and size_text not in map(str, SIZES):
        raise NotationError("bad-size", text=size_text[:20], smallest=SIZES[0], largest=SIZES[-1])
    if tps_text:
        position = tps.parse(tps_text, half_komi, capstones)
        if size_text is not None and position.size != int(size_text):
            raise NotationError("size-mismatch", size=int(size_text), rows=position.size)
        return position
    if size_text is None:
        raise NotationError("size-missing", smallest=SIZES[0], largest=SIZES[-1])
    return empty_position(int(size_text), half_komi, capstones)


def _move_lines(game: PtnGame) -> Iterator[str]:
    board: Board = game.start.board
    ply, words = game.start.ply, [f"{game.start.ply // 2 + 1}.", *(["--"] if game.start.ply % 2 else [])]
    bare = len(words)  # the number of words with which the line begins
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
                    # A comment before the first ply has its own line.
                    yield f"{{{item.text}}}"
                else:
                    words.append(f"{{{item.text}}}")
            case _:
                assert_never(item)
    if len(words) > bare:
        yield " ".join(words)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
