"""The links of a letter's HTML side, and the mails that people's programs make of them."""

from dataclasses import dataclass
from email.message import EmailMessage
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.players import Players, Received


@dataclass(frozen=True)
class Link:
    """A `mailto:` link as a program reads it, and what a screen reader says of it."""

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

    def handle_data(self, data: str) -> None:
        self._name += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.found.append((self._href, self._name))


def hrefs(letter: Received) -> list[str]:
    """The links as they are written, their `&amp;` read."""
    parser = _Links()
    parser.feed(letter.html)
    return [href for href, _ in parser.found]


def links(letter: Received) -> list[Link]:
    """The `mailto:` links of a letter, in order."""
    return links_in(letter.html)


def links_in(html: str) -> list[Link]:
    """The `mailto:` links of a page, in order."""
    parser = _Links()
    parser.feed(html)
    return [_read(href, " ".join(name.split())) for href, name in parser.found if href.startswith("mailto:")]


def link(letter: Received, words: str) -> Link:
    """The one link that writes these words."""
    found = [one for one in links(letter) if one.words == words]
    assert len(found) == 1, (words, [one.words for one in links(letter)])
    return found[0]


def touched(harness: Players, who: str, one: Link, *, below: str = "", **how: object) -> EmailMessage:
    """The mail that a program sends for a link, with what it adds `below`."""
    mail = harness.mail(who, "", to=one.address, subject=one.subject, **how)  # type: ignore[arg-type]
    mail.set_content(one.body + below)
    return mail


def touch(harness: Players, who: str, one: Link, *, below: str = "", **how: object) -> list[Received]:
    """Touch a link, and have its mail sent; gives the letters that follow."""
    return harness.deliver(touched(harness, who, one, below=below, **how).as_bytes())


def _read(href: str, name: str) -> Link:
    parts = urlsplit(href)
    fields = {key: values[0] for key, values in parse_qs(parts.query, strict_parsing=True).items()}
    return Link(name, unquote(parts.path), fields["subject"], fields["body"].replace("\r\n", "\n"))
