"""The service is killed again and again while many people play: nothing is lost, nothing is played twice."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from takmail.config import SmtpSettings
from takmail.runtime.delivery_worker import CLAIMED_AT_ONCE
from tests.crash.clocked import COURSES
from tests.crash.lives import Life, Toll, moments, one_life
from tests.crash.network import network
from tests.crash.size import IS_SHORT, KILLS
from tests.crash.steps import CLAIMED, CLUB_STEPS, COMMITTED, DUE, DUE_COMMITTED, MOVED, SENT
from tests.stack.mailstack import MailStack

pytestmark = pytest.mark.crash

PAIRS = max(4, KILLS // 30)
GAMES = max(6, KILLS // 10)
CLUBS = (max(2, KILLS // 60), max(2, KILLS // 50))
"""The number of clubs, and how often everybody plays in one."""
MATCHES = max(2, KILLS // 50)
LEAGUES = max(1, KILLS // 100)
CLOCKED = max(len(COURSES), KILLS // 15)
"""The number of games in which time passes."""
MOST_TURNS = min(26, KILLS // 3)
"""The maximum number of turns of a game. The service is killed about once per mail and its answer."""

DOUBLES_A_KILL = CLAIMED_AT_ONCE * SmtpSettings.model_fields["connections"].default
"""The maximum number of letters that are sent but not stored as sent when the service is killed."""


async def test_games_between_many_players_survive_every_kill(
    stack: MailStack, tmp_path: Path, random: Random, tell: Callable[[str], None]
) -> None:
    toll, began = Toll(), time.monotonic()
    async with network(stack, random, PAIRS, GAMES, MOST_TURNS, CLOCKED, CLUBS, MATCHES, LEAGUES) as here:
        config = here.config(tmp_path)
        logs = []
        for kill in moments(random, KILLS):
            await here.go_on(kill, KILLS)
            logs += await one_life(config, kill, toll)
        left = here.unfinished
        async with Life(config) as service:
            await here.played()
            await here.settled(config)
            assert await service.stopped() == 0
            logs += service.said
        figures = await here.checked(config)
    took = time.monotonic() - began
    tell(f"{toll.count} kills: {figures}, {took:.0f} s; {left} games were not over at the last kill")
    tell(toll.table())
    assert toll.count == KILLS
    assert not [line for line in logs if line.startswith(("ERROR", "Traceback"))]
    assert figures.doubles <= KILLS * DOUBLES_A_KILL
    assert toll.between(CLAIMED, SENT) > 0
    assert toll.between(COMMITTED, MOVED) > 0
    assert toll.between(DUE, DUE_COMMITTED) > 0
    assert IS_SHORT or sum(toll.by_step[step.words] for step in CLUB_STEPS) > 0
