"""One browser for all tests, and the files of the letters that it opens."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium, chromium

AXE = Path(sys.prefix) / "axe" / "axe_playwright_python" / "axe.min.js"
SHOWN = Path(__file__).parents[2] / ".letters"
"""Where the letters and what the browser makes of them are kept, to be looked at."""


@pytest.fixture(scope="session")
def axe(request: pytest.FixtureRequest) -> str:
    """The script that finds what people can't read or reach."""
    _needed(request, AXE.exists())
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Chromium]:
    _needed(request, shutil.which("chromium") is not None)
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def shown() -> Path:
    """The folder of the letters; those of other runs stay until they are written anew."""
    SHOWN.mkdir(exist_ok=True)
    return SHOWN


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the length in CSS pixels of each letter on a phone, which its test has recorded, and where they are."""
    reports = [one for which in ("passed", "failed") for one in terminalreporter.getreports(which)]
    lengths = [length for one in reports if one.when == "call" for length in one.user_properties]
    for name, length in sorted(lengths, key=lambda one: -one[1]):
        terminalreporter.write_line(f"{length:5} pixels long on a phone: {name}")
    if lengths:
        terminalreporter.write_line(f"The letters, and how they look: {SHOWN}")


def _needed(request: pytest.FixtureRequest, here: bool) -> None:
    # Whoever asks for these tests by name (make test-browser) is to see them fail, not skipped.
    if not here:
        stop = pytest.fail if "browser" in request.config.option.markexpr else pytest.skip
        stop("needs Chromium and axe-core: make test-browser")
