"""Render blocks as the HTML part of a letter: the same words as in the text, and boards to touch.

Only the templates in `templates/html/` write tags. Jinja2 escapes everything else, except in the table of a board:
nothing in it is a player's.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from takmail.blocks import (
    Block,
    Button,
    Buttons,
    Cells,
    Code,
    Columns,
    Drawing,
    Indented,
    Items,
    Lines,
    Link,
    Only,
    Page,
    Paragraph,
    Quote,
    RenderedPiece,
    Rule,
    Section,
    Sheet,
    Side,
    Small,
    SmallButtons,
    SmallLinks,
    TurnLinks,
)
from takmail.commands.view import View
from takmail.games.grid import Cell, Grid
from takmail.games.interface import Seat, State
from takmail.games.teaching import Lesson, ShownAnswer, ShownLesson
from takmail.games.wording import Wording
from takmail.letters.catalogue import UNBROKEN, Speaker, page_blocks
from takmail.letters.mailto_links import MailtoLinks
from takmail.letters.text import in_columns, own_words, width
from takmail.limits.letters import MAX_LINK_CHARS, MOST_BOARDS, MostBoards
from takmail.mail.letter_body import content_id

_SENTENCE = re.compile(r"(.+?(?:\.(?= )|[。！？])) ?")
_SHORTEST_HEADLINE, _LONGEST_HEADLINE = 14, 125
"""The widths, in columns, of a first sentence that is a headline."""
_LONGEST_HEADING = 80
_KINDS: Mapping[type[Block], str] = {
    Lines: "lines",
    Indented: "indented",
    Items: "items",
    Buttons: "buttons",
    SmallButtons: "small_buttons",
    SmallLinks: "links",
}
"""The kind of part that a block is which only has its texts, or its buttons."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The HTML part of a letter, in ASCII, and the names of the pictures in it."""

    html: str
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block as the template shows it: its kind, and its lines in words or what else the kind has."""

    kind: str
    content: Any


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board between the lines of its two sides. `is_drawn`: its places are pictures, and not letters.

    `links` are the links of its places by their names. `cell` says what stands on a place, '' if nothing needs to be
    said. Nothing stands above the board if `above` is ''. `is_small`: it is drawn at half its size.
    """

    grid: Grid | None
    links: Mapping[str, str]
    you: Seat
    above: str
    below: str
    rows: tuple[str, ...]
    cell: Callable[[str], str]
    is_current: bool = True
    is_drawn: bool = True
    is_small: bool = False


