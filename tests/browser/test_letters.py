"""Letters of all kinds in a browser: on a phone and on a desk, in both color schemes, with and without pictures.

Letters in other languages than English are shown on a phone only.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from takmail.letters.catalogue import ENGLISH
from takmail.world.kinds import LetterView
from tests.browser.chromium import Chromium
from tests.browser.letters import kept, kept_without_pictures
from tests.support.harness import TEMPLATES, Harness, Received
from tests.support.letters_of_all_kinds import KINDS, PAGES

pytestmark = pytest.mark.browser

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


in_each_language = pytest.mark.parametrize("language", TEMPLATES.languages)


@pytest.fixture
def letter(harness: Harness, kind: str, language: str) -> Received:
    return KINDS[kind](Harness(harness.store, letter_view=LetterView.BOTH, language=language))


@pytest.fixture
def name(kind: str, language: str) -> str:
    """The name of the letter's file."""
    return kind if language == ENGLISH else f"{kind}-{language}"


@pytest.mark.parametrize("write", [kept, kept_without_pictures], ids=["with pictures", "without"])
@in_each_language
@pytest.mark.parametrize("kind", PAGES)
def test_a_letter_is_good_to_look_at(
    browser: Chromium,
    axe: str,
    shown: Path,
    letter: Received,
    name: str,
    language: str,
    write: Callable[[Received, Path, str], Path],
) -> None:
    file = write(letter, shown, name)
    browser.open(file)
    browser.run(axe)
    faults = []
    for scheme in SCHEMES:
        for width in WIDTHS if language == ENGLISH else (PHONE,):
            browser.set_look(width, scheme)
            file.with_name(f"{file.stem}-{width}-{scheme}.png").write_bytes(browser.picture())
            found = browser.run(LOOKS) + browser.run(AXE)
            faults += [f"{width} {scheme}: {one}" for one in found]
    assert not faults, "\n".join(faults)


@in_each_language
@pytest.mark.parametrize("kind", PAGES)
def test_a_letter_fits_a_phone_and_a_finger(
    browser: Chromium,
    shown: Path,
    letter: Received,
    kind: str,
    language: str,
    name: str,
    lengths: dict[str, int],
) -> None:
    browser.open(kept(letter, shown, name))
    browser.set_look(PHONE, "light")
    lengths[name] = browser.run(LENGTH)
    assert lengths[name] <= MOST_LENGTH.get(kind, lengths[name]) * LENGTH_OF_LANGUAGE.get(language, 1)
    if kind not in LARGE:
        assert min(browser.run(SQUARES), default=FINGER) >= FINGER
