"""Find the boards that a player typed or pasted between quoted lines, and combine each with the command above it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from takmail.commands.command import Arguments, LineFault, Order, Unclear
from takmail.commands.grammar.arguments import Compare
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import command_form, split_game
from takmail.commands.grammar.proposing import OTHER_ONE, SENDER, Propose, who_is_named
from takmail.games.interface import WrittenBoard
from takmail.limits.words import MAX_BOARD_COMMAND_CHARS, MAX_LINES, MAX_NAME_CHARS
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.quoted_blocks import MarkedLine, marked_lines
from takmail.world import PendingKind


def found_in(lines: Sequence[str], reader: LineReader) -> Sequence[WrittenBoard]:
    """Return the boards in these lines that can be compared with a game."""
    return [one for one in boards_in(lines, reader) if not one.lacks_spaces]


def boards_in(lines: Sequence[str], reader: LineReader) -> Sequence[WrittenBoard]:
    """Return all boards in these lines. Asterisks are removed, because Gmail marks bold text with them."""
    plain = [line.replace("*", "") for line in lines[:MAX_LINES]]
    return reader.find_boards(plain, frozenset(_lines_expecting_board(plain, reader)))


def _lines_expecting_board(lines: Sequence[str], reader: LineReader) -> Iterator[int]:
    """Yield the numbers of the lines below which a board is expected.

    Such a line is a command that takes a board, or it follows such a command and says whose turn it would be.
    """
    is_below = False
    for at, line in enumerate(lines):
        if _may_take_board(line, reader) or (is_below and whose_turn(command_form(line), reader)):
            is_below = True
            yield at
        elif line.strip():
            is_below = False


def _may_take_board(line: str, reader: LineReader) -> bool:
    """Tell whether a line is a command that takes a board."""
    if not any(word in line[:MAX_BOARD_COMMAND_CHARS].lower() for word in ("rs", "propose")):
        return False
    _, words = split_game(command_form(line[:MAX_BOARD_COMMAND_CHARS]).rstrip("? "))
    order = reader.parse(words, is_first=False)
    return order is not None and takes_board(order)


def takes_board(order: Order) -> bool:
    """Tell whether a board below a command belongs to it."""
    arguments = order.arguments
    is_open = arguments is None or (isinstance(arguments, Propose) and arguments.kind is PendingKind.BOARD)
    return order.command.takes_board and is_open


def with_board(above: Order, board: WrittenBoard) -> Arguments | None:
    """Return the arguments of the command above a board with that board added, None if the command takes no board."""
    if not takes_board(above):
        return None
    match above.arguments:
        case Propose(board=str()):
            return None
        case _ if board.lacks_spaces:
            return Unclear(LineFault.BOARD_SPACES)
        case Propose() as proposed:
            return replace(proposed, board=board.text, is_unread=False)
        case _:
            return Compare(board.text)


def whose_turn(line: str, reader: LineReader) -> str:
    """Return the words for the player to move in a line below `propose board`, '' if the line names no such player.

    A player's name needs "to move" or "'s turn" after it, because a name alone is a signature.
    """
    who = who_is_named(line)
    if reader.seat_named(who.lower()) is not None or who.lower() in ("me", "them"):
        return who
    if who == line or len(who) > MAX_NAME_CHARS:
        return ""
    is_name = " " not in who or all(word[:1].isupper() for word in who.split())
    return who if is_name or who.lower() in (*SENDER, *OTHER_ONE) else ""


_SEPARATORS = re.compile(r"[\s|/]+")
"""Characters between the spots and the rows of a board.

A letter has a bar before each line of chat, so bars count, too.
"""
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_WORDS_OF_LINE = 2
"""The minimum number of words by which an unchanged line is recognised as a line of a letter."""
_MIN_WORDS_REWRAPPED = 5
"""The minimum number of words by which part of a line is recognised after a mail program rewrapped the letter."""


def pasted_in_quotes(
    text: str, own: OwnAddress, reader: LineReader, answered: str | None, letters: Sequence[str]
) -> list[str]:
    """Return the boards in quoted lines that are not quoted from a letter of takmail, without quote markers.

    A board that is in the answered letter is quoted from it. A board that is in an older letter counts as quoted only
    if more of that letter, or a quote introduction, is around it. Otherwise it may come from the opponent's own
    program, which can show the same board.
    """
    quoted = marked_lines(text, own, keeps_ours=answered is not None)
    lines = [line.text for line in quoted]
    boards = found_in(lines, reader)
    taken = {number for one in boards for number in range(one.first, one.after)}
    around = [line for number, line in enumerate(quoted) if number not in taken and _words(line.text)]
    known = _without_separators(answered or "")
    foreign = (
        one
        for one in boards
        if _without_separators(one.text) not in known
        and not any(_is_quoted_from(one, quoted, around, letter) for letter in letters)
    )
    return ["\n".join(lines[one.first : one.after]) for one in foreign]


def _is_quoted_from(
    board: WrittenBoard, quoted: Sequence[MarkedLine], around: Iterable[MarkedLine], letter: str
) -> bool:
    """Tell whether a board is quoted from an older letter.

    Spaces and line breaks are ignored, because a mail program may rewrap a letter.
    """
    whole = _without_separators(letter)
    if _without_separators(board.text) not in whole:
        return False
    first = quoted[board.first]
    if first.is_introduced:
        return True
    lines = set(map(_without_separators, letter.splitlines()))
    nearby = [line.text for line in around if line.quote == first.quote]
    return any(
        _without_separators(text) in lines
        or (_words(text) >= _MIN_WORDS_REWRAPPED and _without_separators(text) in whole)
        for text in nearby
    )


def _words(line: str) -> int:
    """Return the number of words in a line, 0 if there are too few to identify a letter."""
    found = len(_WORD.findall(line))
    return found if found >= _MIN_WORDS_OF_LINE else 0


def _without_separators(text: str) -> str:
    return _SEPARATORS.sub("", text)
