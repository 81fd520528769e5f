"""Letters of all kinds in a browser: on a phone and on a desk, in both color schemes, with and without pictures.

Letters in other languages than English are shown on a phone only, a third of them; with `WIDTH=all` all of them, those
in traditional characters, too. `PICTURES=0` keeps no pictures of them, which take a third of the time.
"""

import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from takmail.letters.catalogue import ENGLISH
from tests.browser.chromium import Chromium
from tests.browser.letters import in_languages, kept, kept_without_pictures
from tests.support.letters_of_all_kinds import KINDS, PAGES, page

pytestmark = pytest.mark.browser

ARE_PICTURES_KEPT = os.environ.get("PICTURES") != "0"
PHONE = 360
WIDTHS = (PHONE, 480, 1024)
"""CSS pixels: a phone upright, a phone on its side, a window on a desk."""
SCHEMES = ("light", "dark")
LOOKS = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")
AXE = """axe.run(document, {resultTypes: ["violations"]}).then((found) =>
  found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}; ${node.failureSummary}`)))"""
LENGTH = "Math.ceil(document.body.getBoundingClientRect().height)"
MOST_LENGTH = {"first-ply": 1_100, "on-3x3": 1_100, "mid-5x5": 1_100, "mid-game": 1_160, "late-on-8x8": 1_480}
MOST_LENGTH |= {"tzaar-first-turn": 1_100, "tzaar-mid-game": 1_100, "tzaar-placing": 1_100}
MOST_LENGTH |= {"lesson": 850, "lesson-solved": 1_330, "lesson-not-solved": 1_330, "lesson-shown": 1_900}
"""The maximum length in CSS pixels of letters about a move, and of lessons, on a phone."""
LENGTH_OF_LANGUAGE = {"ru": 1.15}
"""How much longer than English ones letters in a language may be."""
SQUARES = """[...document.querySelectorAll("td a img")].map((one) => one.getBoundingClientRect())
  .flatMap((box) => [box.width, box.height])"""
FINGER = 44
"""The CSS pixels of a square that a finger finds, on boards of Tak up to 6x6."""
LARGE = {"late-on-8x8", *(kind for kind in KINDS if kind.startswith(("tzaar", "digest")))}


@pytest.mark.parametrize(("kind", "language"), in_languages([*PAGES]))
def test_a_letter_is_good_to_look_at_and_fits_a_phone_and_a_finger(
    browser: Chromium,
    axe: str,
    shown: Path,
    kind: str,
    language: str,
    record_property: Callable[[str, object], None],
) -> None:
    letter, name = page(kind, language), kind if language == ENGLISH else f"{kind}-{language}"
    faults = []
    for write in (kept_without_pictures, kept):
        file = write(letter, shown, name)
        browser.open(file)
        if write is kept:
            browser.run(axe)
        for scheme, width in product(SCHEMES, WIDTHS if language == ENGLISH else (PHONE,)):
            browser.set_look(width, scheme)
            if ARE_PICTURES_KEPT:
                file.with_name(f"{file.stem}-{width}-{scheme}.png").write_bytes(browser.picture())
            found = browser.run(LOOKS)
            # What axe finds depends on no width, and all languages have the same colors. It takes most of the time.
            if write is kept and width == PHONE and (language == ENGLISH or scheme == "light"):
                found += browser.run(AXE)
            faults += [f"{width} {scheme}: {one}" for one in found]
    assert not faults, "\n".join(faults)
    browser.set_look(PHONE, "light")
    length = browser.run(LENGTH)
    record_property(name, length)
    assert length <= MOST_LENGTH.get(kind, length) * LENGTH_OF_LANGUAGE.get(language, 1)
    if kind not in LARGE:
        assert min(browser.run(SQUARES), default=FINGER) >= FINGER
