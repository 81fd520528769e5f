"""The board of a letter: pictures in the HTML part, rows of letters in the text."""

from takmail.blocks import Blocks, Code, Drawing, Lines, only_text, paragraph
from takmail.letters.reader import Reader


def board(reader: Reader, *, begins: bool = False) -> Blocks:
    """Return the board shown, between the lines of its two sides. A game without a board shows who plays which side.

    `begins`: the board is the first thing in the text, by the book, and both sides are below it.
    """
    if reader.game.is_relay and reader.game.state is None:
        return reader.wording.players(reader.game)
    return Drawing("board", reader.game), only_text(board_in_text(reader, begins=begins))


def board_in_text(reader: Reader, *, begins: bool = False) -> Blocks:
    """Return the board shown as it is in the text, with the lines of its two sides. `begins` is as in `board`."""
    seen, wording = reader.game, reader.wording
    theirs, yours = wording.side_line(seen, seen.you.other), wording.side_line(seen, seen.you)
    rows = (board_rows(reader), *paragraph(*wording.orientation))
    return (*rows, Lines((theirs, yours))) if begins else (*paragraph(theirs), *rows, *paragraph(yours))


def board_rows(reader: Reader) -> Code:
    """Return the rows of the board shown, with the names of its columns below them."""
    return Code((*reader.game.board, *reader.wording.columns(reader.game.facts)))
