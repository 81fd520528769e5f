"""Render the HTML part of a letter, which has the same words as the text, and also pictures of boards and links.

The text templates are rendered a second time, with markers (`markup.py`). The template `html/letter.html` makes a page
of the result. Only that template writes tags, and Jinja2 escapes everything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from takmail.games.picture import Scene
from takmail.letters import markup
from takmail.letters.markup import columns
from takmail.limits.letters import MAX_PICTURES


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture in a page. `cid` is its Content-ID, without angle brackets. Several scenes form an animation."""

    cid: str
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The HTML part of a letter, and its pictures."""

    html: str
    pictures: tuple[Pictured, ...]


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
        self._frame_templates.filters["animated"] = _add_animation

    def page(self, kind: str, /, cid: str, **facts: object) -> Page:
        """Render the HTML part of a kind of letter. The Content-IDs of its pictures end with `cid`.

        The templates get the same facts as the text's templates, and `subject`. Raises jinja2's `UndefinedError` for a
        missing fact.
        """
        slots: list[markup.Slot] = []
        marked = self._marked_templates.get_template(f"{kind}/text.txt").render(slots=slots, **facts)
        pictures: list[Pictured] = []
        facts |= {
            "blocks": _drawable_blocks(tuple(markup.blocks(marked, slots))),
            "pictures": pictures,
            "cid": cid,
        }
        return Page(self._frame_templates.get_template("html/letter.html").render(facts), tuple(pictures))


def _drawable_blocks(blocks: Sequence[markup.Block]) -> tuple[markup.Block, ...]:
    """Drop the pictures above `MAX_PICTURES`. The last board always stays, as it is the current position."""
    boards = [at for at, one in enumerate(blocks) if one.slot is not None and one.slot.name == "picture"]
    undrawn = set(boards[MAX_PICTURES - 1 : -1])
    return tuple(one for at, one in enumerate(blocks) if at not in undrawn)


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
def _add_picture(context: Context, scene: Scene) -> str:
    """Add a scene to the page's pictures, and return its `cid:` URL."""
    return _add_animation(context, (scene,))


@pass_context
def _add_animation(context: Context, scenes: tuple[Scene, ...]) -> str:
    """Add an animation to the page's pictures, and return its `cid:` URL."""
    pictures: list[Pictured] = context["pictures"]
    one = Pictured(f"picture{len(pictures) + 1}.{context['cid']}", scenes)
    pictures.append(one)
    return f"cid:{one.cid}"
