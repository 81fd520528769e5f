"""Make a year of correspondence: what players, mail servers and machines do, by their habits.

`Habits.at` says what happens at a tick, by what has happened in the model. It knows no real clock, so that a seed
always gives the same year.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple

from tests.clocks.plain_model import DAY, GUARD, HOUR, Done, Game, Model, Pace

BEGINS = datetime(2026, 3, 1, tzinfo=UTC)
"""When tick 0 is."""
YEAR_ENDS = ((datetime(2027, 1, 1, tzinfo=UTC) - BEGINS).days * DAY,)
AFTER = 150 * DAY
"""So many ticks are known after the year."""
MOST_SET = 2
"""The ticks by which the clock of the machine is wrong at most. It reads them at tick 0."""
MOST_TURNS = 34
"""The turns of a game at most."""
PACES = (
    None,
    *(Pace(days * DAY) for days in (1, 2, 3, 4, 5, 7, 14)),
    *(Pace(bank * DAY, days * DAY) for bank, days in ((14, 1), (7, 1), (5, 2), (3, 1), (2, 1), (30, 2))),
)
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")


class Event(NamedTuple):
    """Something that happens: a method of `Model`, and its arguments."""

    what: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """How a player plays. `hours` is the median of the time for a turn, None for one who uses up all time.

    From tick `silent_from` until tick `silent_until` the player does not play.
    """

    hours: float | None
    zone: str
    silent_from: int
    silent_until: int


Plan = Callable[[], Iterator[Event]]


class Habits:
    """The habits of a year. `tables` are so many games that are played at once."""

    def __init__(self, seed: int, tables: int, days: int) -> None:
        self.random = Random(seed)
        self.ticks = days * DAY
        self.model = Model(self.ticks + AFTER, YEAR_ENDS, now=MOST_SET)
        self._plans: list[tuple[int, int, Plan]] = []
        self._planned = 0
        self._seen = 0
        self._tick = 0
        self._turns_left: dict[int, int] = {}
        self._thinking: dict[int, int] = {}
        self.habits = {number: self._habit() for number in range(1, tables // 2 + 2)}
        self.down = bytearray(self.ticks)
        self._plan_outages()
        self._plan_the_clock()
        for number in self.habits:
            self._plan(0, lambda number=number: self._joins(number))
        for _ in range(tables):
            self._plan(self.random.randrange(1, 14 * DAY), self._begins)

    # What the driver calls.

    def at(self, tick: int) -> Iterator[Event]:
        """Yield what happens at a tick, while takmail is well. The caller lets the model know before the next one."""
        self._tick = tick
        for done in self.model.done[self._seen :]:
            self._react(done)
        self._seen = len(self.model.done)
        while self._plans and self._plans[0][0] <= tick:
            yield from heappop(self._plans)[2]()

    def clock_at(self, tick: int) -> int:
        """Return by how many ticks the clock of the machine is set at a tick."""
        return self._clock.get(tick, 0)

    def _plan(self, tick: int, plan: Plan) -> None:
        self._planned += 1
        heappush(self._plans, (tick, self._planned, plan))

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _later(self, least: int, most: int) -> int:
        """Return a tick that is so far from now."""
        return self._tick + self.random.randint(least, most)

    # The year.

    def _habit(self) -> Habit:
        kind = self.random.random()
        hours = 12.0 if kind < 0.15 else 60.0 if kind < 0.55 else None
        silent_from, silent_until = self.ticks, self.ticks
        if self._chance(0.4):
            silent_from = self.random.randrange(self.ticks)
            silent_until = silent_from + self.random.choice((10, 25, 50, 400)) * DAY
        return Habit(hours, self.random.choice(ZONES), silent_from, silent_until)

    def _plan_outages(self) -> None:
        """Plan breaks of a quarter of an hour or less, and outages of minutes, hours and days."""
        for length, count in (
            (1, 30),
            (GUARD - 1, 20),
            (GUARD, 10),
            (GUARD + 1, 10),
            (9 * HOUR, 6),
            (3 * DAY, 3),
        ):
            for _ in range(count * self.ticks // (365 * DAY)):
                longest = self.random.randint(length, length if length <= GUARD + 1 else 2 * length)
                begins = self.random.randrange(DAY, self.ticks)
                self.down[begins : min(begins + longest, self.ticks)] = bytes([1]) * min(
                    longest, self.ticks - begins
                )

    def _plan_the_clock(self) -> None:
        """Plan when the clock of the machine is set, and set right again."""
        self._clock: dict[int, int] = {}
        tick = 10 * DAY
        while tick + 12 * DAY < self.ticks:
            wrong = self.random.choice([ticks for ticks in range(-MOST_SET, MOST_SET + 1) if ticks])
            right = tick + self.random.randint(1, 10 * DAY)
            self._clock |= {tick: wrong, right: -wrong}
            tick = right + self.random.randint(1, 20 * DAY)

    # Players.

    def _joins(self, player: int) -> Iterator[Event]:
        yield Event("joins", (player,))
        if self._chance(0.3):
            yield Event("holidays", (player, True))
        if self._chance(0.15):
            yield Event("reminders", (player, False))
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            self._plan(self.random.randrange(1, self.ticks), lambda: self._goes_away(player))
        if self._chance(0.1):
            when = self.random.randrange(1, self.ticks)
            self._plan(when, lambda: iter([Event("holidays", (player, self._chance(0.5)))]))
        if self._chance(0.1):
            when = self.random.randrange(1, self.ticks)
            self._plan(when, lambda: iter([Event("reminders", (player, self._chance(0.5)))]))

    def _goes_away(self, player: int) -> Iterator[Event]:
        length = self.random.randint(1, 20) * DAY + self.random.randrange(DAY)
        if self._chance(0.4):
            first = self.model.now + self.random.randint(1, 30 * DAY)
            yield Event("plans", (player, first, first + length))
            return
        yield Event("away", (player, self.model.now + length))
        if self._chance(0.3):
            self._plan(self._later(HOUR, 12 * DAY), lambda: self._comes_back(player))

    def _comes_back(self, player: int) -> Iterator[Event]:
        yield Event("back", (player,))

    # Games.

    def _begins(self) -> Iterator[Event]:
        first, second = self.random.sample(sorted(self.habits), 2)
        number = len(self.model.games) + 1
        self._turns_left[number] = self.random.randint(8, MOST_TURNS)
        self._thinking[number] = -1
        yield Event("begins", (number, first, second, self.random.choice(PACES), self._chance(0.3)))
        yield from self._sends(number)

    def _sends(self, number: int) -> Iterator[Event]:
        """Let the letter to the player to move leave, now or later, and perhaps come back."""
        turn = len(self.model.games[number].turns)
        share = self.random.random()
        if share < 0.7:
            yield from self._leaves(number, turn)
        elif share < 0.99:
            when = self._later(1, 3) if share < 0.9 else self._later(HOUR, 2 * DAY)
            self._plan(when, lambda: self._leaves(number, turn))
        else:
            self._plan(self._later(HOUR, DAY), lambda: self._returns(number, turn))

    def _is_at(self, number: int, turn: int) -> bool:
        """Tell whether a game is still at a turn, so that what was planned for it can happen."""
        game = self.model.games[number]
        return game.end is None and not game.is_adjourned and len(game.turns) == turn

    def _leaves(self, number: int, turn: int) -> Iterator[Event]:
        if not self._is_at(number, turn) or self.model.games[number].letters[turn][-1].taken_at is not None:
            return
        yield Event("letter_taken", (number,))
        if self._chance(0.02):
            self._plan(self._later(1, 8 * HOUR), lambda: self._returns(number, turn))
        else:
            self._thinks(number)

    def _returns(self, number: int, turn: int) -> Iterator[Event]:
        """Let a letter come back, or rest. It is sent again, or its reader gets another one, or none."""
        game = self.model.games[number]
        if not self._is_at(number, turn) or game.is_asked or self._thinking[number] == turn:
            return
        yield Event("letter_returned", (number,))
        share = self.random.random()
        if share < 0.6:
            self._plan(self._later(1, 10 * DAY), lambda: self._leaves(number, turn))
        elif share < 0.8:
            self._plan(self._later(1, 5 * DAY), lambda: self._gets_another(number, turn))

    def _gets_another(self, number: int, turn: int) -> Iterator[Event]:
        if self._is_at(number, turn):
            yield Event("another_letter", (number,))
            yield from self._leaves(number, turn)

    def _thinks(self, number: int) -> None:
        """Plan the turn of the player to move, unless it is planned already."""
        game = self.model.games[number]
        turn = len(game.turns)
        if self._thinking[number] == turn:
            return
        self._thinking[number] = turn
        habit = self.habits[game.player.number]
        allowance = 6 * DAY if game.pace is None else game.allowance()
        if habit.hours is not None:
            needs = int(self.random.lognormvariate(0, 0.7) * habit.hours * HOUR)
            if self._chance(0.9):
                needs = min(needs, int(0.9 * allowance))
        else:
            needs = int(self.random.uniform(0.3, 1.03) * allowance)
        when = self._tick + needs
        if habit.silent_from <= when < habit.silent_until:
            when = habit.silent_until + self.random.randrange(3 * DAY)
        self._plan(when, lambda: self._writes(number, turn))
        if self._chance(0.02):
            self._plan(self._later(1, max(1, needs)), lambda: self._gives(number, turn))
        if self._chance(0.01):
            self._plan(self._later(1, max(1, needs)), lambda: self._agrees(number, turn))
        if self._chance(0.005):
            self._plan(self._later(1, max(1, needs)), lambda: self._adjourns(number, turn))
        if self._chance(0.02):
            self._plan(self._later(1, max(1, needs)), lambda: self._writes_words(game.player.number))

    def _writes(self, number: int, turn: int) -> Iterator[Event]:
        """Let the mail with a turn come. It is handled at once, or waits, or waits long."""
        if not self._is_at(number, turn):
            return
        player, came = self.model.games[number].player.number, self._tick + MOST_SET
        if self._chance(0.9):
            yield from self._plays(number, turn, came)
            return
        yield Event("mail_waits", (player,))
        when = self._later(1, 4) if self._chance(0.7) else self._later(HOUR, 3 * DAY)

        def handled() -> Iterator[Event]:
            yield Event("mail_handled", (player,))
            yield from self._plays(number, turn, came)

        self._plan(when, handled)

    def _writes_words(self, player: int) -> Iterator[Event]:
        """Let a mail without a turn wait."""
        yield Event("mail_waits", (player,))
        self._plan(self._later(1, 2 * DAY), lambda: iter([Event("mail_handled", (player,))]))

    def _plays(self, number: int, turn: int, came: int) -> Iterator[Event]:
        if not self._is_at(number, turn):
            return
        yield Event("plays", (number, came))
        self._turns_left[number] -= 1
        if self._turns_left[number] == 0:
            yield Event("ends", (number, "played"))
            self._plan(self._later(1, 2 * DAY), self._begins)
            return
        yield from self._sends(number)
        if self._chance(0.02):
            self._plan(self._later(1, DAY), lambda: self._takes_back(number, turn + 1))

    # What interrupts them.

    def _gives(self, number: int, turn: int) -> Iterator[Event]:
        game = self.model.games[number]
        if game.is_open and len(game.turns) == turn and game.pace is not None:
            yield Event("gives", (number, self.random.choice((HOUR, 12 * HOUR, DAY, 2 * DAY))))

    def _agrees(self, number: int, turn: int) -> Iterator[Event]:
        if self._is_open_at(self.model.games[number], turn):
            yield Event("agrees", (number, self.random.choice(PACES)))

    def _is_open_at(self, game: Game, turn: int) -> bool:
        return game.is_open and not game.is_asked and len(game.turns) == turn

    def _adjourns(self, number: int, turn: int) -> Iterator[Event]:
        if self._is_open_at(self.model.games[number], turn):
            yield Event("adjourns", (number,))
            self._plan(self._later(1, 10 * DAY), lambda: self._resumes(number))

    def _resumes(self, number: int) -> Iterator[Event]:
        yield Event("resumes", (number,))
        self._thinking[number] = -1
        yield from self._reaches(number)

    def _reaches(self, number: int) -> Iterator[Event]:
        """Let the player to move learn of the turn if a letter has left, or else let it leave later."""
        game = self.model.games[number]
        turn = len(game.turns)
        if any(letter.taken_at is not None for letter in game.letters[turn]):
            self._thinks(number)
        else:
            self._plan(self._later(1, DAY), lambda: self._leaves(number, turn))
        yield from ()

    def _takes_back(self, number: int, turn: int) -> Iterator[Event]:
        game = self.model.games[number]
        if not self._is_open_at(game, turn) or (self._thinking[number] == turn and self._chance(0.5)):
            return
        count = self.random.choice((1, 1, 2))
        if turn - count < game.clock_from:
            return
        # It is their right while the opponent has not moved, or both agree.
        yield Event("takes_back", (number, count, count > 1 or self._chance(0.5)))
        self._turns_left[number] += count
        self._thinking[number] = -1
        yield from self._reaches(number)

    def _react(self, done: Done) -> None:
        """Plan what follows on something that happened by itself."""
        number = done.game
        turn = len(self.model.games[number].turns)
        if done.what == "asked":
            share = self.random.random()
            if share < 0.3:
                self._plan(self._later(1, 20 * DAY), lambda: self._answers(number, turn, "claims"))
            elif share < 0.7:
                self._plan(self._later(1, 10 * DAY), lambda: self._answers(number, turn, "waits"))
        elif done.what == "lost":
            self._plan(self._later(1, 5 * DAY), self._begins)
        elif done.what == "rests":
            self._plan(self._later(1, 5 * DAY), self._begins)
            if self._chance(0.3):
                self._plan(self._later(1, 40 * DAY), lambda: self._writes(number, turn))
        elif done.what == "told" and self._chance(0.2):
            self._plan(self._later(1, 30 * HOUR), lambda: self._comes_back(done.of))

    def _answers(self, number: int, turn: int, how: str) -> Iterator[Event]:
        """Answer whether the opponent claims the win or waits."""
        game = self.model.games[number]
        over = self.model.deadline(number)
        if how == "claims" and over is not None and game.player.has_mail_until(over + GUARD):
            # It is refused.
            self._plan(self._later(1, DAY), lambda: self._answers(number, turn, how))
        elif game.is_asked and game.is_open and len(game.turns) == turn:
            yield Event(how, (number,))
            if how == "claims":
                self._plan(self._later(1, 5 * DAY), self._begins)
