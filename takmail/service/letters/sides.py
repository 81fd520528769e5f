"""The two sides of a letter: its text, and the same in HTML with pictures."""

from dataclasses import dataclass

from takmail.mail.parts import Picture
from takmail.render.gallery import Gallery
from takmail.render.pages import Pictured
from takmail.service.desk import Desk
from takmail.store.tables import LetterView


@dataclass(frozen=True, slots=True)
class Sides:
    """A letter's text, and its HTML side with the pictures that it shows, None where its reader wants text alone."""

    text: str
    html: str | None = None
    pictures: tuple[Picture, ...] = ()


def sides(desk: Desk, kind: str, view: LetterView, message_id: str, facts: dict[str, object]) -> Sides:
    """Word a kind of letter as its reader wants to see it, with `facts` for its templates."""
    text = desk.templates.letter(kind, **facts)
    if view is LetterView.TEXT:
        return Sides(text)
    page = desk.templates.page_of(kind, cid=_cid(message_id), **facts)
    pictures = tuple(_drawn(desk.gallery, number, one) for number, one in enumerate(page.pictures, 1))
    return Sides(text, page.html, pictures)


def _drawn(gallery: Gallery, number: int, one: Pictured) -> Picture:
    if len(one.scenes) > 1:
        return Picture(one.cid, f"board{number}.gif", "gif", gallery.gif(one.scenes))
    return Picture(one.cid, f"board{number}.png", "png", gallery.png(one.scenes[0]))


def _cid(message_id: str) -> str:
    """What the Content-IDs of a letter's pictures end with: its own Message-ID's random part, and no token."""
    local, _, domain = message_id.strip("<>").partition("@")
    return f"{local.rpartition('.')[2]}@{domain}"
