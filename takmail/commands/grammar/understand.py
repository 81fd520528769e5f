"""Parse what a player typed into commands and chat.

A line is a command only if the whole line is one. A turn may continue on the next lines. All other lines are chat.

The parser never guesses. A line that is almost a command becomes `Unclear`, `Foreign` or a near miss of the game. It is
answered and not forwarded.
"""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from takmail.commands.grammar import forms
from takmail.commands.grammar.answers import Answered, Expected, Waits, find_answer, read_answer
from takmail.commands.grammar.bid_forms import read_about_bids
from takmail.commands.grammar.boards import joined, placed
from takmail.commands.grammar.commands import (
    STOPS,
    Command,
    Compare,
    Dispute,
    Foreign,
    LineFault,
    Play,
    Propose,
    Say,
    Unclear,
    Word,
)
from takmail.commands.grammar.dispute_forms import nearly_disputing, read_why
from takmail.commands.grammar.line_reader import Reader, SeatNamed
from takmail.commands.grammar.misspellings import first_look_alike, meant, with_latin
from takmail.commands.grammar.normalize import clipped, command_form, plain
from takmail.commands.grammar.polite_forms import nearly_looking, read_asked
from takmail.commands.grammar.proposing import whose_turn
from takmail.commands.grammar.salutations import MARKS, behind_greeting, is_question
from takmail.commands.kinds import OfferKind
from takmail.games.interface import NearMiss, Reading, Turn, WrittenBoard
from takmail.limits.words import (
    MAX_BOARDS,
    MAX_COMMANDS,
    MAX_LINE_CHARS,
    MAX_LINES,
    MAX_READ_REASON_CHARS,
    MAX_REPEATED_LINE_CHARS,
    MAX_TURN_LINES,
)

_BEFORE_A_TURN = re.compile(r"(?:\d{1,9}\.+ ?|#\d{1,9})(?=\S)")
"""The number of a list item, a turn of a record or a game directly before a turn.

`1)` does not match. It may precede a turn, because letters number corrections in this way.
"""
_RECORD_WORD = re.compile(r"^(\w{2,5}) ?: ?(?=\S)")
"""A word with a colon before a turn, as in `PTN: b2`."""
_GAME = re.compile(r"^#(\d{1,9}) (?=\S)")
"""The number of a game before a command."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A command, and its line in plain form. If it spans several lines, they are joined by spaces.

    `is_confirmed`: the sender has not written it in this mail, but has said yes to it.
    """

    line: str
    command: Command | NearMiss
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Understood:
    """The content of a mail: its commands in order, and everything else as chat with its paragraphs."""

    orders: tuple[Ordered, ...]
    chat: str


ANSWERS_NOTHING = Expected()
"""What the first line answers if nothing waits for an answer."""
NOTHING = Understood((), "")
"""The content of a mail without commands and chat."""


def named_games(text: str, reader: Reader) -> tuple[int, ...]:
    """Return the numbers of the games that commands name, as in `#12 draw`. "#1 fan of yours" is chat."""
    found: dict[int, None] = {}
    for part in _parts(text.splitlines(), {}):
        match part:
            case _Stop(game=None):
                break
            case _Line(_, _, int(game), words, is_first):
                if _read_line(words, reader, is_first) or (is_first and read_answer(words)):
                    found[game] = None
    return tuple(found)


