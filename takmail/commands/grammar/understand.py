"""Parse what a player typed into commands and chat.

A line is a command only if the whole line is one. A turn may continue on the next lines. All other lines are chat.

The parser never guesses. A line that is almost a command becomes `Unclear`, `Foreign` or a near miss of the game. It is
answered and not forwarded.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from takmail.commands.grammar import forms
from takmail.commands.grammar.boards import Placed, joined, placed
from takmail.commands.grammar.commands import (
    ANSWERS,
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

_BEFORE_A_TURN = re.compile(r"(?:\d{1,9}\. ?|#\d{1,9})(?=\S)")
"""The number of a list item or a game directly before a turn.

`1)` does not match. It may precede a turn, because letters number corrections in this way.
"""
_RECORD_WORD = re.compile(r"^(\w{2,5}) ?: ?(?=\S)")
"""A word with a colon before a turn, as in `PTN: b2`."""
_GAME = re.compile(r"^#(\d{1,9}) (?=\S)")
"""The number of a game before a command."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A command, and its line in plain form. If it spans several lines, they are joined by spaces."""

    line: str
    command: Command | NearMiss


@dataclass(frozen=True, slots=True)
class Understood:
    """The content of a mail: its commands in order, and everything else as chat with its paragraphs."""

    orders: tuple[Ordered, ...]
    chat: str


def named_games(text: str, reader: Reader) -> tuple[int, ...]:
    """Return the numbers of the games that commands name, as in `#12 draw`. "#1 fan of yours" is chat."""
    found: dict[int, None] = {}
    first = True
    for line in map(command_form, filter(_may_be_command, text.splitlines()[:MAX_LINES])):
        if _ends_commands(line):
            break
        game = _GAME.match(line)
        if game and _read_line(line[game.end() :], reader, first, question_open=True) is not None:
            found[int(game[1])] = None
        first = first and not line
    return tuple(found)


def understand(
    text: str,
    reader: Reader,
    *,
    question_open: bool,
    names: Collection[str] = (),
) -> Understood:
    """Parse what a player typed, line by line.

    `names` are the players' names. A command after a name or a greeting is suggested and not carried out.
    """
    lines = text.splitlines()
    found = _ParsedMail(placed(lines, reader), reader.seat_named)
    first, below = True, 0
    for number, raw in enumerate(lines):
        if number < below:
            continue
        if found.consume_board_line(number):
            first = False
            continue
        if number >= MAX_LINES or not _may_be_command(raw):
            found.take(raw, raw, None)
            first = False
            continue
        line, words = (_without_game(form(raw)) for form in (command_form, plain))
        if _ends_commands(line):
            break
        if found.consume_whose_turn(line):
            continue
        if len(found.orders) >= MAX_COMMANDS:
            found.orders.append(Ordered("", Unclear(LineFault.TOO_MANY, str(MAX_COMMANDS))))
            break
        command = _read_line(line, reader, first, question_open, names) if line else None
        if isinstance(command, Dispute | Say):
            # a closing mark belongs to the text of a reason or chat
            command = forms.read(words, first, reader.games) or command
        if isinstance(command, Play | NearMiss):
            whole = list(islice(_paragraph_from(number, lines, found), MAX_TURN_LINES))
            reading, taken = reader.read_lines([without_move(one) for one in whole])
            if taken > 1:
                below, line = number + taken, " ".join(whole[:taken])
                command = _as_play(reading)
        found.take(raw, line, command)
        first = first and not line
    return found.understood()


