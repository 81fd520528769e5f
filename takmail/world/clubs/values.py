"""Define the stored data of a tournament: its terms, its entries, its pairings and its steps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, PlayerId

TournamentNumber = NewType("TournamentNumber", int)


class TournamentStanding(StrEnum):
    """The stage of a tournament. While it is `entering`, the season before may have a table."""

    ENTERING = "entering"
    RUNNING = "running"
    OVER = "over"


class Outcome(StrEnum):
    """How a pairing counts in the table: a seat won, a draw, or not at all."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    VOID = "void"


class DecidedBy(StrEnum):
    """What decided a pairing: its game, a player who dropped out, the organiser, or the end of its round."""

    PLAY = "play"
    DEFAULT = "default"
    RULING = "ruling"
    DATE = "date"


class DroppedOut(StrEnum):
    """How a player counts who dropped out: as if they had never played, or as who lost the rest."""

    UNCOUNTED = "uncounted"
    LOST = "lost"


class StepKind(StrEnum):
    """What happens to a tournament and is told to its players."""

    OPENED = "opened"
    BEGUN = "begun"
    ROUND_BEGUN = "round_begun"
    PUT_OFF = "put_off"
    LEFT = "left"
    TAKEN_OUT = "taken_out"
    ORGANISER_LEFT = "organiser_left"
    CORRECTED = "corrected"
    SEASON_OVER = "season_over"
    ENDED = "ended"


class Entry(NamedTuple):
    """A player in a season. `division` counts from 1, and is 0 before the season begins.

    * `out` says how a player counts who dropped out, None for everybody else
    * `stays`: the next season has the player, too
    * `seed` is the place of a player in the order in which a form pairs who can still win, 1 for the first one. It is 0
      for others, and in a form that has no such order
    """

    season: int
    player: PlayerId
    entered_at: datetime
    division: int = 0
    out: DroppedOut | None = None
    stays: bool = True
    seed: int = 0


KNOCK_OUT = 0
"""The division of the games of a match whose loser is out."""


