"""Letters of all kinds in a browser: on a phone and on a desk, in both color schemes, with and without pictures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from takmail.world.kinds import LetterView
from tests.browser.chromium import Chromium
from tests.browser.letters import kept, kept_without_pictures
from tests.support.harness import Harness, Received
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
MOST_LENGTH = {"first-ply": 1_100, "on-3x3": 1_100, "mid-5x5": 1_100, "mid-game": 1_100, "late-on-8x8": 1_480}
MOST_LENGTH |= {"tzaar-first-turn": 1_100, "tzaar-mid-game": 1_100, "tzaar-placing": 1_100}
"""The maximum length in CSS pixels of letters about a move, on a phone."""
SQUARES = """[...document.querySelectorAll("td a img")].map((one) => one.getBoundingClientRect())
  .flatMap((box) => [box.width, box.height])"""
FINGER = 44
"""The CSS pixels of a square that a finger finds, on boards of Tak up to 6x6."""
LARGE = {"late-on-8x8", *(kind for kind in KINDS if kind.startswith("tzaar"))}


@pytest.fixture
def letter(request: pytest.FixtureRequest, harness: Harness) -> Received:
    return KINDS[request.param](Harness(harness.store, letter_view=LetterView.BOTH))


@pytest.mark.parametrize("write", [kept, kept_without_pictures], ids=["with pictures", "without"])
@pytest.mark.parametrize(("letter", "kind"), [(kind, kind) for kind in PAGES], indirect=["letter"], ids=PAGES)
def test_a_letter_is_good_to_look_at(
    browser: Chromium,
    axe: str,
    shown: Path,
    letter: Received,
    kind: str,
    write: Callable[[Received, Path, str], Path],
) -> None:
    file = write(letter, shown, kind)
    browser.open(file)
    browser.run(axe)
    faults = []
    for scheme in SCHEMES:
        for width in WIDTHS:
            browser.set_look(width, scheme)
            file.with_name(f"{file.stem}-{width}-{scheme}.png").write_bytes(browser.picture())
            found = browser.run(LOOKS) + browser.run(AXE)
            faults += [f"{width} {scheme}: {one}" for one in found]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("letter", "kind"), [(kind, kind) for kind in PAGES], indirect=["letter"], ids=PAGES)
def test_a_letter_fits_a_phone_and_a_finger(
    browser: Chromium, shown: Path, letter: Received, kind: str, lengths: dict[str, int]
) -> None:
    browser.open(kept(letter, shown, kind))
    browser.set_look(PHONE, "light")
    lengths[kind] = browser.run(LENGTH)
    assert lengths[kind] <= MOST_LENGTH.get(kind, lengths[kind])
    if kind not in LARGE:
        assert min(browser.run(SQUARES), default=FINGER) >= FINGER
