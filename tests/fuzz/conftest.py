"""How long and from which seed the fuzz tests run, and what they say at the end.

FUZZ_SECONDS is the time for all of them, FUZZ_SEED the seed of the first round: the same seed tries the same mails.
"""

import os
import time
from collections.abc import Callable
from random import Random

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.strategies import SearchStrategy

from tests.fuzz.begun import Begun
from tests.fuzz.mails import Mail

SECONDS = float(os.environ.get("FUZZ_SECONDS") or 120)
SEED = int(os.environ.get("FUZZ_SEED") or Random().randrange(1_000_000))
EXAMPLES_A_ROUND = 300

Try = Callable[[float, SearchStrategy[Mail], Callable[[Mail], None]], None]

told: list[str] = []


def pytest_report_header() -> str:
    return f"fuzz: FUZZ_SEED={SEED} FUZZ_SECONDS={SECONDS:g}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if told:
        terminalreporter.section(f"fuzz, FUZZ_SEED={SEED}")
        for line in told:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def begun() -> Begun:
    """A game in the middle, and the letters that may be answered; made once, as it takes long."""
    return Begun()


@pytest.fixture
def tried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Try:
    """Tries mails for a share of the time, in rounds of which each has a seed of its own."""
    # Of each example Hypothesis makes up to five more that are almost the same: of mails that differ more are found.
    monkeypatch.setattr(ConjectureRunner, "generate_mutations_from", lambda *_: None, raising=False)

    def tries(share: float, mails: SearchStrategy[Mail], check: Callable[[Mail], None]) -> None:
        begin = time.monotonic()
        end = begin + share * SECONDS
        count = rounds = 0
        found = False

        def counted(mail: Mail) -> None:
            nonlocal count, found
            if time.monotonic() > end and not found:
                return
            count += 1
            try:
                check(mail)
            except BaseException:
                found = True  # from here on it has to fail whenever it is tried
                raise

        try:
            while time.monotonic() < end:
                # Shrinking takes the mail that fails down to what makes it fail; `explain` would only take time.
                only = settings(
                    max_examples=EXAMPLES_A_ROUND,
                    deadline=None,
                    database=None,
                    phases=(Phase.generate, Phase.shrink),
                    suppress_health_check=list(HealthCheck),
                )
                hypothesis.seed(SEED + rounds)(only(given(mails)(counted)))()
                rounds += 1
        finally:
            took = time.monotonic() - begin
            told.append(
                f"{request.node.name}: {count} mails in {took:.0f} s, {count / took:.0f} a second, rounds from "
                f"FUZZ_SEED={SEED} to {SEED + rounds}"
            )

    return tries
