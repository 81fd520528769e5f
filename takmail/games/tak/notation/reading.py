"""Read a line of a mail as a move of Tak, a near miss, or neither.

The accepted forms are those of the Tak by Mail page. Drops may be omitted or written without spaces (`21`), and the
count of a single piece may be omitted. Case, a leading `move`, and the marks `.,;!` at the ends of words are ignored.
A line with any other deviation is chat, or a near miss, about which the player is asked. Nothing in this module raises
an error.
"""

import re
from collections.abc import Sequence

from takmail.games.interface import NearMiss, Reading, Reason, Turn
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.line_end import Tail, tail_of
from takmail.games.tak.notation.reading_spread import (
    NUMBER,
    PICK_UP,
    Correction,
    Plain,
    has_digits,
    read_spread,
)
from takmail.games.tak.pieces import COLUMN, ROW
from takmail.games.tak.position import Position
from takmail.limits.words import MAX_MOVE_CHARS

MOST_FOREIGN_WORDS = 3
"""The maximum number of foreign words on a line with a move. A line with more is a sentence."""

_SQUARE = re.compile(r"[a-z][0-9]{1,3}")
_HEAD = re.compile(r"p[swc]|m[nsew]")
_JOINED_HEAD = re.compile(r"(p[swc]|m[nsew])[:-]?([a-z][0-9]{1,3})(.*)")
_IN_A_TEXT = re.compile(
    rf"(?<![\w@.-])(?:p[swc] {COLUMN}{ROW}|m[nsew] {COLUMN}{ROW}(?: [pg]?[0-9]{{1,9}}\b)*)"
    r"(?: t\b| \(t\)| tak\b)?(?![\w@-])",
    re.IGNORECASE,
)
"""A move of Tak by Mail in a text, with its numbers and a call of tak."""
_MARKS = ".,;:!?\"'`()[]*_-"
_JOINED_SQUARE = re.compile(r"([a-z][0-9])([pg][0-9]+|t|\(t\)|tak)")


def read(line: str, position: Position) -> Reading:
    """Read one line as a turn in `position`. Spaces in the line are already normalised."""
    if len(line) > MAX_MOVE_CHARS:
        return None
    # A stop or a comma at the end of a word is punctuation, and `tak!` means `tak`.
    words = [stripped for word in line.split() if (stripped := word.rstrip(".,;!"))]
    if len(words) > 1 and words[0].lower() == "ptn":
        return _read_ptn(words[1], tail_of(words[2:]), position)
    words = [word.lower() for word in words]
    if len(words) > 1 and words[0] == "move":
        words = words[1:]  # a habit from other mail games
    if not words:
        return None
    return _read_move(words, position) or _read_unmarked(words, position)


def turns_in(text: str, position: Position) -> tuple[str, ...]:
    """Return the complete moves that stand anywhere in a text, in canonical form and without duplicates."""
    found = (read(move[0], position) for move in _IN_A_TEXT.finditer(" ".join(text.split())))
    return tuple(dict.fromkeys(reading.text for reading in found if isinstance(reading, Turn)))


def _read_unmarked(words: Sequence[str], position: Position) -> Reading:
    """Read a line after removing punctuation around its words, as in `ps b4?`, `"ps b4"`, `*ps b4*`, `- ps b4`.

    A line that also has other words is chat.
    """
    bare = [stripped for word in words if (stripped := word.strip(_MARKS))]
    reading = _read_move(bare, position) if bare and bare != list(words) else None
    if isinstance(reading, Turn):
        return NearMiss(Reason("stray-mark"), (reading.text,))
    is_chat = reading is None or reading.reason.name in ("extra-words", "two-moves")
    return None if is_chat else reading


def _read_move(words: Sequence[str], position: Position) -> Reading:
    head, *rest = words
    if glued := _JOINED_HEAD.fullmatch(head):
        start, square, more = glued.groups()
        return _corrected(
            Correction("missing-space", (start, square, *([more] if more else []), *rest)), position
        )
    if not rest or head[0] not in "pm":
        return None
    if head in ("p", "m"):
        return _read_without_letter(words, position)
    if len(head) != 2 or not head[1].isalpha():
        return None
    if not _SQUARE.fullmatch(rest[0]):
        return _read_half_a_square(words, position) if _HEAD.fullmatch(head) else None
    if not _HEAD.fullmatch(head):
        return _read_unknown_letter(words, position)
    return _read_with_square(words, position)


def _read_with_square(words: Sequence[str], position: Position) -> Reading:
    try:
        square = mail.square_named(position.board, words[1])
    except NotationError as error:
        is_sentence = len(_foreign_words(words[2:])) > MOST_FOREIGN_WORDS
        return None if is_sentence else NearMiss(error.reason)
    if words[0][0] == "p":
        return _with_tail(Place(mail.KINDS[words[0][1]], square), tail_of(words[2:]), position)
    if len(_foreign_words(words[2:])) > MOST_FOREIGN_WORDS:
        return None
    match read_spread(words, square, position):
        case Plain(move, tail):
            return _with_tail(move, tail, position)
        case Correction() as correction:
            return _corrected(correction, position)
        case miss:
            return miss


