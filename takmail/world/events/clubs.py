"""Define the events of tournaments.

Each raises the version of its tournament. What it starts in games, and each letter to one of many, is due work of its
own, which is done in a transaction of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from takmail.games.interface import Seat
from takmail.world import operations
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.results import open_pairings
from takmail.world.clubs.values import (
    DecidedBy,
    DroppedOut,
    Entry,
    Outcome,
    Pairing,
    Step,
    StepKind,
    Tournament,
    TournamentNumber,
    TournamentStanding,
)
from takmail.world.clubs_lookup import tournament_in, with_season
from takmail.world.events.base import Event
from takmail.world.kinds import PlayerId
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEvent(Event):
    """Base class of everything that happens to a tournament."""

    tournament: TournamentNumber

    def _now(self, world: World) -> Tournament:
        return tournament_in(world, self.tournament)


def _stepped(
    tournament: Tournament, kind: StepKind, at: datetime, *, season: int | None = None, **about: Any
) -> Tournament:
    """Return a changed tournament with a step, which has the tournament's version."""
    step = Step(tournament.version, kind, tournament.season if season is None else season, at, **about)
    return replace(tournament, steps=(*tournament.steps, step))


def _due(world: World, tournament: Tournament, at: datetime | None = None) -> World:
    """Return the world in which a tournament is looked at by itself, now or at a time."""
    return world.with_operation(
        operations.ScheduleWork(subject=tournament.number, work=operations.TOURNAMENT, at=at)
    )


def _games_due(world: World, pairings: Iterable[Pairing]) -> World:
    """Return the world in which the games of pairings begin or end as these say."""
    for pairing in pairings:
        work = operations.ScheduleWork(subject=pairing.number, work=operations.PAIRING)
        world = world.with_operation(work)
    return world


def _told(world: World, tournament: Tournament, players: Sequence[PlayerId] | None) -> World:
    """Return the world in which the last step is told to players, or to all who asked for news if it is None."""
    step = tournament.steps[-1]
    work = operations.told_work(tournament.number, step.version)
    return world.with_operation(
        operations.TellStep(work=work, players=None if players is None else tuple(players))
    )


def _entered(tournament: Tournament, division: int = 0) -> list[PlayerId]:
    """Return the players who are in a tournament, of a division if it is not 0, and those who come if it is 0."""
    entries = tournament.entries_of(tournament.season, division) if tournament.season else ()
    playing = [entry.player for entry in entries if entry.out is None]
    coming = [] if division else [entry.player for entry in tournament.coming]
    return [*dict.fromkeys((*playing, *coming))]


