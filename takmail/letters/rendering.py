"""The two sides of a letter: its text, and the same in HTML with pictures."""

from dataclasses import dataclass

from takmail.commands.kinds import LetterView
from takmail.letters.html import Page, Pictured
from takmail.letters.mailto_links import MailtoLinks
from takmail.letters.pictures.picture_cache import PictureCache
from takmail.letters.services import Services
from takmail.mail.letter_body import Picture

MOST_BYTES = 60_000
"""How long an HTML side may be; Gmail cuts a letter off at about 100 KB."""


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter's text, and its HTML side with the pictures that it shows.

    There is no HTML side where the reader wants text alone, and where even without links it would be too long.
    """

    text: str
    html: str | None = None
    pictures: tuple[Picture, ...] = ()


def rendered_letter(
    services: Services, kind: str, view: LetterView, message_id: str, facts: dict[str, object]
) -> RenderedLetter:
    """Word a kind of letter as its reader wants to see it, with `facts` for its templates."""
    text = services.templates.letter(kind, **facts)
    if view is LetterView.TEXT:
        return RenderedLetter(text)
    page = _page(services, kind, _cid(message_id), facts)
    if page is None:
        return RenderedLetter(text)
    pictures = tuple(
        _drawn(services.picture_cache, number, one) for number, one in enumerate(page.pictures, 1)
    )
    return RenderedLetter(text, page.html, pictures)


def _page(services: Services, kind: str, cid: str, facts: dict[str, object]) -> Page | None:
    """The HTML side with as many links of moves as it stays short with, whatever else is in it."""
    links = facts.get("touch")
    tries = (
        ({**facts, "touch": fewer} for fewer in links.ever_fewer())
        if isinstance(links, MailtoLinks)
        else [facts]
    )
    pages = (services.templates.page_of(kind, cid=cid, **known) for known in tries)
    return next((one for one in pages if len(one.html.encode()) <= MOST_BYTES), None)


def _drawn(picture_cache: PictureCache, number: int, one: Pictured) -> Picture:
    if len(one.scenes) > 1:
        return Picture(one.cid, f"board{number}.gif", "gif", picture_cache.gif(one.scenes))
    return Picture(one.cid, f"board{number}.png", "png", picture_cache.png(one.scenes[0]))


def _cid(message_id: str) -> str:
    """What the Content-IDs of a letter's pictures end with: its own Message-ID's random part, and no token."""
    local, _, domain = message_id.strip("<>").partition("@")
    return f"{local.rpartition('.')[2]}@{domain}"
