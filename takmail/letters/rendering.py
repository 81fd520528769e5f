"""Render both parts of a letter: the text, and the HTML part, which has the same words and boards to touch."""

from dataclasses import dataclass

from takmail.commands.kinds import LetterView
from takmail.letters.services import Services
from takmail.limits.letters import MAX_HTML_BYTES


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter's text, and its HTML part with the names of its pictures.

    `html` is None if the reader wants text only, or if it would exceed `MAX_HTML_BYTES`.
    """

    text: str
    html: str | None = None
    pictures: tuple[str, ...] = ()


def rendered_letter(
    services: Services, kind: str, view: LetterView, facts: dict[str, object]
) -> RenderedLetter:
    """Render a kind of letter in the format that its reader wants. `facts` are the parameters of its templates."""
    letter = services.templates.letter(kind, **facts)
    page = None if view is LetterView.TEXT else letter.page()
    if page is None or len(page.html) > MAX_HTML_BYTES:
        return RenderedLetter(letter.text)
    return RenderedLetter(letter.text, page.html, page.pictures)
