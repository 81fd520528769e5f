"""Read a line of a mail as a move of Tak, a near miss, or neither.

The accepted forms are those of the Tak by Mail page. Drops may be omitted or written without spaces (`21`), and the
count of a single piece may be omitted. Case, a leading `move`, and the marks `.,;!` at the ends of words are ignored.
A line with any other deviation is chat, or a near miss, about which the player is asked. Nothing in this module raises
an error.
"""

import re
from collections.abc import Sequence

from takmail.games.interface import NearMiss, Reading, ReadTurn, Reason
from takmail.games.kit.naming import named_in
from takmail.games.tak.moves import Move, Place
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.line_end import Tail, tail_of
from takmail.games.tak.notation.reading_spread import read_spread
from takmail.games.tak.pieces import COLUMN, ROW
from takmail.games.tak.position import Position
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table

MOST_FOREIGN_WORDS = 3
"""The maximum number of foreign words on a line with a move. A line with more is a sentence."""

_SQUARE = re.compile(r"[a-z][0-9]{1,3}")
_HEAD = re.compile(r"p[swc]|m[nsew]")
_IN_A_TEXT = re.compile(
    rf"(?<![\w@.-])(?:p[swc] {COLUMN}{ROW}|m[nsew] {COLUMN}{ROW}(?: [pg]?[0-9]{{1,9}}\b)*(?!\W*[pgx]?[0-9]))"
    r"(?: t\b| \(t\)| tak\b)?(?![\w@-])",
    re.IGNORECASE,
)
"""A move of Tak by Mail in a text, with its numbers and a call of tak."""
_LIKE_A_MOVE = re.compile(
    r"[-*\"'`(\[ ]*(?:[pm] ?[a-z]?[ :.-]*(?:[a-z][0-9]|[1-9][a-h]\b)|(?:p[swc]|m[nsew]) [a-h]\b|p[swc] [1-9]$)"
)
"""The beginning of a line that may be meant as a move. "Me 2" is none."""
_SLIPS = {
    "missing-piece": re.compile(r"p (?P<square>[a-z][0-9]+)\b.*"),
    "missing-direction": re.compile(r"m (?P<square>[a-z][0-9]+)\b.*"),
    "unknown-piece": re.compile(r"p(?P<letter>[^swc\W]) [a-z][0-9]+\b.*"),
    "unknown-direction": re.compile(r"m(?P<letter>[^nsew\W]) [a-z][0-9]+\b.*"),
    "square-incomplete": re.compile(r"(?:p[swc]|m[nsew]) (?P<square>[a-h]|[1-9])"),
    "slip": re.compile(".*"),
}
"""What is wrong with a line that may be meant as a move and names nothing else. The first one that matches is said."""


def read(line: str, position: Position) -> Reading:
    """Read one line as a turn in `position`. Spaces in the line are already normalised. Near misses have no lines."""
    if len(line) > MAX_MOVE_CHARS:
        return None
    return read_exactly(line, position) or _nearly(_words_of_move(line), position)


def read_exactly(line: str, position: Position) -> Reading:
    """Read one line as a turn, or as one with a fault in its square or its numbers. Other near misses are None."""
    if len(line) > MAX_MOVE_CHARS:
        return None
    words = _words(line)
    if len(words) > 1 and words[0].lower() == "ptn":
        return _read_ptn(words[1], tail_of(words[2:]), position)
    return _read_move(_words_of_move(line), position)


def _words_of_move(line: str) -> list[str]:
    """Return the words of a line that may be a move, in lower case. A "move" before it is a habit of other games."""
    words = _words(line.lower())
    return words[1:] if len(words) > 1 and words[0] == "move" else words


def turns_in(text: str, position: Position) -> tuple[str, ...]:
    """Return the complete moves that stand anywhere in a text, in canonical form and without duplicates."""
    moves = dict.fromkeys(move[0].lower() for move in _IN_A_TEXT.finditer(" ".join(text.split())))
    readings = (_read_move(_words(move), position) for move in moves)
    return tuple(dict.fromkeys(reading.text for reading in readings if isinstance(reading, ReadTurn)))


def _words(line: str) -> list[str]:
    """Return the words of a line. A stop or a comma at the end of one is punctuation, and `tak!` means `tak`."""
    return [stripped for word in line.split() if (stripped := word.rstrip(".,;!"))]


def _read_move(words: Sequence[str], position: Position) -> Reading:
    """Read a line that is a move, or one with a fault among its square and its numbers."""
    if len(words) < 2 or not _HEAD.fullmatch(words[0]) or not _SQUARE.fullmatch(words[1]):
        return None
    head, name, *rest = words
    reading = _read_parts(head, name, rest, position)
    if isinstance(reading, NearMiss) and len(_others(rest)) > MOST_FOREIGN_WORDS:
        return None
    return reading


def _read_parts(head: str, name: str, rest: list[str], position: Position) -> Reading:
    """Read a move whose first words are its head and its square."""
    try:
        square = mail.square_named(position.board, name)
    except NotationError as error:
        return NearMiss(error.reason)
    if head[0] == "p":
        return _with_tail(Place(mail.KINDS[head[1]], square), tail_of(rest), position)
    spread = read_spread(mail.DIRECTIONS[head[1]], rest, square, position)
    return spread if isinstance(spread, NearMiss) else _with_tail(*spread, position)


def _nearly(words: Sequence[str], position: Position) -> NearMiss | None:
    """Return the near miss of a line that begins like a move, or None."""
    line = " ".join(words)
    if not _LIKE_A_MOVE.match(line):
        return None
    turns = turns_in(line, position) if _HEAD.fullmatch(words[0]) else ()
    if len(turns) > 1:
        return NearMiss(Reason("two-moves"), turns)
    foreign = [word for word in tail_of(words[1:]).foreign if not any(map(str.isdigit, word))]
    if len(foreign) > MOST_FOREIGN_WORDS:
        return None
    if all(word == words[0] for word in _others(words)):
        for name, form in _SLIPS.items():
            if found := form.fullmatch(line):
                return NearMiss(Reason(name, found.groupdict()))
    if turns:
        return NearMiss(Reason("extra-words", {"words": " ".join(foreign)}))
    return None


def _others(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that name nothing of a move."""
    return named_in(" ".join(words), table("tak.words")).others


def _read_ptn(text: str, tail: Tail, position: Position) -> Reading:
    # A first word without digits is no ply ("ptn of the last game please"), so that any foreign word makes the line
    # chat.
    if len(tail.foreign) > (MOST_FOREIGN_WORDS if any(map(str.isdigit, text)) else 0):
        return None
    try:
        ply = ptn.parse_ply(position.board, text)
    except NotationError as error:
        return NearMiss(error.reason)
    call = "'" in ply.marks or '"' in ply.marks
    return _with_tail(ply.move, Tail(tail.tak or call, tail.number, tail.foreign), position) or NearMiss(
        Reason("extra-words", {"words": " ".join(tail.foreign)})
    )


def _with_tail(move: Move, tail: Tail, position: Position) -> ReadTurn | None:
    """Return the turn of a line that says nothing else."""
    return None if tail.foreign else ReadTurn(mail.write(position.board, move, tail.tak), tail.number)