class Pairing(NamedTuple):
    """Two players who play a game. `number` is that of the game, taken before the game begins.

    * `division` is that whose table it counts in, or `KNOCK_OUT`
    * `outcome` and `by` are None until it is decided. If a player dropped out, there may be no such game
    * `round` counts from 1 in each season
    """

    number: GameNumber
    season: int
    division: int
    first: PlayerId
    second: PlayerId
    outcome: Outcome | None = None
    by: DecidedBy | None = None
    round: int = 1

    @property
    def players(self) -> tuple[PlayerId, PlayerId]:
        """The players, first seat first."""
        return self.first, self.second

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of one of its players."""
        return Seat(self.players.index(player))

    def opponent_of(self, player: PlayerId) -> PlayerId:
        """Return the other player."""
        return self.players[self.seat_of(player).other]


class Step(NamedTuple):
    """What happened to a tournament. `version` is that of the tournament after it.

    * `division` is the only one whose players are told, 0 for all
    * `player` is whom it is about, and `game` the game whose result was corrected, each None if there is none
    * `why` is the reason that was given, '' if there is none
    """

    version: int
    kind: StepKind
    season: int
    at: datetime
    division: int = 0
    player: PlayerId | None = None
    game: GameNumber | None = None
    why: str = ""


class SeasonRows(NamedTuple):
    """What is stored of one season."""

    entries: tuple[Entry, ...]
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """What the games of a tournament have in common: the game, its set-up, and the time for turns, which is strict.

    `form` is the name of its form, and `round_days` how long a round may last, 0 if that has no limit.
    """

    kind: str
    setup: str
    pace: str
    form: str = "league"
    round_days: int = 0


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament, with the entries, pairings and steps of its last season and of the next one.

    * `version` is raised by each change, so that two workers who each store a last result don't both miss the end
    * `skeleton` is the form shared by all names that look like its own
    * `most` is the highest number of players
    * `organiser` may put it off, take somebody out, correct a result and end it, None if only the operator may
    * `season` is the last one that has begun, 0 before the first
    * `starts_at` is when the next season begins, None if that is as soon as all places are taken; while one runs, when
      its next round begins at the latest, None if it has none
    """

    number: TournamentNumber
    version: int
    name: str
    skeleton: str
    terms: TournamentTerms
    most: int
    organiser: PlayerId | None
    standing: TournamentStanding
    season: int
    starts_at: datetime | None
    created_at: datetime
    entries: tuple[Entry, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether a season runs."""
        return self.standing is TournamentStanding.RUNNING

    @property
    def is_over(self) -> bool:
        """Whether it has ended for good."""
        return self.standing is TournamentStanding.OVER

    # Who plays.

    def entries_of(self, season: int, division: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a season, those of a division if it is not 0."""
        entries = (entry for entry in self.entries if entry.season == season)
        return tuple(entry for entry in entries if division in (0, entry.division))

    @property
    def coming(self) -> tuple[Entry, ...]:
        """The entries of the next season."""
        return self.entries_of(self.season + 1)

    def entry(self, player: PlayerId, season: int | None = None) -> Entry | None:
        """Return the entry of a player in a season, the last one that has begun by default, or None."""
        wanted = self.season if season is None else season
        return next((entry for entry in self.entries_of(wanted) if entry.player == player), None)

    def plays(self, player: PlayerId) -> bool:
        """Tell whether a player plays in the season that runs and has not dropped out."""
        entry = self.entry(player)
        return self.is_running and entry is not None and entry.out is None

    def coming_entry(self, player: PlayerId) -> Entry:
        """Return the entry in the next season of a player who is in it."""
        entry = self.entry(player, self.season + 1)
        assert entry is not None
        return entry

    @property
    def is_full(self) -> bool:
        """Whether all places of the next season are taken. Who plays now and stays has one."""
        playing = self.entries_of(self.season) if self.is_running else ()
        staying = {entry.player for entry in playing if entry.stays and entry.out is None}
        return len(staying.union(entry.player for entry in self.coming)) >= self.most

    @property
    def divisions(self) -> range:
        """The numbers of the divisions of the last season."""
        return range(1, max((entry.division for entry in self.entries_of(self.season)), default=0) + 1)

    # What is played.

    def pairings_of(self, division: int = 0, player: PlayerId | None = None) -> tuple[Pairing, ...]:
        """Return the pairings of the last season: of a division if it is not 0, and of a player if one is given."""
        return tuple(
            pairing
            for pairing in self.pairings
            if pairing.season == self.season
            and division in (0, pairing.division)
            and (player is None or player in pairing.players)
        )

    def pairing(self, number: GameNumber) -> Pairing | None:
        """Return the pairing of the last season that is this game, None if there is none."""
        return next((one for one in self.pairings_of() if one.number == number), None)

    @property
    def round(self) -> int:
        """The last round of the last season that has begun, 0 before the first."""
        return max((pairing.round for pairing in self.pairings_of()), default=0)

    @property
    def is_decided(self) -> bool:
        """Whether all pairings of the last season are decided."""
        return all(pairing.outcome is not None for pairing in self.pairings_of())

    @property
    def is_round_decided(self) -> bool:
        """Whether all pairings of the last round are decided. Those of a round before may not be."""
        return all(one.outcome is not None for one in self.pairings_of() if one.round == self.round)

    def step(self, version: int) -> Step | None:
        """Return the step with which the tournament got a version, None if none of its last season has."""
        return next((step for step in self.steps if step.version == version), None)

    def as_of(self, season: int) -> "Tournament":
        """Return the tournament as if a season whose rows it has were the last one."""
        return replace(self, season=season)

    # The tournament after a change.

    def with_season(self, rows: SeasonRows) -> "Tournament":
        """Return the tournament with the rows of an older season."""
        return replace(
            self, entries=(*rows.entries, *self.entries), pairings=(*rows.pairings, *self.pairings)
        )

    def changed(self, **values: Any) -> "Tournament":
        """Return the tournament in its next version, with other values."""
        return replace(self, version=self.version + 1, **values)

    def with_entry(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries with one added or replaced."""
        others = [one for one in self.entries if (one.season, one.player) != (entry.season, entry.player)]
        return (*others, entry)

    def without_entry(self, season: int, player: PlayerId) -> tuple[Entry, ...]:
        """Return the entries without that of a player in a season."""
        return tuple(one for one in self.entries if (one.season, one.player) != (season, player))

    def with_pairings(self, changed: Sequence[Pairing]) -> tuple[Pairing, ...]:
        """Return the pairings with some replaced."""
        by_number = {pairing.number: pairing for pairing in changed}
        return tuple(by_number.get(pairing.number, pairing) for pairing in self.pairings)
