"""The duration and the seed of the fuzz tests, and their summary at the end.

FUZZ_SECONDS is the time for all tests together. FUZZ_SEED is the seed of the first round. The same seed repeats the
same mails.
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
    """A game in progress and the letters that may be answered. It is made once, because that takes long."""
    return Begun()


@pytest.fixture
def tried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Try:
    """Try mails for a share of the time, in rounds with different seeds."""
    # Hypothesis makes up to five more examples that are almost the same as an example. Mails that differ more find
    # more.
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
                found = True  # from now on the check must fail whenever this mail is tried
                raise

        try:
            while time.monotonic() < end:
                # Shrinking reduces a failing mail to the part that makes it fail. The phase `explain` would only take
                # time.
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
