"""Render the HTML part of a letter, which has the same words as the text, and boards to touch.

The text templates are rendered a second time, with markers (`markup.py`). The template `html/letter.html` makes a page
of the result. Only that template writes tags, and Jinja2 escapes everything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from takmail.letters import markup
from takmail.letters.markup import columns
from takmail.limits.letters import MAX_PICTURES
from takmail.mail.letter_body import content_id


@dataclass(frozen=True, slots=True)
class Page:
    """The HTML part of a letter, in ASCII, and the names of the pictures in it."""

    html: str
    pictures: tuple[str, ...]


class Pages:
    """Renders HTML parts with the templates in some folders."""

    def __init__(self, *roots: Path) -> None:
        self._marked_templates = _environment(roots, autoescape=False)
        self._marked_templates.finalize = markup.unmarked
        self._marked_templates.filters |= {
            "fill": markup.paragraphs,
            "barred": markup.words,
            "pre": markup.pre,
            "slot": markup.slot,
            "text_only": lambda _text: "",
            "linked": markup.linked,
        }
        self._frame_templates = _environment(roots, autoescape=True)
        self._frame_templates.filters["pictured"] = _add_picture

    def page(self, kind: str, /, **facts: object) -> Page:
        """Render the HTML part of a kind of letter.

        The templates get the same facts as the text's templates, and `subject`. Raises jinja2's `UndefinedError` for a
        missing fact.
        """
        slots: list[markup.Slot] = []
        marked = self._marked_templates.get_template(f"{kind}/text.txt").render(slots=slots, **facts)
        pictures: dict[str, None] = {}
        facts |= {"blocks": _drawable_blocks(tuple(markup.blocks(marked, slots))), "pictures": pictures}
        html = self._frame_templates.get_template("html/letter.html").render(facts)
        return Page(html.encode("ascii", "xmlcharrefreplace").decode("ascii"), tuple(pictures))


def _drawable_blocks(blocks: Sequence[markup.Block]) -> tuple[markup.Block, ...]:
    """Let the boards above `MAX_PICTURES` be shown as text. The last one is always drawn, as it is the current one."""
    boards = [at for at, one in enumerate(blocks) if one.slot is not None and one.slot.name == "board"]
    undrawn = set(boards[MAX_PICTURES - 1 : -1])
    return tuple(_undrawn(one) if at in undrawn else one for at, one in enumerate(blocks))


def _undrawn(board: markup.Block) -> markup.Block:
    return replace(board, slot=board.slot and replace(board.slot, name="text_board"))


def _environment(roots: Sequence[Path], *, autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(roots),
        auto_reload=False,  # otherwise each use would check the file
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["untabbed"] = str.expandtabs
    environment.filters["columns"] = columns
    return environment


@pass_context
def _add_picture(context: Context, name: str) -> str:
    """Add a picture to those of the page, and return its URL (RFC 2392)."""
    pictures: dict[str, None] = context["pictures"]
    pictures[name] = None
    return f"cid:{content_id(name)}"
