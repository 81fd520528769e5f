"""Render both parts of a letter: the text, and the HTML part, which has the same words and boards to touch."""

from dataclasses import dataclass

from takmail.letters.services import Services
from takmail.limits.letters import MAX_HTML_BYTES, MAX_PICTURES
from takmail.world import LetterView


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
    """Render a kind of letter in the format that its reader wants. `facts` are the parameters of its templates.

    If the HTML part is too long with several boards of pictures, only the last board has pictures.
    """
    writes_html = view is not LetterView.TEXT
    letter = services.templates.letter(kind, **facts, writes_html=writes_html)
    if writes_html:
        for most_boards in (MAX_PICTURES, 1):
            page = letter.page(most_boards)
            if len(page.html) <= MAX_HTML_BYTES:
                return RenderedLetter(letter.text, page.html, page.pictures)
    return RenderedLetter(letter.text)
