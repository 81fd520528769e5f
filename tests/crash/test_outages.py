"""The servers fail again and again while people play. Each mail is played once, and each letter arrives."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from takmail.cli import main
from tests.crash.lives import Life
from tests.crash.network import Network, network
from tests.crash.policy import Policy, lets_pass
from tests.crash.servers import Servers
from tests.crash.size import IS_SHORT
from tests.crash.steps import OPEN
from tests.crash.wire import Wire
from tests.stack.mailstack import MailStack
from tests.stack.service import PATIENCE

pytestmark = pytest.mark.crash

PAUSE_SECONDS = 0.3
"""The pause in seconds that replaces all of takmail's pauses before retries."""

Tell = Callable[[str], None]
Outage = Callable[[Life], Awaitable[None]]


def _together_or_each(names: Sequence[str]) -> list[Sequence[str]]:
    """Return the outages of each test: one outage, or in a short run all of them in turn."""
    return [names] if IS_SHORT else [[name] for name in names]


def _ids(names: Sequence[str]) -> str:
    return "; ".join(names)


def _by_turns(names: Sequence[str]) -> Iterable[str]:
    return islice(cycle(names), ROUNDS)


GAMES = 3 if IS_SHORT else 5
MOST_TURNS = 3 if IS_SHORT else 16
ROUNDS = 7 if IS_SHORT else 12
"""The number of outages while the games are played."""


@pytest.fixture
def servers(stack: MailStack) -> Servers:
    return Servers(stack)


async def _through(
    outages: Iterable[Outage], here: Network, config: Path, random: Random, beside: Outage | None = None
) -> list[str]:
    """Cause one outage after another while the games are played to their end. Return the service's log.

    `beside` runs all the while.
    """
    async with Life(config, pause_seconds=PAUSE_SECONDS) as service, _beside(beside, service):
        await service.says(OPEN)
        for outage in outages:
            await here.pace.allow(here.mails / ROUNDS)
            await asyncio.sleep(random.uniform(0, 0.8))
            await outage(service)
        await here.played()
        await here.settled(config)
        assert await service.stopped() == 0
        assert "Traceback" not in service.log
        return service.said


@asynccontextmanager
async def _beside(outage: Outage | None, service: Life) -> AsyncIterator[None]:
    """Run an outage that doesn't end by itself. Raises its error at the end."""
    if outage is None:
        yield
        return
    running = asyncio.ensure_future(outage(service))
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])
        if not running.cancelled():
            running.result()


async def _none(_: Life) -> None:
    """Cause no outage, for tests in which the wire or the policy service causes them."""


@asynccontextmanager
async def _played(stack: MailStack, random: Random) -> AsyncIterator[Network]:
    async with network(stack, random, 2, GAMES, MOST_TURNS) as here:
        yield here


def _outages(servers: Servers, random: Random) -> Mapping[str, Outage]:
    async def frozen(service: Life) -> None:
        service.signal(signal.SIGSTOP)
        await asyncio.sleep(random.uniform(0.1, 4))
        service.signal(signal.SIGCONT)

    async def full(_: Life) -> None:
        await servers.set_postfix(f"queue_minfree = {10**17}")
        await asyncio.sleep(random.uniform(0.5, 2))
        await servers.set_postfix("queue_minfree = 0")

    return {
        "Dovecot is stopped and started": lambda _: servers.restart_dovecot(),
        "Dovecot is reloaded": lambda _: servers.reload_dovecot(),
        "Dovecot's processes are killed": lambda _: servers.kill_dovecot(master=False),
        "Dovecot is killed as a whole": lambda _: servers.kill_dovecot(master=True),
        "Postfix is stopped and started": lambda _: servers.restart_postfix(),
        "Postfix's disk is full": full,
        "the service is frozen for a while": frozen,
    }


OUTAGES = (
    "Dovecot is stopped and started",
    "Dovecot is reloaded",
    "Dovecot's processes are killed",
    "Dovecot is killed as a whole",
    "Postfix is stopped and started",
    "Postfix's disk is full",
    "the service is frozen for a while",
)


@pytest.mark.parametrize("names", _together_or_each(OUTAGES), ids=_ids)
async def test_games_go_on_when(
    names: Sequence[str], stack: MailStack, servers: Servers, tmp_path: Path, random: Random, tell: Tell
) -> None:
    outages = _outages(servers, random)
    async with _played(stack, random) as here:
        config = here.config(tmp_path)
        log = await _through((outages[name] for name in _by_turns(names)), here, config, random)
        figures = await here.checked(config)
    tell(f"{_ids(names)}, {ROUNDS} times: {figures}")
    assert not [line for line in log if " ERROR " in line]


