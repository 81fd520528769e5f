"""Parse what a player typed into orders and chat, line by line. `clerk` says what each line is.

A turn may continue on the next lines, and so may a reason. A board belongs to the command above it.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, takewhile

from takmail.commands.advance_wrapped import with_branches_joined
from takmail.commands.bidding_lines import with_bids_below
from takmail.commands.command import Arguments, LineFault, Order, Unclear
from takmail.commands.grammar.answers import Expected, find_answer, read_answer
from takmail.commands.grammar.arguments import Compare, Play, Say
from takmail.commands.grammar.boards import boards_in, takes_board, whose_turn, with_board
from takmail.commands.grammar.clerk import read_line
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import (
    STOPS,
    as_typed,
    command_form,
    is_wrapped,
    plain,
    split_game,
    without_manners,
)
from takmail.commands.grammar.parts import OrderOrWords
from takmail.commands.grammar.proposing import Dispute, Propose
from takmail.commands.grammar.signatures import without_signature
from takmail.commands.grammar.understood import Understood
from takmail.commands.grammar.whole_line import as_arguments
from takmail.commands.grammar.whole_mail import names_whole_turn, read_as_whole
from takmail.games.interface import WrittenBoard
from takmail.limits.words import (
    MAX_BOARDS,
    MAX_CAREFUL_CHARS,
    MAX_CAREFUL_LINES,
    MAX_CHAT_CHARS,
    MAX_COMMANDS,
    MAX_LINE_CHARS,
    MAX_LINES,
    MAX_MOVE_CHARS,
    MAX_READ_REASON_CHARS,
    MAX_TURN_LINES,
)

_MAX_TEXTS = 16
"""The maximum number of texts whose content is kept, as a line is read again when it is offered."""


ANSWERS_NOTHING = Expected()
"""What the first line answers if nothing waits for an answer."""


@lru_cache(_MAX_TEXTS)
def understand(
    text: str,
    reader: LineReader,
    *,
    expected: Expected = ANSWERS_NOTHING,
    names: tuple[str, ...] = (),
) -> Understood:
    """Parse what a player typed, line by line.

    `expected` is what the first line may answer, and `names` are the players' names. A command after a name or a
    greeting is suggested and not carried out.
    """
    lines = _lines_of(text, reader)
    typed = [line.raw if isinstance(line, _Line) else line for line in lines]
    careful = sum(1 for _ in takewhile(lambda line: isinstance(line, _Line) and line.is_careful, lines))
    answered = find_answer(typed[:careful], reader, expected, names)
    pieces = deque(_pieces(lines, {board.first: board for board in boards_in(typed, reader)}))
    mail = _ParsedMail(reader, names)
    while pieces:
        match pieces.popleft():
            case WrittenBoard() as board:
                mail.add_board(board)
            case str(raw):
                mail.add_words(raw)
            case _Line(index) as line if answered is not None and index == answered.index:
                mail.add_order(answered.order, line.raw, is_unclear=answered.is_unclear)
                if answered.has_words and not answered.order.is_doubt:
                    mail.add_words(line.raw)
            case _Line() as line:
                if mail.add_whose_turn(line.words):
                    continue
                if mail.commands >= MAX_COMMANDS:
                    mail.add("", Unclear(LineFault.TOO_MANY, str(MAX_COMMANDS)))
                    break
                order, words = _read_order(line, pieces, reader, names)
                if order is None or mail.continues(order, line.words):
                    mail.add_words(line.raw)
                    continue
                mail.add_order(order, line.raw)
                if words:
                    mail.add_words(as_typed(words, line.raw), is_beside_order=True)
    people = (*names, expected.sender)
    return Understood(without_signature(read_as_whole(mail.finished(), reader, people), people))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may be a command.

    * `index` is its index among the lines of the mail
    * `game` is the number of a game at its beginning, None if there is none
    * `words` are the other words of the line, in command form
    * `is_first`: there are only blank lines above it
    * `is_careful`: more than an order in its exact form is looked for in it
    """

    index: int
    raw: str
    game: int | None
    words: str
    is_first: bool
    is_careful: bool


_Piece = WrittenBoard | _Line | str
"""A board, a line, or a line that is chat without being read: it is too long, or there are too many lines above it."""