class _ParsedMail:
    """The content of a mail as far as it is parsed.

    * `_is_adjacent`: there are only blank lines after the last command
    * `_reason_continues`: the last command has a reason that may continue on the next line
    * `_board_ends` is the number of the line after the last board
    """

    __slots__ = (
        "_board_ends",
        "_is_adjacent",
        "_placed",
        "_reason_continues",
        "_seat_named",
        "_shown",
        "chat",
        "orders",
    )

    def __init__(self, boards: Placed, seat_named: SeatNamed) -> None:
        self._seat_named = seat_named
        self.orders: list[Ordered] = []
        self.chat: list[str] = []
        self._placed = boards
        self._is_adjacent = False
        self._reason_continues = False
        self._board_ends = 0
        self._shown = 0

    def take(self, raw: str, line: str, command: Command | NearMiss | None) -> None:
        """Add a line that is not part of a board. `command` is what the line was parsed as, None if it is chat."""
        if command is not None:
            is_first = not self.orders and not any(self.chat)
            self.orders.append(Ordered(line, command))
            self._reason_continues = is_first and isinstance(command, Dispute) and bool(command.reason)
        elif not (line and self._consume_reason_line(raw)):
            self._reason_continues = False
            self.chat.append(raw.rstrip())
            if line and self.orders:
                self.orders[-1] = _with_words_below(self.orders[-1], self.orders[:-1])
        self._is_adjacent = command is not None or (self._is_adjacent and not line)

    def consume_whose_turn(self, line: str) -> bool:
        """Consume a line that says whose turn it would be on the board that is proposed directly above it."""
        above = self.orders[-1] if self.orders and self._is_adjacent else None
        if not line or above is None or not isinstance(above.command, Propose):
            return False
        whose = whose_turn(line, self._seat_named) if above.command.kind == OfferKind.BOARD else ""
        if not whose or above.command.whose.lower() not in ("", whose.lower()):
            return False
        self.orders[-1] = replace(above, command=replace(above.command, whose=whose))
        return True

    def _consume_reason_line(self, raw: str) -> bool:
        """Consume a line that continues the reason directly above it, because mail programs wrap long lines."""
        last = self.orders[-1] if self._reason_continues else None
        if last is None or not isinstance(last.command, Dispute):
            return False
        if len(last.command.reason) < MAX_READ_REASON_CHARS:
            reason = f"{last.command.reason} {plain(raw)}"
            self.orders[-1] = Ordered(f"{last.line} {plain(raw)}", replace(last.command, reason=reason))
        return True

    def begins_board(self, number: int) -> bool:
        """Tell whether a board begins at a line."""
        return number in self._placed.boards

    def consume_board_line(self, number: int) -> bool:
        """Consume a line of a board.

        The first line adds the board to the command above it, or as a command of its own.
        """
        board = self._placed.boards.get(number)
        if board is None:
            return number < self._board_ends
        above = self.orders[-1] if self.orders and self._is_adjacent else None
        whole = joined(above.command, board) if above else None
        self._shown += 1
        if self._shown <= MAX_BOARDS:
            self._add_board(board, above, whole)
        self._board_ends = board.after
        self._is_adjacent = self._shown <= MAX_BOARDS and isinstance(whole, Propose)
        self._reason_continues = False
        return True

    def _add_board(self, board: WrittenBoard, above: Ordered | None, whole: Command | None) -> None:
        if above and whole:
            self.orders[-1] = Ordered(above.line, whole)
        else:
            alone = Unclear(LineFault.BOARD_SPACES) if board.lacks_spaces else Compare(board.text)
            self.orders.append(Ordered("", alone))

    def understood(self) -> Understood:
        """Return the content of the mail.

        If there are too many boards, only a fault is added after the other commands.
        """
        many = (
            (Ordered("", Unclear(LineFault.MANY_BOARDS, str(MAX_BOARDS))),)
            if self._shown > MAX_BOARDS
            else ()
        )
        chat = re.sub(r"\n{3,}", "\n\n", "\n".join(self.chat)).strip()
        return Understood((*self.orders, *many), chat)


def _with_words_below(order: Ordered, above: Sequence[Ordered]) -> Ordered:
    """Return a command after chat was found below it.

    `propose board` without a board becomes unread, because this chat may be meant as its board. If a board is above the
    command, it means that board.
    """
    command = order.command
    is_shown = any(isinstance(one.command, Compare) for one in above)
    if isinstance(command, Propose) and command.board is None and not is_shown:
        return replace(order, command=replace(command, is_unread=True))
    return order


def _may_be_command(raw: str) -> bool:
    return len(raw) <= MAX_LINE_CHARS


def _without_game(line: str) -> str:
    return _GAME.sub("", line, count=1)


def _paragraph_from(number: int, lines: Sequence[str], found: _ParsedMail) -> Iterator[str]:
    """Yield the lines from a line to the end of its paragraph, in command form.

    A line that ends the commands of a mail and a board end the paragraph, too.
    """
    for at in range(number, min(len(lines), MAX_LINES)):
        line = _without_game(command_form(lines[at])) if _may_be_command(lines[at]) else ""
        if not line or _ends_commands(line) or found.begins_board(at):
            return
        yield line


def _ends_commands(line: str) -> bool:
    return line.lower().removeprefix("/") in STOPS


def _read_line(
    line: str, reader: Reader, first: bool, question_open: bool, names: Collection[str] = ()
) -> Command | NearMiss | None:
    answer = ANSWERS.get(line.lower().removeprefix("/"))
    if answer:
        return answer if first and question_open else None
    return (
        read_asked(line, partial(_read_keyword, reader=reader, first=first))
        or _read_keyword(line, reader, first)
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
            LineFault.TURN_WITH_MARK, clipped(meant.lower() if numbered else meant, MAX_REPEATED_LINE_CHARS)
        )
    # "PS: b4 is nice" is a postscript.
    return reading if numbered else None


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
