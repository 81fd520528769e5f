"""Render both parts of a letter: the text, and the HTML part, which has the same words and pictures."""

from dataclasses import dataclass

from takmail.commands.kinds import LetterView
from takmail.letters.html import Page, Pictured
from takmail.letters.mailto_links import MailtoLinks
from takmail.letters.pictures.picture_cache import PictureCache
from takmail.letters.services import Services
from takmail.limits.letters import MAX_HTML_BYTES
from takmail.mail.letter_body import Picture


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter's text, and its HTML part with its pictures.

    `html` is None if the reader wants text only, or if it would exceed `MAX_HTML_BYTES` even without links.
    """

    text: str
    html: str | None = None
    pictures: tuple[Picture, ...] = ()


def rendered_letter(
    services: Services, kind: str, view: LetterView, message_id: str, facts: dict[str, object]
) -> RenderedLetter:
    """Render a kind of letter in the format that its reader wants. `facts` are the parameters of its templates."""
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
    """Return the HTML part with as many links to moves as `MAX_HTML_BYTES` allows, or None if it is too long."""
    links = facts.get("touch")
    tries = (
        ({**facts, "touch": fewer} for fewer in links.ever_fewer())
        if isinstance(links, MailtoLinks)
        else [facts]
    )
    pages = (services.templates.page_of(kind, cid=cid, **known) for known in tries)
    return next((one for one in pages if len(one.html.encode()) <= MAX_HTML_BYTES), None)


def _drawn(picture_cache: PictureCache, number: int, one: Pictured) -> Picture:
    if len(one.scenes) > 1:
        return Picture(one.cid, f"board{number}.gif", "gif", picture_cache.gif(one.scenes))
    return Picture(one.cid, f"board{number}.png", "png", picture_cache.png(one.scenes[0]))


def _cid(message_id: str) -> str:
    """Return the end of the Content-IDs of a letter's pictures. It has the Message-ID's random part, not its token."""
    local, _, domain = message_id.strip("<>").partition("@")
    return f"{local.rpartition('.')[2]}@{domain}"
