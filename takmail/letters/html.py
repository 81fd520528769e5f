"""The HTML side of a letter: the same words as its text, with pictures of the boards and with links.

The templates of the text are filled in once more, in marks (`marks.py`), and `html/letter.html` frames what comes of
them. Only there are tags written, and Jinja2 escapes all that stands between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from takmail.games.picture import Scene
from takmail.letters import markup
from takmail.letters.markup import columns

MOST_BOARDS = 6
"""How many boards of a letter are drawn; of the others it has the rows alone."""


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture that a page shows: `cid` is the Content-ID by which it is found, without angle brackets.

    Of several scenes it is an animation.
    """

    cid: str
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The HTML side of a letter, and the pictures that it shows."""

    html: str
    pictures: tuple[Pictured, ...]


class Pages:
    """The templates of some folders, for HTML."""

    def __init__(self, *roots: Path) -> None:
        self._marking = _environment(roots, autoescape=False)
        self._marking.finalize = markup.unmarked
        self._marking.filters |= {
            "fill": markup.paragraphs,
            "barred": markup.words,
            "pre": markup.pre,
            "slot": markup.slot,
            "text_only": lambda _text: "",
            "linked": markup.linked,
        }
        self._framing = _environment(roots, autoescape=True)
        self._framing.filters["pictured"] = _pictured
        self._framing.filters["animated"] = _animated

    def page(self, kind: str, /, cid: str, **facts: object) -> Page:
        """The HTML side of a kind of letter; `cid` is what the Content-IDs of its pictures end with.

        The templates get what those of the text get, and `subject`. Raises jinja2's errors if one wants what it
        doesn't get.
        """
        slots: list[markup.Slot] = []
        marked = self._marking.get_template(f"{kind}/text.txt").render(slots=slots, **facts)
        pictures: list[Pictured] = []
        facts |= {"blocks": _drawable(tuple(markup.blocks(marked, slots))), "pictures": pictures, "cid": cid}
        return Page(self._framing.get_template("html/letter.html").render(facts), tuple(pictures))


def _drawable(blocks: Sequence[markup.Block]) -> tuple[markup.Block, ...]:
    """The blocks without pictures too many: the first ones are drawn and the last, which is how things stand now."""
    boards = [at for at, one in enumerate(blocks) if one.slot is not None and one.slot.name == "picture"]
    undrawn = set(boards[MOST_BOARDS - 1 : -1])
    return tuple(one for at, one in enumerate(blocks) if at not in undrawn)


def _environment(roots: Sequence[Path], *, autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(roots),
        auto_reload=False,  # or each use would look at the file
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["untabbed"] = str.expandtabs
    environment.filters["columns"] = columns
    return environment


@pass_context
def _pictured(context: Context, scene: Scene) -> str:
    """Take a scene for one of the page's pictures; gives the address to show it by."""
    return _animated(context, (scene,))


@pass_context
def _animated(context: Context, scenes: tuple[Scene, ...]) -> str:
    """Take scenes for one picture in which they follow each other; gives the address to show it by."""
    pictures: list[Pictured] = context["pictures"]
    one = Pictured(f"picture{len(pictures) + 1}.{context['cid']}", scenes)
    pictures.append(one)
    return f"cid:{one.cid}"
