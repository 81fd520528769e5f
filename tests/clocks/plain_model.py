"""Model the clocks of all games, slowly and plainly, to compare the real ones with it.

Time passes in ticks of five minutes, and all that happens happens at a tick. At each tick the model adds a step to
the time of each turn whose clock runs, and notes when this time reaches a span: the allowance, or the part of it after
which there is a reminder. Two thirds of an allowance can end within a tick, so this time is counted in thirds.

The clock of the machine may be set. `Model.now` is what it reads.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

HOUR = 12
DAY = 24 * HOUR
"""Ticks."""
GUARD = 3
"""Within so many ticks after its end nobody's time is said to be over. No contact for as long is an outage."""
THIRDS = 3
MOST_HOLIDAY = 30 * DAY
WAITED = 3 * DAY
QUIET = (7 * DAY, 30 * DAY)
TIME_TO_ANSWER = 30 * DAY
RETURNED = 7 * DAY
AT_LEAST_BETWEEN = 12 * HOUR
"""A reminder comes at least so long after the beginning of the turn, and after another one."""
REMINDERS = ("third", "day", "quiet")
"""The spans after which there is a reminder. With the one called `silent` a game comes to rest."""
NEVER = 1_000_000_000
"""Later than all that happens."""


class Pace(NamedTuple):
    """The pace of a game, in ticks: `days=` if there is no increment, else a bank with its increment."""

    size: int
    increment: int | None = None


class Turn(NamedTuple):
    """A turn, and the ticks that its player spent on it. They are None for a board on which both agreed."""

    seat: int
    spent: int | None
    played_at: int


class Done(NamedTuple):
    """What happened by itself. `of` is the player whose time it is, and `since` the tick when a day off begins."""

    at: int
    what: str
    game: int
    of: int
    since: int | None = None


class Outage(NamedTuple):
    """The ticks in which takmail had no contact."""

    began_at: int
    ended_at: int


@dataclass(slots=True)
class Letter:
    """A letter to the player to move: when the mail server took it last, and when it came back or came to rest."""

    taken_at: int | None = None
    returned_at: int | None = None

    def starts(self) -> int | None:
        """Return when it starts the clock, as far as is known."""
        known = (self.taken_at, None if self.returned_at is None else self.returned_at + RETURNED)
        return min((one for one in known if one is not None), default=None)


@dataclass(slots=True)
class Mark:
    """A span of a turn's time, in thirds of a tick. `at` is when the time reached it, in thirds, None if it did not."""

    name: str
    span: int
    at: int | None = None


@dataclass(slots=True, eq=False)
class Player:
    """A player. `off` tells for each tick whether they are off then, which is so in `spans`.

    `mails` are the ticks of those that wait.
    """

    number: int
    off: bytearray
    is_manual: bool = False
    is_reminded: bool = True
    mails: list[int] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)

    def has_mail_until(self, tick: int) -> bool:
        """Tell whether a mail waits that came until a tick."""
        return any(came <= tick for came in self.mails)


