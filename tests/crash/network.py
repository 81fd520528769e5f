"""Many players who play several games at the same time on one takmail."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from string import ascii_uppercase

from tests.crash.checks import Figures, check, is_settled
from tests.crash.club import Club, ClubScript, club_script
from tests.crash.leagues import LeaguePlay, LeagueScript, league_script
from tests.crash.lives import Kill
from tests.crash.matches import MatchPlay, MatchScript, match_script
from tests.crash.play import Pace, Play
from tests.crash.post import PATIENCE, Post
from tests.crash.script import Script, clocked_scripts, scripts
from tests.crash.steps import DUE_STEPS
from tests.crash.time_machine import TimeMachine
from tests.stack.mailstack import MailStack
from tests.stack.service import write_config

CLUB_PAIRS = 2
"""How many pairs of players are in a club."""


class Network:
    """The games in progress. `pace` limits how fast mails are written, and `alarms` how fast something becomes due."""

    def __init__(
        self,
        stack: MailStack,
        people: list[str],
        plan: list[Script],
        clubs: list[ClubScript],
        matches: list[MatchScript],
        leagues: list[LeagueScript],
        post: Post,
        random: Random,
    ) -> None:
        self.stack = stack
        self.people = people
        self.post = post
        self.mails = sum(script.mails for script in (*plan, *clubs, *matches, *leagues))
        self.pace = Pace()
        self.alarms = Pace()
        self.time = TimeMachine()
        self.plays = [Play(script, post, self.pace.leave, self.alarms.leave, self.time) for script in plan]
        self.clubs = [Club(script, post, self.pace.leave, self.time, random) for script in clubs]
        self.matches = [MatchPlay(script, post, self.pace.leave) for script in matches]
        self.leagues = [LeaguePlay(script, post, self.pace.leave, self.time) for script in leagues]
        self._playing = [
            asyncio.create_task(play.run())
            for play in (*self.plays, *self.clubs, *self.matches, *self.leagues)
        ]

    def config(self, folder: Path, reached: MailStack | None = None, url: str = "") -> Path:
        """Write takmail's settings. `reached` are the servers' addresses if takmail reaches them through a proxy.

        `url` is the database's URL, or '' for a file in the folder.
        """
        organisers = [league.script.players[0] for league in self.leagues]
        config = write_config(
            folder, reached or self.stack, "all", answers=200, url=url, organisers=organisers
        )
        self.time.open(config)
        return config

    async def go_on(self, kill: Kill, kills: int) -> None:
        """Allow a share of the mails before one of `kills` kills, and what becomes due: more if it is to be hit."""
        waits = sum(len(play.script.waits) for play in self.plays)
        await self.pace.allow(self.mails / kills)
        await self.alarms.allow(2 if kill.at in {step.words for step in DUE_STEPS} else waits / kills / 2)

    async def played(self) -> None:
        """Wait until all games are over. Raises the error of a game that can't continue."""
        await self.pace.allow(10 * self.mails)
        await self.alarms.allow(self.mails)
        await asyncio.gather(*self._playing)

    @property
    def unfinished(self) -> int:
        """Return the number of games that are not over."""
        return sum(not one.done() for one in self._playing)

    async def settled(self, config: Path) -> None:
        """Wait until the service has handled all mails and sent all letters."""
        async with asyncio.timeout(PATIENCE):
            while not is_settled(config, self.stack):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.1)

    async def checked(self, config: Path) -> Figures:
        """Check the database and the mailboxes. The service must have stopped."""
        return await check(config, self.stack, self.plays, self.clubs, self.matches, self.leagues, self.post)

    def stop(self) -> None:
        for one in self._playing:
            one.cancel()
        self.time.close()


@asynccontextmanager
async def network(
    stack: MailStack,
    random: Random,
    pairs: int,
    games: int,
    most_turns: int,
    clocked: int = 0,
    clubs: tuple[int, int] = (0, 0),
    matches: int = 0,
    leagues: int = 0,
) -> AsyncIterator[Network]:
    """Yield a network with new mailboxes for this number of pairs of players, and with scripted games.

    In `clocked` more games, whose players play no others, time passes. `clubs` are the number of clubs, each of four
    people of its own, and how often everybody plays in them. `matches` are those with an end, each of two people, and
    `leagues` are of four.
    """
    alone = pairs + clocked
    newcomers = [stack.with_newcomers() for _ in range(alone + matches + CLUB_PAIRS * (clubs[0] + leagues))]
    couples = [(one.ada, one.ben) for one in newcomers]
    people = [who for couple in couples for who in couple]
    plan = scripts(random, people[: 2 * pairs], games, most_turns)
    plan += clocked_scripts(random, couples[pairs:alone])
    of_four = list(_of_clubs(people[2 * (alone + matches) :]))
    of_clubs = [
        club_script(random, reader, opponents, clubs[1], is_quiet=bool(number % 2))
        for number, (reader, *opponents) in enumerate(of_four[: clubs[0]])
    ]
    of_leagues = [
        league_script(random, f"League {letter}", four)
        for letter, four in zip(ascii_uppercase, of_four[clubs[0] :], strict=False)
    ]
    of_matches = [match_script(random, couple) for couple in couples[alone : alone + matches]]
    async with Post(newcomers[0], people) as post:
        here = Network(newcomers[0], people, plan, of_clubs, of_matches, of_leagues, post, random)
        try:
            yield here
        finally:
            here.stop()


def _of_clubs(people: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the people of each club, its reader first."""
    size = 2 * CLUB_PAIRS
    return (people[first : first + size] for first in range(0, len(people), size))
