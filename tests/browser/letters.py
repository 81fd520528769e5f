"""Letters as files that a browser can open."""

from pathlib import Path

from tests.support.harness import Received


def kept(letter: Received, folder: Path, name: str) -> Path:
    """Write the letter's HTML side and its pictures as files. Equal pictures of all letters share one file."""
    page = letter.html
    for cid, picture in letter.pictures.items():
        file = folder / f"{cid.partition('@')[0]}{'.gif' if picture.startswith(b'GIF') else '.png'}"
        file.write_bytes(picture)
        page = page.replace(f'"cid:{cid}"', f'"{file.name}"')
    return _written(folder / f"{name}.html", page)


def kept_without_pictures(letter: Received, folder: Path, name: str) -> Path:
    """Write the letter's HTML side as a file whose pictures are nowhere, as in a program that doesn't show them."""
    page = letter.html.replace('src="cid:', 'src="not-shown/').replace(
        "<html", '<html data-pictures="off"', 1
    )
    return _written(folder / f"{name}-off.html", page)


def _written(file: Path, page: str) -> Path:
    file.write_text(page, encoding="utf-8")
    return file
