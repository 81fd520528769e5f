"""The service is killed again and again while bots think: no turn is lost, and none is played twice."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.crash import checks
from tests.crash.bot_games import WEAKEST, BotPlay, Database
from tests.crash.lives import Life, Toll, moments, one_life
from tests.crash.play import Pace
from tests.crash.post import PATIENCE, Post
from tests.crash.size import BOT_KILLS
from tests.crash.steps import BOT_STEPS, TASK_CLAIMED, TASK_COMMITTED
from tests.crash.test_kills import DOUBLES_A_KILL
from tests.stack.mailstack import MailStack
from tests.stack.service import write_config

pytestmark = pytest.mark.crash

GAMES = max(6, BOT_KILLS // 4)
MOST_TURNS = 10
"""The maximum number of turns that a person writes in a game."""
MAILS = GAMES * (MOST_TURNS + 4)
"""About the number of mails that all people write."""
DYING = Path(__file__).with_name("dying_engine.py")
ENGINE = """
[[engine]]
name = "dying"
command = ["{python}", "{program}", "{log}"]
sizes = [4, 5]
movetime = 2000
"""


@pytest.mark.parametrize("bot", [WEAKEST, "dying"])
async def test_games_against_bots_survive_every_kill(
    stack: MailStack, tmp_path: Path, random: Random, tell: Callable[[str], None], bot: str
) -> None:
    people = [stack.with_newcomers() for _ in range((GAMES + 1) // 2)]
    names = [who for one in people for who in (one.ada, one.ben)][:GAMES]
    config = write_config(tmp_path, people[0], "all", answers=200, has_bots=True)
    died = tmp_path / "engine.log"
    config.write_text(config.read_text() + ENGINE.format(python=sys.executable, program=DYING, log=died))
    toll, pace, began, logs = Toll(), Pace(), time.monotonic(), []
    database = Database(config)
    async with Post(people[0], names) as post:
        plays = [BotPlay(database, who, bot, random, MOST_TURNS, post, pace.leave) for who in names]
        playing = [asyncio.create_task(play.run()) for play in plays]
        for kill in moments(random, BOT_KILLS, BOT_STEPS):
            await pace.allow(MAILS / BOT_KILLS)
            logs += await one_life(config, kill, toll)
        left = sum(not one.done() for one in playing)
        async with Life(config) as service:
            await pace.allow(10 * MAILS)
            await asyncio.gather(*playing)
            await service.says("serving")
            async with asyncio.timeout(PATIENCE):
                while not checks.is_settled(config, people[0]):  # noqa: ASYNC110 - a database tells nobody
                    await asyncio.sleep(0.1)
            assert await service.stopped() == 0
            logs += service.said
        doubles, letters, withdrawn = await checks.check_mail(config, people[0], names, post.written)
    turns = database.done(lambda session: sum(len(play.check(session)) for play in plays))
    if bot == WEAKEST:
        database.done(lambda session: [play.check_level(session) for play in plays])
    else:
        deaths = [line for line in died.read_text().split() if line != "plays"]
        tell(f"the engine died {len(deaths)} times: {sorted(set(deaths))}")
        assert len(deaths) >= BOT_KILLS / 2
    database.close()
    took = time.monotonic() - began
    tell(
        f"against {bot}, {toll.count} kills: {GAMES} games, {turns} turns, {letters} letters and {withdrawn} withdrawn,"
    )
    tell(f"{doubles} doubles, {took:.0f} s; {left} games were not over at the last kill")
    tell(toll.table())
    assert toll.count == BOT_KILLS
    assert not [line for line in logs if line.startswith(("ERROR", "Traceback"))]
    assert doubles <= BOT_KILLS * DOUBLES_A_KILL
    assert toll.between(TASK_CLAIMED, TASK_COMMITTED) > 0