def understand(
    text: str,
    reader: Reader,
    *,
    expected: Expected = ANSWERS_NOTHING,
    names: Collection[str] = (),
) -> Understood:
    """Parse what a player typed, line by line.

    `expected` is what the first line may answer, and `names` are the players' names. A command after a name or a
    greeting is suggested and not carried out.
    """
    lines = text.splitlines()
    answered = _find_answer(lines, reader, expected, names)
    parts = deque(_parts(lines, placed(lines, reader)))
    found = _ParsedMail()
    while parts:
        match parts.popleft():
            case WrittenBoard() as board:
                found.add_board(board)
            case _Unread(raw):
                found.add_chat(raw, raw)
            case _Stop():
                break
            case _Line(at) as line if answered is not None and at == answered.at:
                found.add(_ordered_by(answered, line.words, reader))
                if answered.has_words:
                    found.add_chat(line.raw, line.words)
            case _Line() as line:
                if found.add_whose_turn(line.words, reader.seat_named):
                    continue
                if len(found.orders) >= MAX_COMMANDS:
                    found.add(Ordered("", Unclear(LineFault.TOO_MANY, str(MAX_COMMANDS))))
                    break
                order = _read_order(line, parts, reader, names)
                if order is None:
                    found.add_chat(line.raw, line.words)
                else:
                    found.add(order)
    return found.understood()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may be a command.

    * `at` is its index among the lines of the mail
    * `game` is the number of a game at its beginning, None if there is none
    * `words` are the other words of the line, in command form
    * `is_first`: there are only blank lines above it
    """

    at: int
    raw: str
    game: int | None
    words: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class _Unread:
    """A line that is chat without being read, because it is too long or there are too many lines above it."""

    raw: str


@dataclass(frozen=True, slots=True)
class _Stop:
    """A line that ends the commands of a mail.

    `game` is as in `_Line`. Only a line without such a number ends the search for named games.
    """

    game: int | None


_Part = WrittenBoard | _Line | _Unread | _Stop


def _parts(lines: Sequence[str], boards: Mapping[int, WrittenBoard]) -> Iterator[_Part]:
    """Yield the boards, given by the number of their first line, and the lines that are in no board."""
    is_first = True
    board_ends = 0
    for number, raw in enumerate(lines):
        if board := boards.get(number):
            board_ends = board.after
            yield board
        elif number < board_ends:
            continue
        elif number >= MAX_LINES or len(raw) > MAX_LINE_CHARS:
            yield _Unread(raw)
        else:
            words = command_form(raw)
            named = _GAME.match(words)
            game = int(named[1]) if named else None
            words = _without_game(words)
            yield _Stop(game) if _ends_commands(words) else _Line(number, raw, game, words, is_first)
            if not words:
                continue
        is_first = False


class _ParsedMail:
    """The content of a mail as far as it is parsed.

    `_open` is the last command if the next part may continue it. If it takes a board, blank lines may be between.
    """

    __slots__ = ("_boards", "_open", "chat", "orders")

    def __init__(self) -> None:
        self.orders: list[Ordered] = []
        self.chat: list[str] = []
        self._boards = 0
        self._open: Ordered | None = None

    def add(self, order: Ordered) -> None:
        """Add a command."""
        is_alone = not self.orders and not any(self.chat)
        self.orders.append(order)
        self._open = order if _may_continue(order.command, is_alone) else None

    def add_board(self, board: WrittenBoard) -> None:
        """Add a board to the command above it, or as a command of its own. Boards above the limit are only counted."""
        above, self._open = self._open, None
        self._boards += 1
        if self._boards > MAX_BOARDS:
            return
        if above and (whole := joined(above.command, board)):
            self._replace_last(Ordered(above.line, whole))
        else:
            alone = Unclear(LineFault.BOARD_SPACES) if board.lacks_spaces else Compare(board.text)
            self.add(Ordered("", alone))

    def add_whose_turn(self, words: str, seat_named: SeatNamed) -> bool:
        """Add whose turn it would be to the proposed board above this line. Return False if it does not say that."""
        match self._open:
            case Ordered(line, Propose(whose=named) as proposed) if words:
                whose = whose_turn(words, seat_named)
                if whose and named.lower() in ("", whose.lower()):
                    self._replace_last(Ordered(line, replace(proposed, whose=whose)))
                    return True
        return False

    def add_chat(self, raw: str, words: str) -> None:
        """Add a line that is no command: to the reason above it, because mail programs wrap long lines, or as chat.

        Chat below `propose board` may be meant as its board, unless a board is above the command.
        """
        match self._open:
            case Ordered(line, Dispute(reason) as dispute) if words:
                if len(reason) < MAX_READ_REASON_CHARS:
                    more = plain(raw)
                    self._replace_last(Ordered(f"{line} {more}", replace(dispute, reason=f"{reason} {more}")))
                return
            case Ordered(_, Dispute()):
                self._open = None
        self.chat.append(raw.rstrip())
        if not words:
            return
        self._open = None
        match self.orders[-1:]:
            case [Ordered(line, Propose(board=None) as bare)] if not self._shows_board():
                self.orders[-1] = Ordered(line, replace(bare, is_unread=True))

    def _replace_last(self, order: Ordered) -> None:
        del self.orders[-1]
        self.add(order)

    def _shows_board(self) -> bool:
        return any(isinstance(one.command, Compare) for one in self.orders)

    def understood(self) -> Understood:
        """Return the content of the mail.

        If there are too many boards, only a fault is added after the other commands.
        """
        many = (
            (Ordered("", Unclear(LineFault.MANY_BOARDS, str(MAX_BOARDS))),)
            if self._boards > MAX_BOARDS
            else ()
        )
        chat = re.sub(r"\n{3,}", "\n\n", "\n".join(self.chat)).strip()
        return Understood((*self.orders, *many), chat)


def _may_continue(command: Command | NearMiss, is_alone: bool) -> bool:
    """Tell whether the next part of a mail may continue a command. `is_alone`: only blank lines are above it."""
    match command:
        case Word.RESYNC | Propose(OfferKind.BOARD):
            return True
        case Dispute(reason):
            return is_alone and reason != ""
        case _:
            return False


def _read_order(line: _Line, below: deque[_Part], reader: Reader, names: Collection[str]) -> Ordered | None:
    """Return the command that begins on a line. If it is a turn, its other lines are removed from the parts below."""
    words = line.words
    command = _read_line(words, reader, line.is_first, names) if words else None
    if isinstance(command, Dispute | Say):
        # a closing mark belongs to the text of a reason or chat
        command = forms.read(_without_game(plain(line.raw)), line.is_first, reader.games) or command
    if isinstance(command, Play | NearMiss):
        whole = [words, *islice(_lines_of_paragraph(below), MAX_TURN_LINES - 1)]
        reading, taken = reader.read_lines([without_move(one) for one in whole])
        if taken > 1:
            words, command = " ".join(whole[:taken]), _as_play(reading)
            for _ in range(1, taken):
                below.popleft()
    return None if command is None else Ordered(words, command)


def _lines_of_paragraph(parts: Iterable[_Part]) -> Iterator[str]:
    """Yield the words of the lines up to the end of their paragraph. A board ends it, too."""
    for part in parts:
        if not isinstance(part, _Line) or not part.words:
            return
        yield part.words


def _without_game(line: str) -> str:
    return _GAME.sub("", line, count=1)


def _find_answer(
    lines: Sequence[str], reader: Reader, expected: Expected, names: Collection[str]
) -> Answered | None:
    """Return the line that is an answer.

    A whole command, as `agree draw`, is that command. But `accept` agrees to an offer, as `agree` does.
    """
    answered = find_answer(lines[:MAX_LINES], expected, names)
    if answered is not None and reader.has_bids and (answered.has_words or answered.offers):
        return None  # The words may be meant as a bid.
    if answered is None or (answered.line and expected.waits in (Waits.INVITATION, Waits.OFFER)):
        return answered
    command = forms.read(_without_game(command_form(lines[answered.at])), True, reader.games)
    return answered if command is None or isinstance(command, Unclear) else None


def _ordered_by(answered: Answered, line: str, reader: Reader) -> Ordered:
    """Return the command of an answer."""
    words = {"yes": Word.YES, "no": Word.NO}
    command = words.get(answered.line) or forms.read(answered.line, True, reader.games)
    return Ordered(line, command or Unclear(LineFault.ANSWER, "\n".join(answered.offers)))


def _ends_commands(line: str) -> bool:
    return line.lower().removeprefix("/") in STOPS


def _read_line(
    line: str, reader: Reader, first: bool, names: Collection[str] = ()
) -> Command | NearMiss | None:
    return (
        read_asked(line, partial(_read_keyword, reader=reader, first=first))
        or _read_keyword(line, reader, first)
        or (read_about_bids(line) if reader.has_bids else None)
        or nearly_disputing(line, first)
        or _read_turn(line, reader)
        or _turn_after_mark(line, reader)
        or _with_look_alike(line, reader, first)
        or _misspelled(line, reader, first)
        or _command_after_greeting(line, reader, names)
    )


def _read_keyword(line: str, reader: Reader, first: bool) -> Command | None:
    """Parse a line that begins with the keyword of a command."""
    return forms.read(line, first, reader.games) or read_why(line, partial(_read_turn, reader=reader), first)


def without_move(line: str) -> str:
    """Return the line without a leading `/` and without the word `move`. Both are optional before a turn."""
    return re.sub(r"^(/ ?)?(move )?", "", line, flags=re.IGNORECASE)


def _read_turn(line: str, reader: Reader) -> Play | NearMiss | None:
    return _as_play(reader.read_turn(without_move(line)))


def _as_play(reading: Reading) -> Play | NearMiss | None:
    return Play(reading.text, reading.number) if isinstance(reading, Turn) else reading


def _turn_after_mark(line: str, reader: Reader) -> Unclear | NearMiss | None:
    """Suggest the turn in a line such as `1. ps b4`, `#1ps b4` or `PTN: b2`. It is not played."""
    numbered = _BEFORE_A_TURN.match(line)
    meant = line[numbered.end() :] if numbered else _RECORD_WORD.sub(r"\1 ", line)
    reading = None if meant == line else _read_turn(meant, reader)
    if isinstance(reading, Play):
        return Unclear(
            LineFault.TURN_WITH_MARK,
            clipped(_written(reading) if numbered else meant, MAX_REPEATED_LINE_CHARS),
        )
    # "PS: b4 is nice" is a postscript.
    return reading if numbered else None


def _written(turn: Play) -> str:
    return turn.text if turn.number is None else f"{turn.text} #{turn.number}"


def _command_after_greeting(
    line: str, reader: Reader, names: Collection[str]
) -> Unclear | Foreign | NearMiss | None:
    """Suggest the command in a line such as `Ada! ps c3` or `Hi, draw`. It is not carried out.

    A question is chat for the opponent. A command other than a turn needs punctuation before it, because "Ada rules" is
    praise.
    """
    rest = None if is_question(line) else behind_greeting(line, names)
    if rest is None:
        return None
    turn = _read_turn(rest, reader)
    if isinstance(turn, Play):
        return Unclear(LineFault.GREETED, clipped(rest.lower(), MAX_REPEATED_LINE_CHARS))
    has_mark = line.removesuffix(rest).rstrip().endswith(MARKS)
    command = forms.read(rest, first_line=False, games=reader.games) if has_mark else None
    if command is not None and not isinstance(command, Unclear):
        return Unclear(LineFault.GREETED, clipped(rest, MAX_REPEATED_LINE_CHARS))
    return turn or _with_look_alike(rest, reader, first=False)


def _misspelled(line: str, reader: Reader, first: bool) -> Unclear | None:
    """Suggest the command if its first word is misspelled, or if it only shows something and is phrased politely."""
    mended = meant(line, first, reader.games)
    mended = mended or nearly_looking(line, partial(_read_keyword, reader=reader, first=False))
    return Unclear(LineFault.MISTYPED, clipped(mended, MAX_REPEATED_LINE_CHARS)) if mended else None


def _with_look_alike(line: str, reader: Reader, first: bool) -> Foreign | None:
    """Return the fault if the line would be a command with a Latin letter in place of one that resembles it."""
    foreign = first_look_alike(line)
    if foreign is None:
        return None
    latin = with_latin(line)
    if forms.read(latin, first, reader.games) is None and _read_turn(latin, reader) is None:
        return None
    return Foreign(foreign.letter, foreign.alphabet, clipped(latin, MAX_REPEATED_LINE_CHARS))
