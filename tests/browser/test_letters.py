"""Letters of all kinds as a browser shows them, on a phone and on a desk, by day and by night."""

from pathlib import Path

import pytest

from takmail.commands.kinds import LetterView
from tests.browser.chromium import Chromium
from tests.support.harness import Harness, Received
from tests.support.letters_of_all_kinds import KINDS

pytestmark = pytest.mark.browser

WIDTHS = (360, 480, 1024)
"""CSS pixels: a phone upright, a picture in its full width, a window on a desk."""
SCHEMES = ("light", "dark")
LOOKS = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")
AXE = """axe.run(document, {resultTypes: ["violations"]}).then((found) =>
  found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}; ${node.failureSummary}`)))"""


@pytest.fixture
def letter(request: pytest.FixtureRequest, harness: Harness) -> Received:
    return KINDS[request.param](Harness(harness.store, letter_view=LetterView.BOTH))


@pytest.mark.parametrize(("letter", "kind"), [(kind, kind) for kind in KINDS], indirect=["letter"], ids=KINDS)
def test_a_letter_is_good_to_look_at(
    browser: Chromium, axe: str, shown: Path, letter: Received, kind: str
) -> None:
    browser.open(kept(letter, shown, kind))
    browser.run(axe)
    faults = []
    for scheme in SCHEMES:
        for width in WIDTHS:
            browser.set_look(width, scheme)
            (shown / f"{kind}-{width}-{scheme}.png").write_bytes(browser.picture())
            found = browser.run(LOOKS) + browser.run(AXE)
            faults += [f"{width} {scheme}: {one}" for one in found]
    assert not faults, "\n".join(faults)


def kept(letter: Received, folder: Path, name: str) -> Path:
    """The letter's HTML side as a file, its pictures as files beside it."""
    page = letter.html
    for number, (cid, picture) in enumerate(letter.pictures.items(), 1):
        file = folder / f"{name}-{number}{'.gif' if picture.startswith(b'GIF') else '.png'}"
        file.write_bytes(picture)
        page = page.replace(f"cid:{cid}", file.name)
    kept_at = folder / f"{name}.html"
    kept_at.write_text(page, encoding="utf-8")
    return kept_at