class Pages:
    """The templates of HTML parts, compiled once."""

    def __init__(self, *roots: Path) -> None:
        frame = Environment(
            loader=FileSystemLoader(roots),
            auto_reload=False,  # otherwise each use would check the file
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        frame.filters |= {"pictured": _add_picture, "filled": _fill_cells, "linked": _fill_links}
        self._page = frame.get_template("html/letter.html")

    def page(
        self,
        blocks: Iterable[Block],
        speaker: Speaker,
        wording: Callable[[str], Wording],
        touch: MailtoLinks,
        subject: str,
        most: MostBoards = MOST_BOARDS[0],
    ) -> HtmlPage:
        """Return the HTML part with at most this many boards of pictures, and sections to touch.

        `wording` returns the words of a game by its name. `touch` makes the links.
        """
        pictures: dict[str, None] = {}
        shown = _untouched_after(blocks, most.touched)
        parts = _drawable(_with_headline(list(_shown_blocks(shown, speaker, wording, touch))), most.pictures)
        html = self._page.render(
            language=speaker.words.language,
            subject=subject,
            parts=parts,
            pictures=pictures,
            is_piece=False,
        ).replace(UNBROKEN, " ")
        return HtmlPage(html.encode("ascii", "xmlcharrefreplace").decode("ascii"), tuple(pictures))

    def fragment(
        self,
        blocks: Iterable[Block],
        speaker: Speaker,
        wording: Callable[[str], Wording],
        touch: MailtoLinks,
    ) -> str:
        """Return a piece of an HTML part, which a letter has as `RenderedPiece`. Its boards are drawn with letters."""
        parts = _drawable(list(_shown_blocks(blocks, speaker, wording, touch)), 0)
        html = self._page.render(
            parts=parts, pictures={}, is_piece=True, language=speaker.words.language, subject=""
        ).replace(UNBROKEN, " ")
        return html.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _untouched_after(blocks: Iterable[Block], most: int) -> Iterator[Block]:
    """Yield blocks, of which only so many sections can be touched."""
    touched = 0
    for block in blocks:
        if isinstance(block, Section):
            touched += 1
            yield replace(block, is_small=touched > most)
        else:
            yield block


def _shown_blocks(
    blocks: Iterable[Block], speaker: Speaker, wording: Callable[[str], Wording], touch: MailtoLinks | None
) -> Iterator[ShownBlock]:
    """Yield blocks as the template shows them. Nothing can be touched without the links (`touch`)."""
    for block in blocks:
        match block:
            case Paragraph(sentences):
                text = speaker.text(sentences)
                is_heading = speaker.is_heading(block) and width(text) < _LONGEST_HEADING
                yield ShownBlock("heading" if is_heading else "paragraph", text)
            case Lines(texts) | Indented(texts) | Items(texts):
                yield ShownBlock(_KINDS[type(block)], tuple(map(speaker.text, texts)))
            case Columns(rows):
                typed = tuple((speaker.typed(line), speaker.typed(meaning)) for line, meaning in rows)
                yield ShownBlock("columns", typed)
            case Cells(texts):
                yield ShownBlock("code", tuple(in_columns(texts).split("\n")))
            case Code(lines):
                yield ShownBlock("code", tuple(line.rstrip() for line in lines))
            case Sheet(head, rows):
                yield ShownBlock("sheet", [tuple(map(speaker.text, row)) for row in (head, *rows)])
            case Quote(words):
                yield ShownBlock("words", tuple(own_words(words).split("\n")))
            case Page(page):
                yield from _shown_blocks(
                    page_blocks(speaker.words, page, speaker.common), speaker, wording, touch
                )
            case Small(line):
                yield ShownBlock("small", speaker.text(line))
            case Link(address, label):
                yield ShownBlock("link", (address, speaker.text(label)))
            case Buttons(buttons) | SmallButtons(buttons) | SmallLinks(buttons) if touch is not None:
                yield ShownBlock(_KINDS[type(block)], _touched(buttons, speaker, touch))
            case TurnLinks(turns) if touch is not None:
                hrefs = touch.turns([turn for _, turn in turns])
                labelled = [(label, href) for (label, _), href in zip(turns, hrefs, strict=True)]
                yield ShownBlock("turns", labelled)
            case Rule():
                yield ShownBlock("rule", None)
            case RenderedPiece(text, html):
                lines = tuple(text.rstrip("\n").split("\n"))
                yield ShownBlock("piece", html) if html else ShownBlock("lines", lines)
            case Section():
                yield from _section(block, speaker, wording, touch)
            case Only(Side.HTML, inner):
                yield from _shown_blocks(inner, speaker, wording, touch)
            case Drawing():
                yield from _drawing(block, speaker, wording, touch)


def _section(
    section: Section, speaker: Speaker, wording: Callable[[str], Wording], touch: MailtoLinks | None
) -> Iterator[ShownBlock]:
    """Yield what a letter says of one of several games, as the template shows it."""
    assert touch is not None
    assert touch.to_seat is not None
    to_seat, about = touch.to_seat(section.seat), speaker.about(section.opponent)
    yield ShownBlock("heading", speaker.text(section.heading))
    yield from _shown_blocks(section.blocks, about, wording, None if section.is_small else to_seat)
    yield from _shown_blocks((section.link,) if section.is_small else (), about, wording, to_seat)


def _drawing(
    drawing: Drawing, speaker: Speaker, wording: Callable[[str], Wording], touch: MailtoLinks | None
) -> Iterator[ShownBlock]:
    """Yield a drawing as the template shows it."""
    match drawing:
        case Drawing("board", view):
            yield ShownBlock("board", _drawn(view, speaker, wording(view.game.record.kind), touch))
        case Drawing("marked board", (view, grid)):
            drawn = _drawn(view, speaker, wording(view.game.record.kind), touch)
            yield ShownBlock("board", replace(drawn, grid=grid))
        case Drawing("lesson", shown) if touch is not None:
            yield ShownBlock("board", _drawn_lesson(shown, speaker, wording(shown.game), touch))
        case Drawing("standings", (table, alt)):
            yield ShownBlock("standings", (table, speaker.text(alt)))
        case Drawing("lesson answer", shown):
            yield ShownBlock("board", _drawn_answer(shown, speaker, wording(shown.game)))


def _touched(
    buttons: tuple[Button, ...], speaker: Speaker, touch: MailtoLinks
) -> tuple[tuple[str, str], ...]:
    """Return the words and the URL of each button."""
    return tuple((speaker.text(button.label), touch.link(speaker.typed(button.line))) for button in buttons)


def _drawn(view: View, speaker: Speaker, wording: Wording, touch: MailtoLinks | None) -> Drawn:
    above, below = (speaker.text(wording.side_line(view, seat)) for seat in (view.near.other, view.near))
    rows = (*view.shown.board, *wording.columns(view.shown.facts))
    return Drawn(
        view.shown.grid,
        {} if touch is None else touch.board(view.touches),
        view.near,
        above,
        below,
        rows,
        _brief_words if touch is None or touch.most_chars < MAX_LINK_CHARS else _cell_words(speaker, wording),
        is_current=view.shown.is_current,
        is_small=touch is None,
    )


def _drawn_lesson(shown: ShownLesson, speaker: Speaker, wording: Wording, touch: MailtoLinks) -> Drawn:
    drawn = _drawn_state(shown.lesson, shown.lesson.state, None, speaker, wording)
    return replace(
        drawn, links={place: touch.link(speaker.typed(line)) for place, line in shown.lines.items()}
    )


def _drawn_answer(shown: ShownAnswer, speaker: Speaker, wording: Wording) -> Drawn:
    answer = shown.answer
    assert answer.state is not None
    drawn = _drawn_state(shown.lesson, answer.state, answer.turn, speaker, wording)
    return replace(drawn, is_current=False)


def _drawn_state(lesson: Lesson, state: State, last: str | None, speaker: Speaker, wording: Wording) -> Drawn:
    rows = (*state.board(), *wording.columns(state.facts()))
    below = speaker.text(wording.lesson_side(lesson))
    you = lesson.state.to_move
    return Drawn(state.grid(last), {}, you, "", below, rows, _cell_words(speaker, wording))


def _cell_words(speaker: Speaker, wording: Wording) -> Callable[[str], str]:
    return lambda content: speaker.text(wording.cell(content))


def _brief_words(content: str) -> str:
    """Return what stands on a place in letters. Where nothing stands, nothing is said."""
    return content


def _with_headline(parts: list[ShownBlock]) -> list[ShownBlock]:
    """Let the first sentence of a letter be its headline, unless it is long. A very short one takes the next along."""
    for at, part in enumerate(parts):
        if part.kind in ("paragraph", "heading"):
            first, rest = _first_sentence(part.content)
            if rest and width(first) < _SHORTEST_HEADLINE:
                _, rest = _first_sentence(rest)
                first = part.content[: len(part.content) - len(rest)].rstrip()
            if width(first) < _LONGEST_HEADLINE:
                below = [ShownBlock("paragraph", rest)] if rest else []
                return [*parts[:at], ShownBlock("headline", first), *below, *parts[at + 1 :]]
        if part.kind != "small":
            break
    return parts


def _first_sentence(text: str) -> tuple[str, str]:
    """Return the first sentence of a paragraph, and the rest of it."""
    found = _SENTENCE.match(text)
    return (text, "") if found is None else (found[1], text[found.end() :])


def _drawable(parts: Sequence[ShownBlock], most_boards: int) -> list[ShownBlock]:
    """Let the boards above `most_boards` be shown as text. The current board is the first to be drawn."""
    boards = [at for at, part in enumerate(parts) if part.kind == "board"]
    boards.sort(key=lambda at: not parts[at].content.is_current)
    undrawn = set(boards[most_boards:])
    return [
        replace(part, content=replace(part.content, is_drawn=False)) if at in undrawn else part
        for at, part in enumerate(parts)
    ]


@pass_context
def _add_picture(context: Context, name: str) -> str:
    """Add a picture to those of the page, and return its URL (RFC 2392)."""
    return _picture_url(context["pictures"], name)


def _picture_url(pictures: dict[str, None], name: str) -> str:
    pictures[name] = None
    return f"cid:{content_id(name)}"


def _fill_links(links: Collection[tuple[str, str]], pattern: str, between: str) -> str:
    """Return links in HTML, without Jinja2, as that takes long for many. `links` are the words and the URL of each."""
    words = escape("\n".join([words for words, _ in links])).split("\n")
    filled = [pattern % {"href": href, "words": said} for (_, href), said in zip(links, words, strict=True)]
    return between.join(filled)


@pass_context
def _fill_cells(
    context: Context,
    cells: Collection[Cell | None],
    links: Mapping[str, str],
    patterns: tuple[str, str, str],
    color: str,
    words: Callable[[str], str],
    colon: str,
) -> str:
    """Return cells of a board in HTML, and add their pictures to those of the page.

    `links` are the links by place. `patterns` are those of a cell without a link, of a cell with one, and of a hole.
    `color` is that of the table, which cells don't repeat. `words` says what stands on a place,
    behind a `colon`.
    """
    plain, linked, hole = patterns
    pictures: dict[str, None] = context["pictures"]
    contents = {cell.content for cell in cells if cell is not None}
    worded = {content: (said := words(content)) and f"{colon}{said}" for content in contents}
    return "".join(
        hole
        if cell is None
        else (linked if cell.place in links else plain)
        % {
            "color": "" if cell.color == color else f' bgcolor="{cell.color}"',
            "href": links.get(cell.place, ""),
            "url": _picture_url(pictures, cell.picture),
            "place": cell.place.upper(),
            "content": worded[cell.content],
        }
        for cell in cells
    )
