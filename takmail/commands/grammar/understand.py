"""Parse what a player typed into orders and chat, line by line. `clerk` says what each line is.

A turn may continue on the next lines, and so may a reason. A board belongs to the command above it.
"""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, takewhile

from takmail.commands.command import Arguments, LineFault, Order, Unclear
from takmail.commands.grammar.answers import Expected, find_answer, read_answer
from takmail.commands.grammar.arguments import Compare, Play, Say
from takmail.commands.grammar.boards import boards_in, takes_board, whose_turn, with_board
from takmail.commands.grammar.clerk import as_arguments, read_line
from takmail.commands.grammar.descriptions import takes_back
from takmail.commands.grammar.line_reader import Reader
from takmail.commands.grammar.normalize import STOPS, command_form, plain, split_game, without_manners
from takmail.commands.grammar.proposing import Dispute, Propose
from takmail.games.interface import WrittenBoard
from takmail.limits.words import (
    MAX_BOARDS,
    MAX_CAREFUL_CHARS,
    MAX_CAREFUL_LINES,
    MAX_COMMANDS,
    MAX_LINE_CHARS,
    MAX_LINES,
    MAX_MOVE_CHARS,
    MAX_READ_REASON_CHARS,
    MAX_TURN_LINES,
)

_BID_BESIDE = re.compile(
    r"^([^\w\n]*(?:#?\d+ )?/?(?:new|challenge|invite|accept|join|re-?match)\b[^\n]*?) (?:(?:with|and|my|a|the|i) ){0,3}"
    r"bid(?: ?= ?(\S*)|(?: ?: ?| is | of | )([-+]?\d\S*))([^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
"""A command with which a game begins, and a bid beside it, such as `bid=4` or `with bid 4`."""


_MAX_TEXTS = 16
"""The maximum number of texts whose content is kept, as a mail that lacks something is decided anew."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The content of a mail: its orders, and everything else as chat with its paragraphs.

    A line that is probably an order, or an unclear answer, holds the chat of its mail back: `held` is the chat then,
    with these lines in it, and `beside` is the chat without them.
    """

    orders: tuple[Order, ...]
    chat: str
    held: str = ""
    beside: str = ""

    @property
    def says_yes(self) -> bool:
        """Whether the mail answers a question with `yes`."""
        return any(order.command.keyword == "yes" for order in self.orders)

    def without_answer(self) -> "Understood":
        """Return everything but the `yes` or `no` to a question."""
        orders = tuple(order for order in self.orders if not order.command.is_answer)
        return replace(self, orders=orders)


ANSWERS_NOTHING = Expected()
"""What the first line answers if nothing waits for an answer."""
NOTHING = Understood((), "")
"""The content of a mail without commands and chat."""


@lru_cache(_MAX_TEXTS)
def understand(
    text: str,
    reader: Reader,
    *,
    expected: Expected = ANSWERS_NOTHING,
    names: tuple[str, ...] = (),
) -> Understood:
    """Parse what a player typed, line by line.

    `expected` is what the first line may answer, and `names` are the players' names. A command after a name or a
    greeting is suggested and not carried out.
    """
    lines = _lines_of(text)
    typed = [line.raw if isinstance(line, _Line) else line for line in lines]
    careful = sum(1 for _ in takewhile(lambda line: isinstance(line, _Line) and line.is_careful, lines))
    answered = find_answer(typed[:careful], reader, expected, names)
    parts = deque(_parts(lines, {board.first: board for board in boards_in(typed, reader)}))
    mail = _ParsedMail(reader, names)
    while parts:
        match parts.popleft():
            case WrittenBoard() as board:
                mail.add_board(board)
            case str(raw):
                mail.add_chat(raw, raw)
            case _Line(index) as line if answered is not None and index == answered.index:
                mail.add_order(answered.order, line.raw)
                mail.holds_words = answered.is_unclear
                if answered.has_words and not answered.order.is_doubt:
                    mail.add_chat(line.raw, line.words)
            case _Line() as line:
                if mail.add_whose_turn(line.words):
                    continue
                if len(mail.orders) >= MAX_COMMANDS:
                    mail.add("", Unclear(LineFault.TOO_MANY, str(MAX_COMMANDS)))
                    break
                order, words = _read_order(line, parts, reader, names)
                if order is None or mail.continues(order, line.words):
                    mail.add_chat(line.raw, line.words)
                    continue
                mail.add_order(order, line.raw)
                if words:
                    mail.add_chat(words, words)
    return mail.understood()


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


_Part = WrittenBoard | _Line | str
"""A board, a line, or a line that is chat without being read: it is too long, or there are too many lines above it."""


@lru_cache(_MAX_TEXTS)
def _lines_of(text: str) -> tuple[_Line | str, ...]:
    """Return the lines of a mail above the one that ends it, such as `quit`. Those that are not read are plain text.

    A bid beside another command is a line of its own below it.
    """
    lines: list[_Line | str] = []
    is_first = True
    filled = characters = 0
    for index, raw in enumerate(_BID_BESIDE.sub(r"\1\4\nbid=\2\3", text).splitlines()):
        if index >= MAX_LINES or len(raw) > MAX_LINE_CHARS:
            lines.append(raw)
            is_first = False
            continue
        game, words = split_game(command_form(raw))
        if words.lower().removeprefix("/") in STOPS:
            break
        is_careful = filled < MAX_CAREFUL_LINES and characters < MAX_CAREFUL_CHARS
        lines.append(_Line(index, raw, game, words, is_first, is_careful))
        is_first = is_first and not words
        filled += bool(words)
        characters += len(words) if len(words) <= MAX_MOVE_CHARS else 0
    return tuple(lines)


def _parts(lines: Sequence[_Line | str], boards: Mapping[int, WrittenBoard]) -> Iterator[_Part]:
    """Yield the boards, given by the number of their first line, and the lines that are in no board."""
    board_ends = 0
    for number, line in enumerate(lines):
        if board := boards.get(number):
            board_ends = board.after
            yield board
        elif number >= board_ends:
            yield line


def named_games(text: str, reader: Reader) -> tuple[int, ...]:
    """Return the numbers of the games that commands name, as in `#12 draw`. "#1 fan of yours" is chat."""
    if "#" not in plain(text):
        return ()  # the usual case
    lines = (line for line in _lines_of(text) if isinstance(line, _Line))
    games = (line.game for line in lines if line.game is not None and _is_command(line, reader))
    return tuple(dict.fromkeys(games))


def _is_command(line: _Line, reader: Reader) -> bool:
    order = read_line(line.words, reader, is_first=line.is_first, is_careful=line.is_careful).order
    return order is not None or (line.is_first and read_answer(line.words) is not None)


@dataclass(slots=True)
class _ParsedMail:
    """The content of a mail as far as it is parsed.

    * `names` are the players' names
    * `chat` are the lines that are words, and `held` are these and the doubtful ones
    * `holds_words`: its chat is held back
    * `boards` is the number of boards
    * `open` is the last command if the next part may continue it. If it takes a board, blank lines may be between.
    """

    reader: Reader
    names: Collection[str]
    orders: list[Order] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    holds_words: bool = False
    boards: int = 0
    open: Order | None = None

    def add(self, line: str, arguments: Arguments, raw: str = "") -> None:
        """Add the command that has such arguments."""
        self.add_order(self.reader.commands.order(line, arguments), raw)

    def add_order(self, order: Order, raw: str = "") -> None:
        """Add a command. `raw` is its line as it was typed."""
        is_alone = not self.orders and not any(self.chat)
        is_open_reason = is_alone and isinstance(order.arguments, Dispute) and order.arguments.reason
        self.orders.append(order)
        self.open = order if is_open_reason or takes_board(order) else None
        if order.is_doubt:
            self.held.append(raw.strip())

    def continues(self, order: Order, words: str) -> bool:
        """Tell whether a line that only describes something goes on with a reason or a board, or takes a turn back.

        "On vacation" below other words asks takmail for nothing.
        """
        doubt = order.arguments
        if not isinstance(doubt, Unclear) or (doubt.is_turn and doubt.excludes_turns):
            return False
        if doubt.fault is LineFault.MISSING and any(
            without_manners(plain(line), self.names) for line in self.chat
        ):
            return True
        is_open = self.open is not None and isinstance(self.open.arguments, Dispute | Propose)
        return is_open or (not doubt.is_turn and bool(self._turns) and takes_back(words))

    def add_board(self, board: WrittenBoard) -> None:
        """Add a board to the command above it, or as a command of its own. Boards above the limit are only counted."""
        above, self.open = self.open, None
        self.boards += 1
        if self.boards > MAX_BOARDS:
            return
        if above and (whole := with_board(above, board)):
            self._replace_last(above.line, whole)
        else:
            self.add("", Unclear(LineFault.BOARD_SPACES) if board.lacks_spaces else Compare(board.text))

    def add_whose_turn(self, words: str) -> bool:
        """Add whose turn it would be to the proposed board above this line. Return False if it does not say that."""
        match self.open:
            case Order(line, arguments=Propose(whose=named) as proposed) if words:
                whose = whose_turn(words, self.reader)
                if whose and named.lower() in ("", whose.lower()):
                    self._replace_last(line, replace(proposed, whose=whose))
                    return True
        return False

    def add_chat(self, raw: str, words: str) -> None:
        """Add a line that is no command: to the reason above it, because mail programs wrap long lines, or as chat.

        Chat below `propose board` may be meant as its board, unless a board is above the command.
        """
        match self.open:
            case Order(line, arguments=Dispute(reason) as dispute) if words:
                if len(reason) < MAX_READ_REASON_CHARS:
                    more = plain(raw)
                    self._replace_last(f"{line} {more}", replace(dispute, reason=f"{reason} {more}"))
                return
            case Order(arguments=Dispute()):
                self.open = None
        if words and self._turns and takes_back(words):
            self.add(words, Unclear(LineFault.TAKEN_BACK, is_turn=True, excludes_turns=True), raw)
            return
        self.chat.append(raw.rstrip())
        self.held.append(raw.rstrip())
        if not words:
            return
        self.open = None
        match self.orders[-1:]:
            case [Order(arguments=Propose(board=None) as bare) as order] if not self.boards:
                self.orders[-1] = replace(order, arguments=replace(bare, is_unread=True))

    def _replace_last(self, line: str, arguments: Arguments) -> None:
        del self.orders[-1]
        self.add(line, arguments)

    @property
    def _turns(self) -> set[str]:
        return {order.arguments.text for order in self.orders if isinstance(order.arguments, Play)}

    def understood(self) -> Understood:
        """Return the content of the mail.

        If there are too many boards, only a fault is added after the other commands.
        """
        if self.boards > MAX_BOARDS:
            self.add("", Unclear(LineFault.MANY_BOARDS, str(MAX_BOARDS)))
        orders = tuple(self.orders)
        chat = re.sub(r"\n{3,}", "\n\n", "\n".join(self.chat)).strip()
        if self.holds_words or any(order.is_doubt and order.line for order in orders):
            return Understood(orders, "", "\n".join(self.held).strip(), chat)
        return Understood(orders, chat)


def _read_order(
    line: _Line, below: deque[_Part], reader: Reader, names: Collection[str]
) -> tuple[Order | None, str]:
    """Return the order that begins on a line, and the line's words for the other player.

    If the order is a turn, its other lines are removed from the parts below.
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


def _lines_of_paragraph(parts: Iterable[_Part]) -> Iterator[str]:
    """Yield the words of the lines up to the end of their paragraph. A board ends it, too."""
    for part in parts:
        if not isinstance(part, _Line) or not part.words:
            return
        yield part.words