@dataclass(slots=True, eq=False)
class Game:
    """A game. `letters` are those to the player to move that show each turn, by the turn's number.

    * `since` is when the game began, was resumed, its turns were taken back, its pace was agreed on, or it woke
    * `ran` is the time that the turn has taken, in thirds of a tick, and `marks` are the spans that count
    * `handled` is up to when, in thirds of a tick, its reminders were sent, and `said` the spans after which they were
    * `told` is the end of the last day off of this turn. Both are told of the first day of a row, and of the last one
      that the player had left.
    * `off` is that of the player to move
    """

    number: int
    players: tuple[Player, Player]
    pace: Pace | None
    is_strict: bool
    since: int
    clock_from: int = 0
    turns: list[Turn] = field(default_factory=list)
    letters: dict[int, list[Letter]] = field(default_factory=dict)
    gifts: list[int] = field(default_factory=lambda: [0, 0])
    handled: int = -1
    said: set[int] = field(default_factory=set)
    told: int | None = None
    is_asked: bool = False
    is_resting: bool = False
    is_adjourned: bool = False
    end: str | None = None
    start: int = NEVER
    off: bytearray = field(default_factory=bytearray)
    ran: int = 0
    next_span: int = 0
    marks: list[Mark] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The seat to move."""
        return len(self.turns) % 2

    @property
    def player(self) -> Player:
        """The player to move."""
        return self.players[self.seat]

    @property
    def is_open(self) -> bool:
        """Whether something can happen to it by itself."""
        return not (self.is_resting or self.is_adjourned or self.end)

    def bank(self, seat: int) -> int:
        """Return the ticks in the bank of a seat."""
        assert self.pace is not None
        left = self.pace.size
        if self.pace.increment is None:
            return left
        for turn in self.turns[self.clock_from :]:
            if turn.seat == seat and turn.spent is not None:
                left = min(self.pace.size, max(0, left - turn.spent) + self.pace.increment)
        return left

    def allowance(self) -> int:
        """Return the ticks that the player to move has for this turn."""
        return self.bank(self.seat) + self.gifts[self.seat]

    def time(self, name: str) -> int | None:
        """Return when the time of the turn reached a span, in thirds of a tick, None if it has not."""
        return next((mark.at for mark in self.marks if mark.name == name), None)

    def due_at(self) -> int:
        """Return since when something is due, in thirds of a tick."""
        wait = {"over": THIRDS * GUARD}
        due = (mark.at + wait.get(mark.name, 0) for mark in self.marks if mark.at is not None)
        return max(due, default=0)

    def has_to_say(self, mark: Mark, now: int) -> bool:
        """Tell whether a reminder is due, that was not sent before a stop put it off."""
        is_due = mark.at is not None and self.handled < mark.at <= now
        return mark.name in REMINDERS and is_due and mark.span not in self.said


class Model:
    """All games and players, from tick `now` on. `done` is what happened by itself.

    Call `passes` for each tick that passes, then `well` if takmail is, tell what happens, and call `acts` if it is
    well. `year_ends` are the ticks at which calendar years end.
    """

    def __init__(self, ticks: int, year_ends: Sequence[int], now: int = 0) -> None:
        self.now = now
        self.done: list[Done] = []
        self.outages: list[Outage] = []
        self.games: dict[int, Game] = {}
        self.players: dict[int, Player] = {}
        self._ticks = ticks
        self._years = [*zip([0, *year_ends], [*year_ends, ticks], strict=True)]
        self._down = bytearray(ticks)
        self._well_at = now
        self._running: dict[int, Game] = {}
        self._ringing: dict[int, int] = {}
        """When to look at a game whose time has reached a span."""

    # The course of time.

    def passes(self) -> None:
        """Let a tick pass."""
        old, new = self.now, self.now + 1
        is_down = self._down[old]
        for game in self._running.values():
            if not is_down and game.start <= old and not game.off[old]:
                game.ran += THIRDS
            if game.next_span - game.ran < THIRDS:
                self._notice(game, new)
        self.now = new

    def sets_clock(self, ticks: int) -> None:
        """Set the clock of the machine forward, or back if `ticks` is negative."""
        self.now += ticks
        for game in [*self._running.values()]:
            self._recount(game)

    def well(self) -> None:
        """Note that takmail is well."""
        # Takmail was well until just before the tick after the last one at which it said so.
        began_at = self._well_at + 1
        if self.now - began_at >= GUARD:
            self.outages.append(Outage(began_at, self.now))
            self._stop([*self._running.values()], self._down, began_at, self.now)
        self._well_at = self.now

    def _is_stopped(self, game: Game, tick: int) -> bool:
        return bool(self._down[tick] or game.off[tick])

    def _notice(self, game: Game, tick: int) -> None:
        """Note the spans that the time of a turn reaches in a tick."""
        if tick < game.start or self._is_stopped(game, tick):
            return
        for mark in game.marks:
            if mark.at is None and mark.span - game.ran < THIRDS:
                mark.at = THIRDS * tick + mark.span - game.ran
                self._ringing[game.number] = tick
        game.next_span = min((mark.span for mark in game.marks if mark.at is None), default=NEVER)

    def _recount(self, game: Game) -> None:
        """Count the time of a turn again, from its start till now."""
        self._ringing.pop(game.number, None)
        self._running.pop(game.number, None)
        game.ran, game.off, game.marks, game.start = 0, game.player.off, [*_marks(game)], self._start(game)
        if not game.is_open or game.start == NEVER:
            return
        self._running[game.number] = game
        game.next_span = min(mark.span for mark in game.marks)
        self._count(game, game.start)

    def _count(self, game: Game, first: int) -> None:
        """Add the ticks from `first` till now to the time of a turn."""
        down, off = self._down, game.off
        for tick in range(max(first, game.start), self.now):
            if not down[tick] and not off[tick]:
                if game.next_span - game.ran < THIRDS:
                    self._notice(game, tick)
                game.ran += THIRDS
        self._notice(game, self.now)

    def _stop(self, games: Iterable[Game], stops: bytearray, first: int, end: int) -> None:
        """Stop the clocks of games in some ticks, which may be past, and count these again."""
        for game in games:
            game.ran -= THIRDS * self._counted(game, first, self.now)
            for mark in game.marks:
                if mark.at is not None and mark.at >= THIRDS * first:
                    mark.at = None
            game.next_span = min((mark.span for mark in game.marks if mark.at is None), default=NEVER)
        stops[first:end] = bytes([1]) * (end - first)
        for game in games:
            self._count(game, first)

    def _start(self, game: Game) -> int:
        """Return when the clock of the turn started or will start, `NEVER` if it is not known."""
        start = max([game.since, *(turn.played_at for turn in game.turns[-1:])])
        letters = game.letters.get(len(game.turns), [])
        if not letters:
            return start
        starts = [one for one in (letter.starts() for letter in letters) if one is not None]
        return max(start, min(starts)) if starts else NEVER

    def _counted(self, game: Game, first: int, end: int) -> int:
        """Return how many of some ticks count for the turn."""
        return sum(not self._is_stopped(game, tick) for tick in range(max(first, game.start), end))

    def _took(self, game: Game) -> int:
        """Return the ticks that the turn has taken. At rest, nothing counts them."""
        return self._counted(game, game.start, self.now) if game.is_resting else game.ran // THIRDS

    def deadline(self, game: int) -> int | None:
        """Return when the time of the turn will be over by what is known now, None if no clock runs."""
        known = self.games[game]
        if not known.is_open or known.pace is None or known.start == NEVER:
            return None
        over = known.time("over")
        if over is not None:
            return over // THIRDS
        left, tick = known.allowance() - known.ran // THIRDS, max(self.now, known.start)
        down, off = self._down, known.off
        while left or down[tick] or off[tick]:
            if not down[tick] and not off[tick]:
                left -= 1
            tick += 1
        return tick

    # What happens by itself.

    def acts(self) -> None:
        """Do what is due now. takmail is well."""
        ringing = [self.games[number] for number, tick in self._ringing.items() if tick <= self.now]
        for game in sorted(ringing, key=lambda game: (game.due_at(), game.number)):
            # A day off that another game has just taken may have stopped this one's clock.
            if game.number in self._ringing:
                self._quiet(game) if game.pace is None else self._rings(game)

    def _quiet(self, game: Game) -> None:
        now, silent = THIRDS * self.now, game.time("silent")
        if silent is not None and silent <= now:
            if game.player.has_mail_until(silent // THIRDS):
                return
            if game.player.is_reminded:
                self._tell(game, "silent")
            self._rests(game)
        else:
            self._reminds(game)

    def _rings(self, game: Game) -> None:
        now, over = THIRDS * self.now, game.time("over")
        if over is None or now - over < THIRDS * GUARD:
            self._reminds(game)
        else:
            self._time_is_over(game, over // THIRDS)

    def _reminds(self, game: Game) -> None:
        """Send the last of the reminders that are due."""
        now = THIRDS * self.now
        due = [mark for mark in game.marks if game.has_to_say(mark, now)]
        if due:
            last = max(due, key=lambda mark: mark.span)
            game.handled = max(mark.at or 0 for mark in due)
            game.said |= {mark.span for mark in due}
            if game.player.is_reminded:
                self._tell(game, last.name)
        if game.time("over") is None and all(mark.at is None or mark.at <= now for mark in game.marks):
            del self._ringing[game.number]

    def _time_is_over(self, game: Game, over: int) -> None:
        player = game.player
        has_rest = game.is_asked and self.now - over >= TIME_TO_ANSWER
        if player.has_mail_until(over + (TIME_TO_ANSWER if has_rest else GUARD)):
            return
        game.handled = max(game.handled, THIRDS * (over + GUARD))
        if has_rest:
            self._rests(game)
        elif game.is_asked:
            self._ringing[game.number] = over + TIME_TO_ANSWER
        elif not player.is_manual and self.days_off(player.number, over) <= MOST_HOLIDAY - DAY:
            until = next((tick for tick in range(over, over + DAY) if player.off[tick]), over + DAY)
            self._stop(self._running_of(player), player.off, over, until)
            player.spans.append((over, until))
            is_last = self.days_off(player.number, until) > MOST_HOLIDAY - DAY
            if game.told is None or is_last or self._counted(game, game.told, over):
                self._tell(game, "told", over)
            self._tell(game, "holiday", over)
            game.told = until
        elif game.is_strict:
            self._tell(game, "lost")
            self.ends(game.number, "lost")
        else:
            game.is_asked = True
            self._tell(game, "asked")

    def _rests(self, game: Game) -> None:
        self._tell(game, "rests")
        game.is_resting, game.is_asked = True, False
        self._recount(game)

    def _tell(self, game: Game, what: str, since: int | None = None) -> None:
        self.done.append(Done(self.now, what, game.number, game.player.number, since))

    def days_off(self, player: int, tick: int) -> int:
        """Return how many ticks a player is off in the year of a tick."""
        year = next((first, end) for first, end in self._years if first <= tick < end)
        return self.players[player].off.count(1, *year)

    def _running_of(self, player: Player) -> Sequence[Game]:
        """Return the games in which the clock of a player runs."""
        return [game for game in self._running.values() if game.player is player]

    # What people and mail servers do.

    def joins(self, player: int) -> None:
        """Add a player."""
        self.players[player] = Player(player, bytearray(self._ticks))

    def begins(self, game: int, first: int, second: int, pace: Pace | None, is_strict: bool = False) -> None:
        """Begin a game. A letter to the player to move is written."""
        players = (self.players[first], self.players[second])
        begun = Game(game, players, pace, is_strict, self.now)
        self.games[game] = begun
        begun.letters[0] = [Letter()]
        self._recount(begun)

    def plays(self, game: int, counted: int | None) -> None:
        """Play a turn whose mail came at tick `counted`. None: both have agreed on a board. It wakes a game at rest."""
        played = self.games[game]
        seat, spent = played.seat, None
        if counted is not None:
            took = self._took(played) - self._counted(played, counted, self.now)
            spent = max(0, took - played.gifts[seat])
            played.gifts[seat] = 0
        played.turns.append(Turn(seat, spent, self.now))
        played.letters[len(played.turns)] = [Letter()]
        played.is_asked, played.is_resting, played.told = False, False, None
        played.handled, played.said = -1, set()
        self._recount(played)

    def letter_taken(self, game: int) -> None:
        """Let the mail server take the last letter to the player to move."""
        self._letter(game).taken_at = self.now
        self._recount(self.games[game])

    def letter_returned(self, game: int) -> None:
        """Let this letter come back, or rest, as nothing can be sent to its reader."""
        letter = self._letter(game)
        letter.taken_at, letter.returned_at = None, self.now
        self.games[game].said = set()
        self._recount(self.games[game])

    def another_letter(self, game: int) -> None:
        """Write another letter to the player to move that shows the last turn."""
        known = self.games[game]
        known.letters[len(known.turns)].append(Letter())
        self._recount(known)

    def _letter(self, game: int) -> Letter:
        known = self.games[game]
        return known.letters[len(known.turns)][-1]

    def mail_waits(self, player: int) -> None:
        """Let a mail of a player wait to be handled."""
        self.players[player].mails.append(self.now)

    def mail_handled(self, player: int) -> None:
        """Let the oldest mail of a player wait no more."""
        self.players[player].mails.pop(0)

    def away(self, player: int, until: int) -> None:
        """Let a player be off from now until a tick."""
        self.plans(player, self.now, until)

    def plans(self, player: int, first: int, until: int) -> None:
        """Let a player be off from a tick until another, in place of what was planned and overlaps it.

        What has begun ends when it begins.
        """
        known = self.players[player]
        spans = [(begin, min(end, first) if begin <= self.now else end) for begin, end in known.spans]
        apart = [(begin, end) for begin, end in spans if end <= first or until <= begin]
        self._let_be_off(known, [*apart, (first, until)])

    def back(self, player: int) -> None:
        """Let a player be off no more, but for what is planned."""
        known = self.players[player]
        spans = ((begin, min(end, self.now) if begin <= self.now else end) for begin, end in known.spans)
        self._let_be_off(known, [*spans])

    def _let_be_off(self, known: Player, spans: list[tuple[int, int]]) -> None:
        """Let a player be off in these spans of ticks from now on."""
        known.spans = [(begin, end) for begin, end in spans if begin < end]
        known.off[self.now :] = bytes(self._ticks - self.now)
        for begin, end in known.spans:
            if end > self.now:
                self._stop(self._running_of(known), known.off, max(begin, self.now), end)
        for game in self._running_of(known):
            self._notice(game, self.now)

    def holidays(self, player: int, is_manual: bool) -> None:
        """Let a player choose whether days off are taken for them."""
        self.players[player].is_manual = is_manual

    def reminders(self, player: int, is_reminded: bool) -> None:
        """Let a player choose whether they are reminded."""
        self.players[player].is_reminded = is_reminded

    def gives(self, game: int, ticks: int) -> None:
        """Let the opponent of the player to move give time."""
        known = self.games[game]
        known.gifts[known.seat] += ticks
        self._changes(known)

    def waits(self, game: int) -> None:
        """Let the opponent wait: from now on there are three days."""
        known = self.games[game]
        known.gifts[known.seat] += self._took(known) + WAITED - known.allowance()
        self._changes(known)

    def _changes(self, game: Game) -> None:
        """Go on with another allowance. What has been said till now is not said again."""
        game.is_asked = False
        self._recount(game)

    def claims(self, game: int) -> None:
        """Let the opponent claim the win."""
        self.ends(game, "claimed")

    def agrees(self, game: int, pace: Pace | None) -> None:
        """Let both agree on another pace. It begins with this turn."""
        known = self.games[game]
        known.pace, known.clock_from = pace, len(known.turns)
        self._restarts(known)

    def takes_back(self, game: int, count: int, is_agreed: bool) -> None:
        """Take back the last turns. If that is not agreed on, who played the last one has the time that they had."""
        known = self.games[game]
        for _ in range(count):
            del known.letters[len(known.turns)]
            known.turns.pop()
        known.told = None
        if is_agreed:
            self._restarts(known)
        else:
            known.is_asked, known.handled, known.said = False, -1, set()
            self._recount(known)

    def adjourns(self, game: int) -> None:
        """Adjourn a game."""
        self.games[game].is_adjourned = True
        self._recount(self.games[game])

    def resumes(self, game: int) -> None:
        """Resume a game."""
        self.games[game].is_adjourned = False
        self._restarts(self.games[game])

    def _restarts(self, game: Game) -> None:
        """Let the clock of the turn begin again now."""
        game.since, game.is_asked, game.is_resting = self.now, False, False
        game.handled, game.said = -1, set()
        self._recount(game)

    def ends(self, game: int, how: str) -> None:
        """End a game."""
        self.games[game].end = how
        self._recount(self.games[game])


def _marks(game: Game) -> Iterator[Mark]:
    """Yield the spans of a turn after which something happens."""
    if game.pace is None:
        yield Mark("quiet", THIRDS * QUIET[0])
        yield Mark("silent", THIRDS * QUIET[1])
        return
    allowance = game.allowance()
    if 2 * allowance >= THIRDS * AT_LEAST_BETWEEN:
        yield Mark("third", 2 * allowance)
    if allowance - 3 * DAY >= 3 * AT_LEAST_BETWEEN:
        yield Mark("day", THIRDS * (allowance - DAY))
    yield Mark("over", THIRDS * allowance)
