"""Write the demo's letters as web pages: an index, and a page for each letter with its pictures in files beside it."""

import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from takmail.cli.demo.habits import text_of
from takmail.cli.demo.show import headline
from takmail.letters.templates import folder as templates_folder

INDEX = "index.html"

_CID = re.compile(r"\bcid:([^\"'\s)>]+)")
_BODY = re.compile(r"<body[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A mail of a player, and the letters that it caused, each with the name of its reader.

    `note` says why the last of these letters is worth opening, or is "".
    """

    writer: str
    words: str
    letters: tuple[tuple[str, EmailMessage], ...]
    note: str = ""


def write_pages(folder: Path, exchanges: Sequence[Exchange]) -> Path:
    """Write the pages of all letters into a new folder, and return the index. Raises OSError."""
    folder.mkdir()
    templates = Environment(
        loader=FileSystemLoader(templates_folder() / "console" / "demo"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = count(1)
    last = sum(len(one.letters) for one in exchanges)
    mails = []
    for exchange in exchanges:
        entries = []
        for reader, letter in exchange.letters:
            entry = _entry(folder, next(numbers), reader, letter)
            bar = templates.get_template("bar.html").render(letter=entry, last=last)
            html = _html_of(folder, letter) or templates.get_template("text.html").render(
                subject=entry["subject"], text=text_of(letter)
            )
            body = _BODY.search(html)
            end = body.end() if body else 0
            (folder / entry["file"]).write_text(f"{html[:end]}\n{bar}{html[end:]}", encoding="utf-8")
            entries.append(entry)
        mails.append(
            {"writer": exchange.writer, "words": exchange.words, "letters": entries, "note": exchange.note}
        )
    index = folder / INDEX
    index.write_text(templates.get_template(INDEX).render(mails=mails), encoding="utf-8")
    return index


def _page(number: int) -> str:
    return f"{number:02}.html"


def _entry(folder: Path, number: int, reader: str, letter: EmailMessage) -> Mapping[str, Any]:
    """Write the letter's text and attachments to files, and return its entry in the index.

    `file`, `previous` and `next` are pages, `text` is the file with its plain text, and `attachments` are files, too.
    """
    text = f"{number:02}.txt"
    (folder / text).write_text(text_of(letter), encoding="utf-8")
    attachments = []
    for part in letter.walk():
        if part.get_content_disposition() == "attachment":
            name = f"{number:02}-{re.sub(r'[^A-Za-z0-9.-]', '_', part.get_filename() or 'file')}"
            (folder / name).write_bytes(_bytes_of(part))
            attachments.append(name)
    return {
        "number": number,
        "reader": reader,
        "subject": str(letter["Subject"]),
        "headline": headline(letter),
        "file": _page(number),
        "previous": _page(number - 1),
        "next": _page(number + 1),
        "text": text,
        "attachments": attachments,
    }


def _html_of(folder: Path, letter: EmailMessage) -> str:
    """Return the HTML part with file names in place of Content-IDs, and write these files. Return "" without HTML.

    A picture is named after its content, so that the letters share the pictures that they have in common.
    """
    body = letter.get_body(("html",))
    if body is None:
        return ""
    files = {content_id: _written(folder, part) for content_id, part in _related(letter)}
    return _CID.sub(lambda found: files.get(unquote(found[1]), found[0]), str(body.get_content()))


def _related(letter: EmailMessage) -> Iterator[tuple[str, EmailMessage]]:
    """Yield the parts that have a Content-ID, with it."""
    for part in letter.walk():
        if content_id := str(part["Content-ID"] or "").strip().strip("<>"):
            assert isinstance(part, EmailMessage)
            yield content_id, part


def _written(folder: Path, part: EmailMessage) -> str:
    """Write a picture to a file unless it exists, and return the file's path in the folder."""
    content = _bytes_of(part)
    extension = mimetypes.guess_extension(part.get_content_type()) or ".bin"
    name = f"pictures/{sha256(content).hexdigest()[:16]}{extension}"
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return name


def _bytes_of(part: object) -> bytes:
    assert isinstance(part, EmailMessage)
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