def _read_without_letter(words: Sequence[str], position: Position) -> Reading:
    """Read `p b4` and `m b2 p1 1`, which lack a letter, and `p s b4`, which has an extra space."""
    head, first, *rest = words
    if _HEAD.fullmatch(head + first) and rest and _SQUARE.fullmatch(rest[0]):
        return _corrected(Correction("stray-space", (head + first, *rest)), position)
    if not _SQUARE.fullmatch(first) or _foreign_words(rest):
        return None
    return NearMiss(Reason("missing-piece" if head == "p" else "missing-direction", {"square": first}))


def _read_unknown_letter(words: Sequence[str], position: Position) -> Reading:
    """Read `pz b4` and `mx b2`, which are meant as moves only if nothing else is on the line."""
    head, square, *rest = words
    if _foreign_words(rest):
        return None
    if head == "pf":
        return _corrected(Correction("unknown-piece", ("ps", square, *rest)), position, letter="f")
    name = "unknown-piece" if head[0] == "p" else "unknown-direction"
    return NearMiss(Reason(name, {"letter": head[1]}))


def _read_half_a_square(words: Sequence[str], position: Position) -> Reading:
    """Read `ps b`, `ps 4b`, `ps b 4` and `ms b2p3 2 1`, but not "me too" or "ms office is down"."""
    head, text, *rest = words
    if glued := _JOINED_SQUARE.fullmatch(text):
        return _corrected(Correction("missing-space", (head, *glued.groups(), *rest)), position)
    if re.fullmatch(ROW + COLUMN, text):
        return _corrected(Correction("square-reversed", (head, text[::-1], *rest)), position)
    if not re.fullmatch(COLUMN, text):
        is_row_alone = head[0] == "p" and re.fullmatch(ROW, text) and not _foreign_words(rest)
        return _incomplete_square(text) if is_row_alone else None
    if rest and re.fullmatch(r"[0-9]{1,2}", rest[0]):
        return _corrected(Correction("stray-space", (head, text + rest[0], *rest[1:])), position)
    return None if _foreign_words(rest) else _incomplete_square(text)


def _incomplete_square(text: str) -> NearMiss:
    return NearMiss(Reason("square-incomplete", {"square": text}))


def _read_ptn(text: str, tail: Tail, position: Position) -> Reading:
    try:
        ply = ptn.parse_ply(position.board, text)
    except NotationError as error:
        # A first word without digits is no ply ("ptn of the last game please"), so then any foreign word makes the line
        # chat.
        is_chat = len(tail.foreign) > (MOST_FOREIGN_WORDS if any(map(str.isdigit, text)) else 0)
        return None if is_chat else NearMiss(error.reason)
    call = "'" in ply.marks or '"' in ply.marks
    return _with_tail(ply.move, Tail(tail.tak or call, tail.number, tail.foreign), position)


def _with_tail(move: Move, tail: Tail, position: Position) -> Reading:
    text = mail.write(position.board, move, tail.tak)
    if not tail.foreign:
        return Turn(text, tail.number)
    if len(tail.foreign) > MOST_FOREIGN_WORDS:
        return _two_moves(move, tail, position)
    fixes = () if isinstance(move, Spread) and has_digits(tail.foreign) else (text,)
    return _two_moves(move, tail, position) or NearMiss(
        Reason("extra-words", {"words": " ".join(tail.foreign)}), fixes
    )


def _two_moves(move: Move, tail: Tail, position: Position) -> NearMiss | None:
    """Return a near miss for two moves on one line. Neither is played, and both are offered."""
    for at, (head, square) in enumerate(zip(tail.foreign, tail.foreign[1:], strict=False)):
        if _HEAD.fullmatch(head) and _SQUARE.fullmatch(square):
            other = _read_move(tail.foreign[at:], position)
            if other is not None:
                is_unsure = isinstance(move, Spread) and has_digits(tail.foreign[:at])
                first = () if is_unsure else (mail.write(position.board, move, tail.tak),)
                second = (other.text,) if isinstance(other, Turn) else other.fixes
                return NearMiss(Reason("two-moves"), tuple(dict.fromkeys((*first, *second))))
    return None


def _corrected(correction: Correction, position: Position, **facts: object) -> Reading:
    """Read the corrected words, and return a near miss that offers the result.

    Other faults in the corrected words are reported first.
    """
    reading = _read_move(correction.words, position)
    if not isinstance(reading, Turn):
        return reading
    return NearMiss(Reason(correction.name, facts), (reading.text,))


def _foreign_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that can't belong to a move.

    Numbers, pick-up counts (`p3`), calls of tak and turn numbers are left out.
    """
    return tuple(
        word for word in tail_of(words).foreign if not NUMBER.fullmatch(word) and not PICK_UP.fullmatch(word)
    )