@lru_cache(_MAX_TEXTS)
def _lines_of(text: str, reader: LineReader) -> tuple[_Line | str, ...]:
    """Return the lines of a mail above the one that ends it, such as `quit`. Those that are not read are plain text.

    A bid beside another command is a line of its own below it. All lines that are too many are one text.
    """
    lines: list[_Line | str] = []
    is_first = True
    filled = characters = 0
    typed = with_bids_below(with_branches_joined(text, reader.read_turn)).splitlines()
    for index, raw in enumerate(typed[:MAX_LINES]):
        if len(raw) > MAX_LINE_CHARS:
            lines.append(raw)
            is_first = False
            continue
        game, words = split_game(command_form(raw))
        if words.lower().removeprefix("/") in STOPS:
            break
        is_careful = filled < MAX_CAREFUL_LINES and max(characters, len(words)) < MAX_CAREFUL_CHARS
        lines.append(_Line(index, raw, game, words, is_first, is_careful))
        is_first = is_first and not words
        filled += bool(words)
        characters += len(words) if len(words) <= MAX_MOVE_CHARS else 0
    else:
        if len(typed) > MAX_LINES:
            lines.append("\n".join(typed[MAX_LINES:]))
    return tuple(lines)


def _pieces(lines: Sequence[_Line | str], boards: Mapping[int, WrittenBoard]) -> Iterator[_Piece]:
    """Yield the boards, given by the number of their first line, and the lines that are in no board."""
    board_ends = 0
    for number, line in enumerate(lines):
        if board := boards.get(number):
            board_ends = board.after
            yield board
        elif number >= board_ends:
            yield line


def named_games(text: str, reader: LineReader, *, is_careful: bool = True) -> tuple[int, ...]:
    """Return the numbers of the games that commands name, as in `#12 draw`. "#1 fan of yours" is chat.

    If it is not `is_careful`, only commands in their exact form do.
    """
    if "#" not in plain(text):
        return ()  # the usual case
    lines = (line for line in _lines_of(text, reader) if isinstance(line, _Line))
    games = (line.game for line in lines if line.game is not None and _is_command(line, reader, is_careful))
    return tuple(dict.fromkeys(games))


def _is_command(line: _Line, reader: LineReader, is_careful: bool) -> bool:
    is_careful = is_careful and line.is_careful
    order = read_line(line.words, reader, is_first=line.is_first, is_careful=is_careful).order
    return order is not None or (line.is_first and read_answer(line.words) is not None)


