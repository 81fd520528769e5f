"""Render both parts of a letter: the text, and the HTML part, which has the same words and boards to touch."""

from collections.abc import Mapping
from dataclasses import dataclass

from takmail.blocks import Blocks
from takmail.letters.catalogue import Speaker
from takmail.letters.mailto_links import MailtoLinks
from takmail.letters.services import Services
from takmail.letters.style import Style
from takmail.letters.text import as_text
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
    services: Services,
    blocks: Blocks,
    style: Style,
    common: Mapping[str, object],
    touch: MailtoLinks,
    subject: str,
) -> RenderedLetter:
    """Render a letter as its reader wants it. `common` are the parameters that all of its messages have.

    If the HTML part is too long with several boards of pictures, only the last board has pictures.
    """
    speaker = Speaker(services.templates.catalogue.words(style.language), common)
    text = as_text(blocks, speaker)
    if style.view is not LetterView.TEXT:
        for most_boards in (MAX_PICTURES, 1):
            page = services.templates.pages.page(
                blocks, speaker, services.wording, touch, subject, most_boards
            )
            if len(page.html) <= MAX_HTML_BYTES:
                return RenderedLetter(text, page.html, page.pictures)
    return RenderedLetter(text)
