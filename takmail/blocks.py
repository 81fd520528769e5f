"""Define what a letter is made of: messages of the catalogue, in blocks.

The games, the answers and the news name messages; `letters` words them in the reader's language, and renders the blocks
as text and as HTML. Nothing here depends on a language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the catalogue: the name of its macro, and the macro's parameters.

    What each letter has (`opponent`, `service`, `address`, `today`) is no parameter here. A macro that declares it gets
    it.
    """

    name: str
    values: Mapping[str, object] = field(default_factory=dict)


def message(name: str, /, **values: object) -> Message:
    """Return a message. The name is written literally, so that a test can compare `values` with the macro."""
    return Message(name, values)


Text = Message | str
"""A message, or a text that no language words: a name, a turn, a line to type."""
Texts = Text | tuple[Text, ...]
"""A text, or some sentences."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences in one paragraph. A paragraph of one sentence that ends with a colon is the heading of what follows."""

    sentences: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that are not wrapped together, such as the two sides of a game."""

    lines: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Indented:
    """Indented lines, each wrapped, such as a list of turns."""

    lines: tuple[Texts, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list. Each entry has some sentences."""

    entries: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Lines to type, each with what it does, in one order or the other. A plain text is a line to type."""

    rows: tuple[tuple[Text, Texts], ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """Short texts in as many columns as fit, such as the legal moves of a stack."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that stay as they are: a board by the book, or a record."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of short texts below headings. The second column has names, and all others numbers."""

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Somebody's words, which nobody takes for takmail's own."""

    words: str


@dataclass(frozen=True, slots=True)
class Page:
    """A message of several paragraphs, such as a help page, in a small markup.

    A blank line ends a paragraph. Lines that begin with `- ` are entries of a list. Indented lines are `Columns` if two
    or more spaces separate their parts, otherwise `Indented`.
    """

    text: Message


@dataclass(frozen=True, slots=True)
class Small:
    """A line in small letters above what it is about, such as the line of a mail that is answered below it."""

    text: Text


@dataclass(frozen=True, slots=True)
class Link:
    """A web address. The HTML part shows the label in its place."""

    address: str
    label: Message


@dataclass(frozen=True, slots=True)
class Button:
    """Something to touch: the label, and the text of the mail that it opens."""

    label: Texts
    line: str


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons side by side. Only the HTML part has them."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class SmallButtons:
    """Buttons in as many rows as they need, such as the moves of a stack. Only the HTML part has them."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class SmallLinks:
    """Links in a line, for what can always be written. Only the HTML part has them."""

    links: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class TurnLinks:
    """Links in a line, each of which plays a turn: its label and the turn. Only the HTML part has them."""

    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """The line above the small print."""


class Side(Enum):
    """One of the two parts of a letter."""

    TEXT = auto()
    HTML = auto()


@dataclass(frozen=True, slots=True)
class Only:
    """Blocks that only one part of a letter has."""

    side: Side
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the HTML part draws itself, such as a board: `name` is its kind, and `subject` what is drawn.

    The text has nothing of it. Its board stands beside it, in a block `Only` for the text.
    """

    name: str
    subject: Any


@dataclass(frozen=True, slots=True)
class RenderedPiece:
    """What another letter would have said, rendered already: its text, and its HTML, '' if it has none."""

    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Section:
    """What a letter about several games says of one of them, below a heading that begins with the game's number.

    `opponent` is the opponent in it, as messages name them. What is touched opens a mail to `seat`, the reader's own
    (a `SeatRef`). If it `is_small`, its board is drawn small and can't be touched, and a link asks for it.
    """

    heading: Text
    opponent: str
    seat: Any
    blocks: "tuple[Block, ...]"
    link: "SmallLinks"
    is_small: bool = False


Block = (
    Paragraph
    | Lines
    | Indented
    | Items
    | Columns
    | Cells
    | Code
    | Sheet
    | Quote
    | Page
    | Small
    | Link
    | Buttons
    | SmallButtons
    | SmallLinks
    | TurnLinks
    | Rule
    | Only
    | Section
    | Drawing
    | RenderedPiece
)
Blocks = tuple[Block, ...]


def paragraph(*sentences: Text | None) -> Blocks:
    """Return a paragraph of these sentences, without those that are None; nothing if none is left."""
    kept = tuple([sentence for sentence in sentences if sentence is not None])
    return (Paragraph(kept),) if kept else ()


def buttons(*pairs: tuple[Texts, str]) -> Buttons:
    """Return buttons of labels and lines."""
    return Buttons(tuple(Button(label, line) for label, line in pairs))


def only_text(blocks: Iterable[Block]) -> Only:
    """Return blocks for the text alone."""
    return Only(Side.TEXT, tuple(blocks))


def only_html(blocks: Iterable[Block]) -> Only:
    """Return blocks for the HTML part alone."""
    return Only(Side.HTML, tuple(blocks))
