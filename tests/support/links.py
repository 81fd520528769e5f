"""The links in a letter's HTML side, and the mails that mail programs create from them."""

import re
from dataclasses import dataclass
from email.message import EmailMessage
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.players import Players, Received


@dataclass(frozen=True)
class Link:
    """A `mailto:` link as a program parses it, and its text for screen readers, or that of the picture in it."""

    name: str
    address: str
    subject: str
    body: str

    @property
    def words(self) -> str:
        return self.body.strip()


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._href = ""
        self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._href, self._name = dict(attrs)["href"] or "", ""
        if tag == "img":
            self._name += dict(attrs)["alt"] or ""

    def handle_data(self, data: str) -> None:
        self._name += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.found.append((self._href, self._name))


def hrefs(letter: Received) -> list[str]:
    """Return the links of a letter as written, with `&amp;` decoded."""
    return hrefs_in(letter.html)


def hrefs_in(html: str) -> list[str]:
    """Return the links of a page as written, with `&amp;` decoded."""
    parser = _Links()
    parser.feed(html)
    return [href for href, _ in parser.found]


def links(letter: Received) -> list[Link]:
    """Return the `mailto:` links of a letter, in order."""
    return links_in(letter.html)


def links_in(html: str) -> list[Link]:
    """Return the `mailto:` links of a page, in order."""
    parser = _Links()
    parser.feed(html)
    return [_read(href, " ".join(name.split())) for href, name in parser.found if href.startswith("mailto:")]


def on_board(letter: Received) -> dict[str, Link]:
    """Return the links of the squares of a letter's boards, by the lower-case names of the squares."""
    found = [one for one in links(letter) if re.match(r"[A-H][1-8]: ", one.name)]
    squares = {one.name[:2].lower(): one for one in found}
    assert len(squares) == len(found)
    return squares


def link(letter: Received, words: str) -> Link:
    """Return the only link that writes these words."""
    found = [one for one in links(letter) if one.words == words]
    assert len(found) == 1, (words, [one.words for one in links(letter)])
    return found[0]


def touched(harness: Players, who: str, one: Link, *, below: str = "", **how: object) -> EmailMessage:
    """Return the mail that a program creates for a link. `below` is text that the program adds."""
    mail = harness.mail(who, "", to=one.address, subject=one.subject, **how)  # type: ignore[arg-type]
    mail.set_content(one.body + below)
    return mail


def touch(harness: Players, who: str, one: Link, *, below: str = "", **how: object) -> list[Received]:
    """Follow a link and send its mail. Return the resulting letters."""
    return harness.deliver(touched(harness, who, one, below=below, **how).as_bytes())


def _read(href: str, name: str) -> Link:
    parts = urlsplit(href)
    fields = {key: values[0] for key, values in parse_qs(parts.query, strict_parsing=True).items()}
    return Link(name, unquote(parts.path), fields["subject"], fields["body"].replace("\r\n", "\n"))
