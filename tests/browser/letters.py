"""Letters as files that a browser can open.

Several processes write them into one folder, and the pictures of one letter are those of others: a file is complete
when it is there.
"""

import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from takmail.letters.catalogue import ENGLISH
from tests.support.harness import TEMPLATES, Received
from tests.support.width import each_language, some_of

_SHARE = 3


def in_languages(kinds: Sequence[str]) -> list[tuple[str, str]]:
    """Return all kinds in English, and a third of them in other languages: pairs of a kind and a language.

    `SEED` chooses the third; with `WIDTH=all` it is all of them.
    """
    others = [language for language in each_language(TEMPLATES.languages) if language != ENGLISH]
    in_others = list(product(kinds, others))
    return [(kind, ENGLISH) for kind in kinds] + some_of(in_others, len(in_others) // _SHARE)


def kept(letter: Received, folder: Path, name: str) -> Path:
    """Write the letter's HTML side and its pictures as files. Equal pictures of all letters share one file."""
    page = letter.html
    for cid, picture in letter.pictures.items():
        file = folder / f"{cid.partition('@')[0]}{'.gif' if picture.startswith(b'GIF') else '.png'}"
        _written(file, picture)
        page = page.replace(f'"cid:{cid}"', f'"{file.name}"')
    return _written(folder / f"{name}.html", page.encode())


def kept_without_pictures(letter: Received, folder: Path, name: str) -> Path:
    """Write the letter's HTML side as a file whose pictures are nowhere, as in a program that doesn't show them."""
    page = letter.html.replace('src="cid:', 'src="not-shown/').replace(
        "<html", '<html data-pictures="off"', 1
    )
    return _written(folder / f"{name}-off.html", page.encode())


def _written(file: Path, content: bytes) -> Path:
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_bytes(content)
    return new.replace(file)
