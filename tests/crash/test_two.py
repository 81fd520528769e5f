"""Two services on one PostgreSQL and one mailbox are killed in turn. Together they do everything once."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.crash.lives import WAITS, Kill, Life, Toll, moments, one_life
from tests.crash.network import Network, network
from tests.crash.size import IS_SHORT, KILLS
from tests.crash.test_kills import CLOCKED, CLUBS, DOUBLES_A_KILL, GAMES, LEAGUES, MATCHES, MOST_TURNS, PAIRS
from tests.postgres.server import Server
from tests.stack.mailstack import MailStack

pytestmark = pytest.mark.crash

TURNS = MOST_TURNS // 2
"""The maximum number of turns. It is half as large, because two services are killed at the same time."""

PAUSE_SECONDS = 0.2
"""The interval in seconds at which each service checks whether the other one has ended."""

Log = list[str]


async def _one_after_another(config: Path, kills: Iterable[Kill], toll: Toll, here: Network) -> list[Log]:
    """Start and kill one of the two services at each of these moments. Return the logs of its processes."""
    logs = []
    for kill in kills:
        await here.go_on(kill, KILLS)
        logs.append(await one_life(config, kill, toll, PAUSE_SECONDS))
    return logs


async def _to_the_end(config: Path, here: Network) -> list[Log]:
    """Run both services until all games are over and all mails and letters are handled. Return their logs."""
    async with Life(config, None, PAUSE_SECONDS) as one, Life(config, None, PAUSE_SECONDS) as other:
        await here.played()
        await here.settled(config)
        assert await asyncio.gather(one.stopped(), other.stopped()) == [0, 0]
    return [one.said, other.said]


def _taken_over(logs: Sequence[Log]) -> int:
    """Return how often a service that waited for the mailbox has taken it over."""
    words = "\n".join
    return sum(" reading " in words(log).partition(WAITS)[2] for log in logs)


async def test_games_survive_every_kill_of_two_services_on_one_database(
    stack: MailStack, postgres: Server, tmp_path: Path, random: Random, tell: Callable[[str], None]
) -> None:
    toll, began = Toll(), time.monotonic()
    postgres.create("takmail")
    async with network(stack, random, PAIRS, GAMES, TURNS, CLOCKED, CLUBS, MATCHES, LEAGUES) as here:
        config = here.config(tmp_path, url=postgres.url("takmail"))
        kills = moments(random, KILLS)
        both = (_one_after_another(config, some, toll, here) for some in (kills[::2], kills[1::2]))
        logs = [log for some in await asyncio.gather(*both) for log in some]
        left = here.unfinished
        logs += await _to_the_end(config, here)
        figures = await here.checked(config)
    taken_over, took = _taken_over(logs), time.monotonic() - began
    tell(f"two on one PostgreSQL, {toll.count} kills, the mailbox taken over {taken_over} times:")
    tell(f"{figures}, {took:.0f} s; {left} games were not over at the last kill")
    tell(toll.table())
    assert toll.count == KILLS
    assert IS_SHORT or taken_over > 0
    assert not [line for log in logs for line in log if line.startswith(("ERROR", "Traceback"))]
    assert figures.doubles <= KILLS * DOUBLES_A_KILL