async def test_games_go_on_when_the_network_is_cut_between_any_two_bytes(
    stack: MailStack, tmp_path: Path, random: Random, tell: Tell
) -> None:
    async with (
        Wire(stack.host, stack.imaps_port, random, most=30_000) as imap,
        Wire(stack.host, stack.submission_port, random, most=300_000) as smtp,
        _played(stack, random) as here,
    ):
        reached = replace(here.stack, imaps_port=imap.port, submission_port=smtp.port)
        config = here.config(tmp_path, reached)
        log = await _through([_none] * ROUNDS, here, config, random)
        figures = await here.checked(config)
    tell(f"the network is cut, {imap.cuts} times to Dovecot and {smtp.cuts} to Postfix: {figures}")
    assert imap.cuts
    assert smtp.cuts
    assert figures.doubles <= smtp.cuts
    assert not [line for line in log if " ERROR " in line]


REFUSALS = {
    "the recipient is greylisted": ("RCPT", "450 4.2.0 greylisted, come back in a while"),
    "the server hangs up before the text": ("DATA", "421 4.3.2 closing down"),
    "the whole letter is deferred": ("END-OF-MESSAGE", "451 4.3.0 try again"),
}


@asynccontextmanager
async def _asked(servers: Servers) -> AsyncIterator[Policy]:
    """Make Postfix ask the policy service at each step of accepting a letter. Undo this at the end."""
    kinds = ("recipient", "data", "end_of_data")
    usual = {"recipient": "reject_unauth_destination"}
    async with Policy() as policy:
        asks = f"check_policy_service inet:127.0.0.1:{policy.port}"
        await servers.set_postfix(
            *(f"smtpd_{one}_restrictions = {asks} {usual.get(one, '')}" for one in kinds)
        )
        yield policy
        policy.judge = lets_pass
        await servers.set_postfix(*(f"smtpd_{one}_restrictions = {usual.get(one, '')}" for one in kinds))


@pytest.mark.parametrize("names", _together_or_each(tuple(REFUSALS)), ids=_ids)
async def test_letters_are_only_late_when(
    names: Sequence[str], stack: MailStack, servers: Servers, tmp_path: Path, random: Random, tell: Tell
) -> None:
    answers = dict(REFUSALS[name] for name in names)

    def refuses_some(asked: Mapping[str, str]) -> str:
        answer = answers.get(asked["protocol_state"])
        is_letter = asked["sender"].startswith("tak")
        return answer if answer and is_letter and random.random() < 0.3 / len(answers) else "DUNNO"

    async with _asked(servers) as policy, _played(stack, random) as here:
        policy.judge = refuses_some
        config = here.config(tmp_path)
        log = await _through([_none] * ROUNDS, here, config, random)
        figures = await here.checked(config)
    tell(f"{_ids(names)}, {policy.refused} times: {figures}")
    assert policy.refused
    assert figures.doubles == 0
    assert not [line for line in log if " ERROR " in line]


async def test_letters_refused_for_good_wait_for_the_operator_who_has_them_leave(
    stack: MailStack, servers: Servers, tmp_path: Path, random: Random, tell: Tell
) -> None:
    async with _asked(servers) as policy, _played(stack, random) as here:
        unlucky = here.people[0]
        config = here.config(tmp_path)

        passes = asyncio.Event()

        def is_theirs(asked: Mapping[str, str]) -> bool:
            return asked["recipient"] == unlucky and asked["protocol_state"] == "RCPT"

        def refuses_theirs(asked: Mapping[str, str]) -> str:
            return "554 5.7.1 not wanted here" if is_theirs(asked) else "DUNNO"

        def lets_theirs_pass(asked: Mapping[str, str]) -> str:
            if is_theirs(asked):
                passes.set()
            return "DUNNO"

        async def refused_and_sent_again(service: Life) -> None:
            sent_again: list[str] = []
            while True:
                policy.judge = refuses_theirs
                await policy.refuses.wait()
                await asyncio.sleep(random.uniform(0, 1))
                policy.judge = lets_theirs_pass
                policy.refuses.clear()
                passes.clear()
                assert await service.within(PATIENCE, lambda: len(_failed(service.said)) == policy.refused)
                new = _failed(service.said)[len(sent_again) :]
                told = CliRunner().invoke(main, ["outbox", "retry", *new, "--config", str(config)])
                assert told.exit_code == 0, told.output
                sent_again.extend(new)
                # Each round lets at least one letter through, so that the games end.
                await passes.wait()

        log = await _through([_none] * ROUNDS, here, config, random, beside=refused_and_sent_again)
        figures = await here.checked(config)
    tell(f"letters are refused for good, {policy.refused} of them: {figures}")
    assert policy.refused
    assert figures.doubles == 0
    assert len(_failed(log)) == policy.refused


def _failed(log: list[str]) -> list[str]:
    """Return the numbers of the letters that were refused for good, once for each refusal."""
    return re.findall(r"letter (\d+): refused for good", "\n".join(log))
