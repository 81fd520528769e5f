"""Render letters: the text, and the HTML part, which has the same words as the text, and boards to touch.

`markup.py` says how both are made of one rendering. The template `html/letter.html` makes the page. Only that template
and those that it includes write tags. Jinja2 escapes everything else, except in the table of a board: nothing in it is
a player's.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from takmail.commands.view import View
from takmail.games.grid import Cell
from takmail.letters import markup
from takmail.letters.environment import environment
from takmail.letters.layout import unbroken
from takmail.limits.letters import MAX_PICTURES
from takmail.mail.letter_body import content_id


@dataclass(frozen=True, slots=True)
class MarkedLetter:
    """A letter that is rendered, from which both parts are made. `facts` are the parameters of its templates."""

    marked: str
    slots: tuple[markup.Slot, ...]
    facts: Mapping[str, object]
    frame: Environment

    @property
    def text(self) -> str:
        """The text, with a newline at the end."""
        return markup.text_of(self.marked) + "\n"

    def page(self, most_boards: int = MAX_PICTURES) -> "Page":
        """Return the HTML part with at most this many boards of pictures.

        The templates in `html/` get the letter's facts, among them `subject`.
        """
        pictures: dict[str, None] = {}
        blocks = _drawable_blocks(tuple(markup.blocks(self.marked, self.slots)), most_boards)
        template = self.frame.get_template("html/letter.html")
        html = template.render({**self.facts, "blocks": blocks, "pictures": pictures})
        return Page(html.encode("ascii", "xmlcharrefreplace").decode("ascii"), tuple(pictures))


@dataclass(frozen=True, slots=True)
class Page:
    """The HTML part of a letter, in ASCII, and the names of the pictures in it."""

    html: str
    pictures: tuple[str, ...]


def letter_environment(roots: Sequence[Path]) -> Environment:
    """Return the templates of letters in some folders, which mark what they write."""
    letters = environment(roots, autoescape=False)
    letters.finalize = markup.unmarked
    letters.globals["writes_html"] = True
    letters.filters |= {
        "fill": markup.paragraphs,
        "item": markup.item,
        "barred": markup.words,
        "pre": markup.pre,
        "slot": markup.slot,
        "text_only": markup.text_only,
        "html_only": markup.html_only,
        "linked": markup.linked,
        "unbroken": unbroken,
    }
    return letters


def frame_environment(roots: Sequence[Path]) -> Environment:
    """Return the templates of HTML parts in some folders, with the filter `pictured`."""
    frame = environment(roots, autoescape=True)
    frame.filters["pictured"] = _add_picture
    frame.filters["filled"] = _fill_cells
    frame.filters["pre"] = str
    return frame


def marked_letter(
    letters: Environment, frame: Environment, kind: str, facts: Mapping[str, object]
) -> MarkedLetter:
    """Render a kind of letter. Raises jinja2's `UndefinedError` for a missing fact.

    If only the text is made of the letter, `facts` may have a false `writes_html`, which saves the rest of the work.
    """
    slots: list[markup.Slot] = []
    marked = letters.get_template(f"{kind}/text.txt").render({**facts, "slots": slots})
    return MarkedLetter(marked, tuple(slots), facts, frame)


def _drawable_blocks(blocks: Sequence[markup.Block], most_boards: int) -> tuple[markup.Block, ...]:
    """Let the boards above `most_boards` be shown as text. The current board is the first to be drawn."""
    boards = [at for at, one in enumerate(blocks) if one.slot is not None and one.slot.name == "board"]
    boards.sort(key=lambda at: not _is_current(blocks[at]))
    undrawn = set(boards[most_boards:])
    return tuple(_undrawn(one) if at in undrawn else one for at, one in enumerate(blocks))


def _is_current(board: markup.Block) -> bool:
    return board.slot is not None and isinstance(board.slot.it, View) and board.slot.it.is_current


def _undrawn(board: markup.Block) -> markup.Block:
    return replace(board, slot=board.slot and replace(board.slot, name="text_board"))


@pass_context
def _add_picture(context: Context, name: str) -> str:
    """Add a picture to those of the page, and return its URL (RFC 2392)."""
    return _picture_url(context["pictures"], name)


def _picture_url(pictures: dict[str, None], name: str) -> str:
    pictures[name] = None
    return f"cid:{content_id(name)}"


@pass_context
def _fill_cells(
    context: Context,
    cells: Collection[Cell | None],
    links: Mapping[str, str],
    patterns: tuple[str, str, str],
    words: Callable[[str], str],
) -> str:
    """Return cells of a board in HTML, and add their pictures to those of the page.

    `links` are the links by place. `patterns` are those of a cell without a link, of a cell with one, and of a hole.
    `words` is the macro that words what stands on a place.
    """
    plain, linked, hole = patterns
    pictures: dict[str, None] = context["pictures"]
    contents = {one.content for one in cells if one is not None}
    worded = {content: words(content).strip() for content in contents}
    return "".join(
        hole
        if one is None
        else (linked if one.place in links else plain)
        % {
            "color": one.color,
            "href": links.get(one.place, "").replace("&", "&amp;"),
            "url": _picture_url(pictures, one.picture),
            "place": one.place.upper(),
            "content": worded[one.content],
        }
        for one in cells
    )
