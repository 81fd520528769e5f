"""Games against a bot by mail. A person plays random legal turns, each once the letter about the last one is there."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from sqlalchemy import Engine, create_engine
from sqlmodel import Session, col, select

from takmail.config.loading import load as load_settings
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.state import TakState
from takmail.games.thinking import Player
from takmail.letters.services import Services
from takmail.runtime import parts
from takmail.store.machine_time import utc_now
from takmail.store.tables import GameRow, OutboxRow, SeatRow
from takmail.world import Game, LetterState, Standing
from tests.crash.play import Leave
from tests.crash.post import PATIENCE, Post
from tests.support import rows

T = TypeVar("T")
BOT = GAMES.rules("tak")
assert isinstance(BOT, Player)
WEAKEST = BOT.levels[0]
"""The level that stands in for itself after many attempts, so that it is always the same one here."""


class Database:
    """Reads the SQLite database of a service, which may run.

    A transaction of takmail's own would lock out the service, and many players look often.
    """

    def __init__(self, config: Path) -> None:
        self._settings = load_settings(config)
        self._engine: Engine | None = None
        self._services: Services | None = None

    @property
    def services(self) -> Services:
        """The services with the key that the first start has made."""
        if self._services is None:
            self._services = parts.services(
                self._settings, parts.seat_key(self._settings, parts.keys(self._settings), utc_now)
            )
        return self._services

    def done(self, work: Callable[[Session], T]) -> T:
        """Return what `work` finds."""
        if self._engine is None:
            self._engine = create_engine(self._settings.store.url, connect_args={"isolation_level": None})
        with self._engine.connect() as connection, Session(connection) as session:
            connection.exec_driver_sql("BEGIN")
            return work(session)

    async def until(self, work: Callable[[Session], T | None], what: str) -> T:
        """Wait until `work` finds something, and return it."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (found := self.done(work)) is None:  # noqa: ASYNC110 - a database tells nobody
                    await asyncio.sleep(0.2)
        except TimeoutError:
            raise AssertionError(f"{what} has not come within {PATIENCE:.0f} seconds") from None
        return found

    def close(self) -> None:
        """Close the database."""
        if self._engine is not None:
            self._engine.dispose()


class BotPlay:
    """A game of one person against a bot. `written` are the turns that the person has written, in order."""

    def __init__(
        self,
        database: Database,
        who: str,
        bot: str,
        random: Random,
        most_turns: int,
        post: Post,
        leave: Leave,
    ) -> None:
        self.who = who
        self.number = 0
        self.written: list[str] = []
        self._database = database
        self._seat = Seat(random.randrange(2))
        self._words = f"new {random.choice((4, 5))} vs bot {bot} first={('me', 'them')[self._seat]}"
        self._random = random
        self._most_turns = most_turns
        self._post = post
        self._leave = leave

    async def run(self) -> None:
        """Play the game from its beginning to the last letter."""
        await self._leave()
        question = await self._post.answer_to(await self._post.write(self.who, self._words))
        await self._leave()
        await self._post.write(self.who, "yes", question)
        self.number = await self._database.until(self._game, f"the game of {self.who}")
        while (state := await self._state()).result is None and len(self.written) < self._most_turns:
            text = mail.write(state.position.board, self._random.choice(legal_moves(state.position)))
            await self._write(text)
            self.written.append(text)
            await self._database.until(self._has_played, f"a turn in game {self.number}")
        if state.result is None:
            await self._write("resign")
            await self._database.until(self._asks, f"the question in game {self.number}")
            await self._write("yes")
            await self._database.until(self._has_ended, f"the end of game {self.number}")

    def check(self, session: Session) -> Sequence[str]:
        """Return the turns, after checking that each was played once, and that the bot's are those of its level."""
        table = self._table(session)
        turns = [turn.text for turn in table.turns]
        assert [turn.number for turn in table.turns] == list(range(1, len(turns) + 1))
        assert [turn.seat for turn in table.turns] == [n % 2 for n in range(len(turns))]
        assert turns[self._seat :: 2] == self.written
        assert table.record.standing is Standing.OVER
        return turns

    def check_level(self, session: Session) -> None:
        """Check that the bot has played what it chooses anew, so that the same turn is found after each kill."""
        setup, turns = self._table(session).record.setup, self.check(session)
        for number in range(self._seat.other, len(turns), 2):
            seed = self._database.services.key.seed(f"game {self.number} turn {number + 1}")
            assert BOT.choose(setup, turns[:number], WEAKEST, seed, lambda: False).text == turns[number]

    async def _state(self) -> TakState:
        """Wait until it is the person's turn, or the game is over. Return its state."""
        table = await self._database.until(self._waiting, f"the bot's turn in game {self.number}")
        assert isinstance(table.state, TakState)
        return table.state

    async def _write(self, words: str) -> None:
        """Reply to the newest letter, once all letters about the game have come."""
        letters = await self._database.until(self._letters, f"all letters about game {self.number}")
        newest = await self._post.newest(self.who, self.number, letters)
        await self._leave()
        await self._post.write(self.who, words, newest)

    def _game(self, session: Session) -> int | None:
        """Return the number of the person's game."""
        owner = rows.owner(session, self.who)
        if owner is None:
            return None
        return session.exec(select(SeatRow.game_id).where(SeatRow.player_id == owner.id)).first()

    def _table(self, session: Session) -> Game:
        return rows.table(session, self._database.services, self.number, utc_now())

    def _waiting(self, session: Session) -> Game | None:
        table = self._table(session)
        assert not self._has_ended(session) or table.state.result is not None, "the bot has resigned"
        return table if table.waits_for(self._seat) or self._has_ended(session) else None

    def _has_played(self, session: Session) -> bool | None:
        return len(self._table(session).turns[self._seat :: 2]) >= len(self.written) or None

    def _asks(self, session: Session) -> bool | None:
        return bool(self._table(session).questions) or None

    def _has_ended(self, session: Session) -> bool | None:
        return session.get_one(GameRow, self.number).standing is Standing.OVER or None

    def _letters(self, session: Session) -> int | None:
        """Return how many letters about the game the person gets, None while one of them is unsent."""
        of_game = (col(OutboxRow.game_id) == self.number, col(OutboxRow.mail_to) == self.who)
        states = session.exec(select(OutboxRow.state).where(*of_game)).all()
        return None if LetterState.QUEUED in states else states.count(LetterState.SENT)