def _organiser(tournament: Tournament) -> list[PlayerId]:
    """Return the organiser, if a player is it."""
    return [] if tournament.organiser is None else [tournament.organiser]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened(TournamentEvent):
    """A tournament takes entries. Who asked for news hears of it."""

    opened: Tournament
    opened_at: datetime

    def apply(self, world: World) -> World:
        """Return the world with the tournament."""
        opened = _stepped(self.opened, StepKind.OPENED, self.opened_at, season=1)
        world = _told(world.with_tournament(opened), opened, None)
        return world if opened.starts_at is None else _due(world, opened, opened.starts_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEntered(TournamentEvent):
    """A player enters the next season. If all places are taken with that and no day is set, it begins."""

    player: PlayerId
    entered_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the player has entered."""
        old = self._now(world)
        entry = Entry(old.season + 1, self.player, self.entered_at)
        entries = old.with_entry(entry)
        playing = old.entry(self.player)
        new = old.changed(entries=entries)
        if playing is not None and playing.out is None and not playing.stays:
            new = replace(new, entries=new.with_entry(playing._replace(stays=True)))
        world = world.with_tournament(new)
        return _due(world, new) if new.is_full and new.starts_at is None and not new.is_running else world


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(TournamentEvent):
    """A player does not play in the next season. One that runs they play to its end.

    * `refused_at` and `why` are set if the organiser does not let them in, who is then told
    * `gone_at` is set if they can't play any more, as they are gone or blocked. The organiser is then told
    """

    player: PlayerId
    refused_at: datetime | None = None
    gone_at: datetime | None = None
    why: str = ""

    def apply(self, world: World) -> World:
        """Return the world in which the player is not in the next season."""
        old = self._now(world)
        new = old.changed(entries=old.without_entry(old.season + 1, self.player))
        playing = old.entry(self.player)
        if playing is not None:
            new = replace(new, entries=new.with_entry(playing._replace(stays=False)))
        season = old.season + 1
        if self.gone_at is not None:
            new = _stepped(new, StepKind.LEFT, self.gone_at, season=season, player=self.player)
            return _told(world.with_tournament(new), new, _organiser(new))
        if self.refused_at is None:
            return world.with_tournament(new)
        new = _stepped(
            new, StepKind.TAKEN_OUT, self.refused_at, season=season, player=self.player, why=self.why
        )
        return _told(world.with_tournament(new), new, [self.player])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDroppedOut(TournamentEvent):
    """A player drops out of the season that runs, or is taken out for the reason `why` (`is_taken_out`).

    `counts_as` says how they count. The others of the division are told, and so is the organiser, or who was taken out.
    """

    player: PlayerId
    counts_as: DroppedOut
    dropped_at: datetime
    is_taken_out: bool = False
    why: str = ""

    def apply(self, world: World) -> World:
        """Return the world in which none of the player's pairings is open."""
        old = self._now(world)
        entry = old.entry(self.player)
        assert entry is not None
        changed = [
            _by_default(pairing, self.player, self.counts_as) for pairing in open_pairings(old, self.player)
        ]
        new = old.changed(
            entries=old.without_entry(old.season + 1, self.player), pairings=old.with_pairings(changed)
        )
        new = replace(new, entries=new.with_entry(entry._replace(out=self.counts_as, stays=False)))
        kind = StepKind.TAKEN_OUT if self.is_taken_out else StepKind.LEFT
        new = _stepped(new, kind, self.dropped_at, division=entry.division, player=self.player, why=self.why)
        also = [self.player] if self.is_taken_out else [one for one in _organiser(new) if one != self.player]
        concerned = 0 if form_of(new).has_rounds else entry.division
        told = dict.fromkeys([*_entered(new, concerned), *also])
        world = _told(world.with_tournament(new), new, [*told])
        world = _games_due(world, changed)
        return _due(world, new) if new.is_round_decided else world


def _by_default(pairing: Pairing, player: PlayerId, counts_as: DroppedOut) -> Pairing:
    """Return a pairing as it is decided when one of its players drops out."""
    won = Outcome.SECOND if pairing.seat_of(player) is Seat.FIRST else Outcome.FIRST
    outcome = Outcome.VOID if counts_as is DroppedOut.UNCOUNTED else won
    return pairing._replace(outcome=outcome, by=DecidedBy.DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserLeft(TournamentEvent):
    """The organiser leaves for good. The tournament goes on, and only the operator organises it. All are told."""

    left_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which it has no organiser."""
        new = self._now(world).changed(organiser=None)
        new = _stepped(new, StepKind.ORGANISER_LEFT, self.left_at)
        return _told(world.with_tournament(new), new, _entered(new))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun(TournamentEvent):
    """The next round begins with these pairings, and these entries have changed. Each game begins by itself.

    The round after it begins at `next_at` at the latest, if that is not None. Who was in the last round or is in this
    one is told.
    """

    entries: tuple[Entry, ...]
    pairings: tuple[Pairing, ...]
    begun_at: datetime
    next_at: datetime | None = None

    def apply(self, world: World) -> World:
        """Return the world in which the round runs."""
        old = self._now(world)
        new = self._begun(old, old.season)
        before = {player for one in old.pairings_of() if one.round == old.round for player in one.players}
        now = {player for pairing in self.pairings for player in pairing.players}
        seeded = {entry.player for entry in new.entries_of(new.season) if entry.seed}
        heard = before | now | seeded
        new = _stepped(new, StepKind.ROUND_BEGUN, self.begun_at)
        return self._told(world, new, [player for player in _entered(new) if player in heard])

    def _begun(self, old: Tournament, season: int) -> Tournament:
        """Return the tournament with what was drawn for a season. Who comes later is in the season that runs, then."""
        drawn = {entry.player for entry in self.entries}
        kept = (
            one for one in old.entries if one.player not in drawn or one.season not in (season, season + 1)
        )
        return old.changed(
            season=season,
            standing=TournamentStanding.RUNNING,
            starts_at=self.next_at,
            entries=(*kept, *self.entries),
            pairings=(*old.pairings, *self.pairings),
        )

    def _told(self, world: World, new: Tournament, players: Sequence[PlayerId]) -> World:
        """Return the world in which these players hear of it, and the games begin."""
        world = _games_due(_told(world.with_tournament(new), new, players), self.pairings)
        return world if self.next_at is None else _due(world, new, self.next_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonBegun(RoundBegun):
    """The next season begins with these entries, and with the pairings of its first round. Its players are told."""

    def apply(self, world: World) -> World:
        """Return the world in which the season runs."""
        old = self._now(world)
        season = old.season + 1
        coming = old.coming
        old = replace(old, entries=tuple(entry for entry in old.entries if entry not in coming))
        new = _stepped(self._begun(old, season), StepKind.BEGUN, self.begun_at)
        return self._told(world, new, _entered(new))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOver(TournamentEvent):
    """The time of a round is over, and its games that are still open count as these pairings say."""

    pairings: tuple[Pairing, ...]

    def apply(self, world: World) -> World:
        """Return the world in which they are decided, and end by themselves."""
        old = self._now(world)
        world = world.with_tournament(old.changed(pairings=old.with_pairings(self.pairings)))
        return _games_due(world, self.pairings)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPutOff(TournamentEvent):
    """The next season or round begins later, for the reason `why`, or as there are too few players if it is ''."""

    until: datetime
    put_off_at: datetime
    why: str = ""

    def apply(self, world: World) -> World:
        """Return the world in which it begins then."""
        old = self._now(world)
        new = _stepped(
            old.changed(starts_at=self.until),
            StepKind.PUT_OFF,
            self.put_off_at,
            season=old.season if old.is_running else old.season + 1,
            why=self.why,
        )
        concerned = _entered(new) if new.is_running else [entry.player for entry in new.coming]
        return _due(_told(world.with_tournament(new), new, concerned), new, self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingDecided(TournamentEvent):
    """A game counts so in the table. That may be the table of a season before the last one."""

    pairing: Pairing

    def apply(self, world: World) -> World:
        """Return the world in which it does."""
        old = with_season(world, self.tournament, self.pairing.season)
        new = old.changed(pairings=old.with_pairings([self.pairing]))
        world, is_last = world.with_tournament(new), self.pairing.season == new.season
        return _due(world, new) if is_last and new.is_running and new.is_round_decided else world


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRuled(PairingDecided):
    """The organiser or the operator gives a game another result in the table, for the reason `why`.

    If the game runs, it ends with that.
    """

    ruled_at: datetime
    why: str

    def apply(self, world: World) -> World:
        """Return the world in which it has that result, and the players of its division are told."""
        world = PairingDecided.apply(self, world)
        new, division = self._now(world), self.pairing.division
        new = _stepped(
            new,
            StepKind.CORRECTED,
            self.ruled_at,
            division=division,
            game=self.pairing.number,
            why=self.why,
        )
        told = _entered(new.as_of(self.pairing.season), division)
        return _games_due(_told(world.with_tournament(new), new, told), [self.pairing])


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnded(TournamentEvent):
    """A season is over. Who stays is in the next one, which begins at `next_at`. If that is None, there is none."""

    ended_at: datetime
    next_at: datetime | None

    def apply(self, world: World) -> World:
        """Return the world in which the tournament takes entries for the next season."""
        old = self._now(world)
        known = {entry.player for entry in old.coming}
        staying = tuple(
            Entry(old.season + 1, entry.player, entry.entered_at)
            for entry in old.entries_of(old.season)
            if self.next_at is not None and entry.stays and entry.out is None and entry.player not in known
        )
        standing = TournamentStanding.OVER if self.next_at is None else TournamentStanding.ENTERING
        new = old.changed(standing=standing, starts_at=self.next_at, entries=(*old.entries, *staying))
        new = _stepped(new, StepKind.SEASON_OVER, self.ended_at)
        playing = [entry.player for entry in old.entries_of(old.season) if entry.out is None]
        world = _told(world.with_tournament(new), new, playing)
        return world if self.next_at is None else _due(world, new, self.next_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEnded(TournamentEvent):
    """A tournament ends for good, for the reason `why`. Games that are not decided are void."""

    ended_at: datetime
    why: str

    def apply(self, world: World) -> World:
        """Return the world in which it is over."""
        old = self._now(world)
        void = [pairing._replace(outcome=Outcome.VOID, by=DecidedBy.RULING) for pairing in open_pairings(old)]
        new = old.changed(standing=TournamentStanding.OVER, starts_at=None, pairings=old.with_pairings(void))
        new = _stepped(new, StepKind.ENDED, self.ended_at, why=self.why)
        world = _told(world.with_tournament(new), new, _entered(new))
        return _games_due(world, void)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTold(TournamentEvent):
    """A player hears what has happened to a tournament."""

    step: Step
    player: PlayerId