@dataclass(slots=True)
class _ParsedMail:
    """The parts of a mail as far as it is parsed, each read by itself.

    * `names` are the players' names
    * `commands` is the number of commands, and `boards` that of boards
    * `last` is the place of the last command among the parts
    * `open` is that command if the next part may continue it. If it takes a board, blank lines may be between.
    * `above` is the last line of that command as it was typed
    """

    reader: LineReader
    names: Collection[str]
    parts: list[OrderOrWords] = field(default_factory=list)
    commands: int = 0
    boards: int = 0
    last: int = 0
    open: Order | None = None
    above: str = ""

    def add(self, line: str, arguments: Arguments, raw: str = "") -> None:
        """Add the command that has such arguments."""
        self.add_order(self.reader.commands.order(line, arguments), raw)

    def add_order(self, order: Order, raw: str = "", *, is_unclear: bool = False) -> None:
        """Add a command. `raw` is its line as it was typed, and `is_unclear` that of `OrderOrWords`."""
        is_reason = isinstance(order.arguments, Dispute) and bool(order.arguments.reason)
        is_open_reason = is_reason and not any(part.order or part.raw for part in self.parts)
        self.commands, self.last = self.commands + 1, len(self.parts)
        self.parts.append(OrderOrWords(raw.strip(), order, is_unclear))
        is_open = is_open_reason or takes_board(order) or isinstance(order.arguments, Say)
        self.open, self.above = order if is_open else None, raw

    def continues(self, order: Order, words: str) -> bool:
        """Tell whether a line that only describes something goes on with a reason or a board.

        "On vacation" below other words asks takmail for nothing.
        """
        doubt = order.arguments
        if not isinstance(doubt, Unclear) or (doubt.is_turn and names_whole_turn(words, self.reader)):
            return False
        if doubt.fault is LineFault.MISSING and any(
            part.order is None and without_manners(plain(part.raw), self.names) for part in self.parts
        ):
            return True
        arguments = None if self.open is None else self.open.arguments
        return isinstance(arguments, Dispute | Propose) or (
            isinstance(arguments, Say) and is_wrapped(self.above, words)
        )

    def add_board(self, board: WrittenBoard) -> None:
        """Add a board to the command above it, or as a command of its own. Boards above the limit are only counted."""
        above, self.open = self.open, None
        self.boards += 1
        if self.boards > MAX_BOARDS:
            return
        if above and (whole := with_board(above, board)):
            self._replace_open(above.line, whole)
        else:
            self.add("", Unclear(LineFault.BOARD_SPACES) if board.lacks_spaces else Compare(board.text))

    def add_whose_turn(self, words: str) -> bool:
        """Add whose turn it would be to the proposed board above this line. Return False if it does not say that."""
        match self.open:
            case Order(line, arguments=Propose(whose=named) as proposed) if words:
                whose = whose_turn(words, self.reader)
                if whose and named.lower() in ("", whose.lower()):
                    self._replace_open(line, replace(proposed, whose=whose))
                    return True
        return False

    def add_words(self, raw: str, *, is_beside_order: bool = False) -> None:
        """Add a line that is no command: to the reason above it, because mail programs wrap long lines, or as words.

        Words below `propose board` may be meant as its board, unless a board is above the command.
        """
        is_blank, more = not raw.strip(), plain(raw)
        match self.open:
            case Order(line, arguments=Dispute(reason) as dispute) if not is_blank:
                if len(reason) < MAX_READ_REASON_CHARS:
                    self._replace_open(f"{line} {more}", replace(dispute, reason=f"{reason} {more}"))
                return
            case Order(line, arguments=Say(words)) if is_wrapped(self.above, raw):
                if len(words) <= MAX_CHAT_CHARS:
                    self._replace_open(f"{line} {more}", Say(f"{words} {more}"))
                self.above = raw
                return
            case Order(arguments=Dispute() | Say()):
                self.open = None
        self.parts.append(OrderOrWords(raw.rstrip(), is_beside_order=is_beside_order))
        if is_blank:
            return
        self.open = None
        if self.commands and not self.boards:
            place = self.last
            match self.parts[place].order:
                case Order(arguments=Propose(board=None) as proposed) as order:
                    unread = replace(order, arguments=replace(proposed, is_unread=True))
                    self.parts[place] = replace(self.parts[place], order=unread)

    def _replace_open(self, line: str, arguments: Arguments) -> None:
        """Replace the last command, which is open, by one with other arguments."""
        place = self.last
        above = self.parts.pop(place)
        self.commands -= 1
        self.add(line, arguments, above.raw)
        self.parts.insert(place, self.parts.pop())
        self.last = place

    def finished(self) -> tuple[OrderOrWords, ...]:
        """Return the parts. If there are too many boards, only a fault is added after the other commands."""
        if self.boards > MAX_BOARDS:
            self.add("", Unclear(LineFault.MANY_BOARDS, str(MAX_BOARDS)))
        return tuple(self.parts)


def _read_order(
    line: _Line, below: deque[_Piece], reader: LineReader, names: Collection[str]
) -> tuple[Order | None, str]:
    """Return the order that begins on a line, and the line's words for the other player.

    If the order is a turn, its other lines are removed from the pieces below.
    """
    read = read_line(line.words, reader, is_first=line.is_first, names=names, is_careful=line.is_careful)
    order = read.order
    if order is None:
        return None, line.raw
    if isinstance(order.arguments, Dispute | Say):
        # a closing mark belongs to the text of a reason or chat
        order = reader.parse(split_game(plain(line.raw))[1], is_first=line.is_first) or order
    is_turn = isinstance(order.arguments, Play) or (
        isinstance(order.arguments, Unclear) and order.arguments.is_turn
    )
    if is_turn and not read.words:
        whole = [line.words, *islice(_lines_of_paragraph(below), MAX_TURN_LINES - 1)]
        reading, taken = reader.read_lines(whole)
        if taken > 1:
            for _ in range(1, taken):
                below.popleft()
            turn = as_arguments(reading)
            if turn is not None:
                order = reader.commands.order("", turn)
            return replace(order, line=" ".join(whole[:taken])), ""
    # The words keep the marks at their end.
    typed = line.raw[line.raw.rfind(read.words) :].strip() if read.words in line.raw else read.words
    return order, read.words if typed.endswith(")") else typed


def _lines_of_paragraph(pieces: Iterable[_Piece]) -> Iterator[str]:
    """Yield the words of the lines up to the end of their paragraph. A board ends it, too."""
    for piece in pieces:
        if not isinstance(piece, _Line) or not piece.words:
            return
        yield piece.words
