"""Simulate a year of games with the real clocks, on values, and compare these with the plain model at each event.

`takmail.world` and `pipeline.due.on_due` decide; what the database would find is looked up here.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import Any

from takmail.commands.answers import Events
from takmail.commands.clocks import waiting
from takmail.commands.context import Author, Context
from takmail.games.interface import Seat
from takmail.pipeline.due import on_due
from takmail.pipeline.reactions import with_events
from takmail.world import (
    ON_TIME,
    GameNumber,
    GameRecord,
    Invitation,
    Mailbox,
    Outage,
    PendingEnd,
    Player,
    PlayerId,
    Preferences,
    Standing,
    TakenBackBy,
    Timing,
    TurnLetter,
    World,
    bank_of,
    due_at,
    events,
    seated,
)
from takmail.world.clock import alarms_of, clock_of
from takmail.world.game import Game, NamedTurn
from takmail.world.game_changes import (
    adjourned,
    begun,
    ended,
    resumed,
    with_gift,
    with_pace,
    without_offers,
    without_turns,
)
from takmail.world.pace import TimeOff
from takmail.world.queries import Queries
from takmail.world.reading import Reading
from takmail.world.world import Cause
from tests.clocks import plain_model
from tests.clocks.habits import BEGINS, Event, Habits
from tests.clocks.plain_model import DAY, NEVER, REMINDERS, Model
from tests.nim.beside_tak import NIM, WITH_NIM
from tests.support.happening import turn_played

TICK = timedelta(minutes=5)
BREAK = timedelta(minutes=15)
"""No contact for as long is an outage."""
HEAPS = "heaps=7,7,7,7,7"
NEWS = {
    events.ReminderDue: "reminder",
    events.HolidayTaken: "told",
    events.TimeOver: "asked",
    events.LostOnTime: "lost",
    events.GameRested: "rests",
}

Happened = tuple[str, int, int, int | None]
"""What happened by itself: its kind, the game, the player whose time it is, and when a day off begins."""


def moment(tick: int) -> datetime:
    """Return the time of a tick."""
    return BEGINS + tick * TICK


def tick_of(at: datetime) -> float:
    """Return the tick of a time, which is whole if the time is on the grid."""
    return (at - BEGINS) / TICK


def option_of(pace: plain_model.Pace | None) -> str | None:
    """Return a pace as the option of `new`."""
    if pace is None:
        return None
    days = pace.size // DAY
    return f"days={days}" if pace.increment is None else f"time={days}d+{pace.increment // DAY}d"


class Real:
    """The same games and players as values of `takmail.world`. The methods are those of `Model`."""

    def __init__(self, model: Model, zones: Callable[[int], str]) -> None:
        self.happened: list[Happened] = []
        self.due: dict[int, datetime] = {}
        self.games: dict[int, Game] = {}
        self.players: dict[PlayerId, Player] = {}
        self._loaded: dict[int, Game] = {}
        self._heap: list[tuple[datetime, int]] = []
        self._model = model
        self._zones = zones
        self._outages: list[Outage] = []
        self._well_at = self.now
        self._mails: dict[int, list[datetime]] = defaultdict(list)
        self._held: dict[int, set[int]] = defaultdict(set)

    @property
    def now(self) -> datetime:
        """What the clock of the machine reads."""
        return moment(self._model.now)

    def loaded(self, number: int) -> Game:
        """Return a game with what its clock depends on."""
        if number not in self._loaded:
            self._loaded[number] = self._load(number)
        return self._loaded[number]

    def _load(self, number: int) -> Game:
        table = self.games[number]
        since = table.turns[-1].played_at if table.turns else table.record.created_at
        letters = self._model.games[number].letters.get(len(table.turns), [])
        starts = [start for letter in letters if (start := letter.starts()) is not None]
        first, second = (self.players[player] for player in table.record.players)
        return replace(
            table,
            players=(first, second),
            turn_letter=TurnLetter(moment(min(starts)) if starts else None) if letters else None,
            outages=tuple(outage for outage in self._outages if outage.ended_at > since),
        )

    def _context(self, table: Game, seat: Seat | None = None) -> Context:
        stored = Reading(players=table.players, games=[table])
        for player in table.record.players:
            for alarm in alarms_of(table, self.now):
                is_waiting = any(came <= alarm.at for came in self._mails[player])
                stored.know(Queries.has_waiting_mail, player, alarm.at, answer=is_waiting)
        world = World(stored)
        return Context(
            WITH_NIM, self.now, b"a seed", Cause("a game"), Author(), None, world, table.number, seat
        )

    def forget_loaded(self) -> None:
        """Load games again, as a player was changed."""
        self._loaded.clear()

    # The course of time.

    def well(self) -> None:
        """Note that takmail is well."""
        began_at = self._well_at + TICK
        if self.now - began_at >= BREAK:
            self._outages.append(Outage(began_at, self.now))
            self._loaded.clear()
        self._well_at = self.now

    def acts(self) -> None:
        """Do what is due now."""
        now, due = self.now, list[int]()
        while self._heap and self._heap[0][0] <= now:
            at, number = heappop(self._heap)
            # What is on the heap may be out of date, or be there twice.
            if self.due.get(number) == at:
                due.append(number)
                del self.due[number]
        for number in due:
            table = self.loaded(number)
            player = table.players[table.to_move]
            context = self._context(table)
            happened = on_due(context, GameNumber(number))
            if not happened and self._mails[player.id] and (due_at(table, now) or now) <= now:
                # The same follows until the mail is handled, or another event is about the game.
                self._held[player.id].add(number)
                continue
            for event in happened:
                if type(event) in NEWS and getattr(event, "is_told", True):
                    self.happened.append((NEWS[type(event)], number, player.id, None))
            self._store(number, with_events(context, happened).world)
            if not happened:
                continue
            for off in self.players[player.id].time_off:
                if off.is_automatic and off not in player.time_off:
                    self.happened.append(("holiday", number, player.id, int(tick_of(off.began_at))))

    def _store(self, number: int, world: World) -> None:
        if any(self.players[number] != player for number, player in world.players.items()):
            self.players |= world.players
            self._loaded.clear()
        self._put(world.game(GameNumber(number)))

    def _put(self, table: Game) -> None:
        self.games[table.number] = table
        self._look_at(table.number)

    def _look_at(self, number: int) -> None:
        """Note when a game is due."""
        self._loaded.pop(number, None)
        at = due_at(self.loaded(number), self.now)
        if at is None:
            self.due.pop(number, None)
        elif self.due.get(number) != at:
            self.due[number] = at
            heappush(self._heap, (at, number))

    # What people and mail servers do.

    def joins(self, player: int) -> None:
        """Add a player."""
        number = PlayerId(player)
        boxes = (Mailbox(f"player{player}@example.org"),)
        name, zone = f"Player {player}", self._zones(player)
        self.players[number] = Player(
            number, name, None, BEGINS, preferences=Preferences(zone=zone), mailboxes=boxes
        )

    def begins(
        self, game: int, first: int, second: int, pace: plain_model.Pace | None, is_strict: bool
    ) -> None:
        """Begin a game."""
        seats = (PlayerId(first), PlayerId(second))
        record = GameRecord(
            GameNumber(game),
            1,
            "nim",
            HEAPS,
            "a game",
            Standing.INVITED,
            self.now,
            Invitation(seats[0]),
            seated(*seats),
            timing=Timing(option_of(pace), is_strict),
        )
        players = (self.players[seats[0]], self.players[seats[1]])
        table = Game(record, NIM, players, (), (NIM.start(HEAPS),))
        self._put(begun(table, HEAPS, False, self.now))

    def plays(self, game: int, counted: int) -> None:
        """Play a turn whose mail came at a tick."""
        table = self.loaded(game)
        heap = next(place for place, height in table.state.facts().heaps if height)
        text = f"take 1 from {heap}"
        turn = NamedTurn(len(table.turns) + 1, table.to_move, "", text)
        played = turn_played(turn, game=table.number, played_at=self.now, arrived_at=moment(counted))
        self._store(game, with_events(self._context(table), (played,)).world)

    def letter_taken(self, game: int) -> None:
        """Look again when a game is due, as a letter was taken or came back."""
        self._look_at(game)

    letter_returned = another_letter = letter_taken

    def mail_waits(self, player: int) -> None:
        """Let a mail of a player wait to be handled."""
        self._mails[player].append(self.now)

    def mail_handled(self, player: int) -> None:
        """Let the oldest mail of a player wait no more."""
        self._mails[player].pop(0)
        for game in self._held.pop(player, ()):
            self._look_at(game)

    def away(self, player: int, until: int) -> None:
        """Let a player be off from now until a tick."""
        self._change(player, self._known(player).taking_off(TimeOff(self.now, moment(until)), self.now))

    def plans(self, player: int, first: int, until: int) -> None:
        """Let a player be off from a tick until another."""
        off = TimeOff(moment(first), moment(until))
        self._change(player, self._known(player).taking_off(off, self.now))

    def back(self, player: int) -> None:
        """Let a player be off no more."""
        self._change(player, self._known(player).back_at(self.now))

    def holidays(self, player: int, is_manual: bool) -> None:
        """Let a player choose whether days off are taken for them."""
        self._change(player, self._known(player).choosing("announces_holidays", is_manual))

    def reminders(self, player: int, is_reminded: bool) -> None:
        """Let a player choose whether they are reminded."""
        self._change(player, self._known(player).choosing("wants_no_reminders", not is_reminded))

    def _known(self, player: int) -> Player:
        return self.players[PlayerId(player)]

    def _change(self, number: int, player: Player) -> None:
        self.players[player.id] = player
        self._loaded.clear()
        for game in [*self.due]:
            if number in self.games[game].record.players:
                self._look_at(game)

    def gives(self, game: int, ticks: int) -> None:
        """Let the opponent of the player to move give time."""
        table = self.loaded(game)
        self._put(with_gift(table, table.to_move, ticks * TICK))

    def waits(self, game: int) -> None:
        """Let the opponent wait."""
        table = self.loaded(game)
        context = self._context(table, table.to_move.other)
        change: Events = (waiting(context),)
        self._store(game, with_events(context, change).world)
        claims = [offer.id for offer in self.games[game].claims]
        self._put(without_offers(self.loaded(game), claims, PendingEnd.REFUSED))

    def claims(self, game: int) -> None:
        """Let the opponent claim the win."""
        table = self.loaded(game)
        assert table.claims
        self._put(ended(table, None, ON_TIME[table.to_move.other]))

    def agrees(self, game: int, pace: plain_model.Pace | None) -> None:
        """Let both agree on another pace."""
        self._put(with_pace(self.loaded(game), option_of(pace), self.now))

    def takes_back(self, game: int, count: int, is_agreed: bool) -> None:
        """Take back the last turns."""
        table = self.loaded(game)
        how = (TakenBackBy.UNDO if is_agreed else TakenBackBy.RIGHT) if count == 1 else TakenBackBy.BACK
        after = len(table.turns) - count
        self._put(without_turns(table, after, how, self.now, is_agreed=is_agreed))

    def adjourns(self, game: int) -> None:
        """Adjourn a game."""
        self._put(adjourned(self.loaded(game), "why"))

    def resumes(self, game: int) -> None:
        """Resume a game."""
        self._put(resumed(self.loaded(game), self.now))

    def ends(self, game: int, _how: str) -> None:
        """End a game."""
        self._put(ended(self.loaded(game), Seat.FIRST))


@dataclass
class Simulation:
    """A year of both. `differences` say where they differ; a game is not compared after its first one."""

    habits: Habits
    differences: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.model = self.habits.model
        self.real = Real(self.model, lambda player: self.habits.habits[player].zone)
        self._strayed: set[int] = set()

    def run(self) -> None:
        """Let the year pass."""
        for tick in range(1, self.habits.ticks):
            self.model.passes()
            if ticks := self.habits.clock_at(tick):
                self.model.sets_clock(ticks)
            if self.habits.down[tick]:
                continue
            self.model.well()
            self.real.well()
            for event in self.habits.at(tick):
                self._happens(event)
            self._act()

    def _happens(self, event: Event) -> None:
        self.counts[event.what] += 1
        getattr(self.model, event.what)(*event.values)
        if event.what in _OF_PLAYERS:
            getattr(self.real, event.what)(*event.values)
            if event.what in ("away", "plans", "back"):
                self._compare_time_off(event.values[0])
            return
        number = event.values[0]
        if number in self._strayed:
            return
        getattr(self.real, event.what)(*event.values)
        self._compare(number, str(event))

    def _act(self) -> None:
        known, seen = len(self.model.done), len(self.real.happened)
        for number in self._strayed:
            self.real.due.pop(number, None)
        self.model.acts()
        self.real.acts()
        if len(self.model.done) == known and len(self.real.happened) == seen:
            return
        expected = Counter(one for done in self.model.done[known:] for one in _as_happened(done))
        found = Counter(self.real.happened[seen:])
        for one in {*(expected - found), *(found - expected)}:
            if one[1] not in self._strayed and not self._is_known(one, is_expected=one in expected):
                which = "expected" if one in expected else "not expected"
                self._differ(one[1], f"{one} is {which}")
        for what, number, _, _ in found:
            if what in ("holiday", "asked", "lost"):
                self._check_that_time_was_over(number)
        self.counts.update(one[0] for one in found)
        for _, _, player, _ in {*expected, *found}:
            self._compare_time_off(player)
        for number in {one[1] for one in {*expected, *found}} - self._strayed:
            self._compare(number, "what was due")

    def _check_that_time_was_over(self, number: int) -> None:
        """Look for a letter that did not leave when a player's time is said to be over."""
        game = self.model.games[number]
        starts = [letter.starts() for letter in game.letters[len(game.turns)]]
        if not any(at is not None and at < self.model.now for at in starts):
            self._differ(number, "the time is said to be over")

    def _is_known(self, happened: Happened, *, is_expected: bool) -> bool:
        """Tell whether this is a difference that is known, and count it."""
        what, number, player, _ = happened
        game = self.model.games[number]
        is_known = False
        if is_expected and what == "told":
            # The real clocks tell once also of days between which the clock ran, as time was given.
            is_known = True
        elif not is_expected and what == "reminder" and game.handled >= 0:
            # They remind again if another game has taken a day off that began before the reminder.
            is_known = any(off.is_automatic for off in self.real.players[PlayerId(player)].time_off)
        if is_known:
            self.counts[f"known: {what}"] += 1
        return is_known

    def _compare(self, number: int, after: str) -> None:
        game, table = self.model.games[number], self.real.loaded(number)
        if (game.end is not None) != (table.record.standing is Standing.OVER):
            self._differ(number, f"after {after} it ended {game.end}, but is {table.record.standing}")
        elif game.is_open:
            facts: Iterator[tuple[str, Any, Any]] = self._facts(number, table)
            for name, expected, found in facts:
                if expected != found:
                    self._differ(number, f"after {after} {name} should be {expected}, and is {found}")
                    return

    def _facts(self, number: int, table: Game) -> Iterator[tuple[str, Any, Any]]:
        game, clock = self.model.games[number], clock_of(table)
        deadline = clock.deadline
        yield "the seat", game.seat, clock.seat
        yield "whether a clock runs", game.start < NEVER and game.pace is not None, deadline is not None
        if deadline is not None and (number + len(game.turns)) % 3 == 0:
            yield "the deadline", self.model.deadline(number), tick_of(deadline)
        yield "at rest", game.is_resting, table.record.timing.rested_at is not None
        yield "asked", game.is_asked, bool(table.claims)
        if game.pace is not None and game.turns:
            last = game.turns[-1]
            spent = table.turns[-1].spent
            if len(game.turns) > game.clock_from and last.spent is not None:
                yield "the time spent", last.spent * TICK, timedelta(seconds=spent or 0)
            if game.pace.increment is not None:
                for seat in Seat:
                    yield "the bank", game.bank(seat) * TICK, bank_of(table, seat)

    def _compare_time_off(self, player: int) -> None:
        """Compare the time off of a player. After a difference, go on with that of the model."""
        expected = self.model.players[player].off
        found = bytearray(len(expected))
        for off in self.real.players[PlayerId(player)].time_off:
            first, end = int(tick_of(off.began_at)), int(tick_of(off.ended_at))
            found[first:end] = bytes([1]) * (end - first)
        if found != expected:
            known = self.real.players[PlayerId(player)]
            self.real.forget_loaded()
            at = next(tick for tick in range(len(found)) if found[tick] != expected[tick])
            last = [tuple(map(str, off)) for off in known.time_off[-2:]]
            self.differences.append(
                f"{self.real.now}: player {player} should {'' if expected[at] else 'not '}be off at {moment(at)},"
                f" and is off in {last}"
            )
            self.real.players[known.id] = replace(known, time_off=tuple(_intervals(expected)))

    def _differ(self, number: int, what: str) -> None:
        game = self.model.games[number]
        self.differences.append(
            f"{self.real.now}: game {number} ({option_of(game.pace)}, turn {len(game.turns)}): {what}"
        )
        self._strayed.add(number)


_OF_PLAYERS = ("joins", "mail_waits", "mail_handled", "away", "plans", "back", "holidays", "reminders")


def _as_happened(done: plain_model.Done) -> Iterator[Happened]:
    if done.what != "silent":
        what = "reminder" if done.what in REMINDERS else done.what
        yield what, done.game, done.of, done.since if what == "holiday" else None


def _intervals(off: bytearray) -> Iterator[TimeOff]:
    """Yield the intervals in which a player is off."""
    first = off.find(1)
    while first >= 0:
        end = off.find(0, first)
        yield TimeOff(moment(first), moment(end))
        first = off.find(1, end)


def simulated(seed: int, tables: int, days: int) -> Simulation:
    """Return a simulation that has run."""
    simulation = Simulation(Habits(seed, tables, days))
    simulation.run()
    return simulation
