"""The tables of tournaments: their entries, pairings and steps."""

from datetime import datetime

from sqlalchemy import Index, Text, text, true
from sqlmodel import Field

from takmail.store.tables.column_types import NAME, WORD, Moment, OneOf, TableRow
from takmail.world.clubs.values import DecidedBy, DroppedOut, Outcome, StepKind, TournamentStanding

_GOES_ON = text("standing <> 'over'")


class TournamentRow(TableRow, table=True):
    """A tournament. Each change increments `version`, and an update requires the version that it has read.

    `skeleton` is the form of the name in which look-alike names are equal. It is unique among those that go on. `kind`,
    `setup` and `pace` are the terms of its games, and `most` is the highest number of players. `season` is the last one
    that has begun. `starts_at` is when the next one, or the next round of one that runs, begins, or None if that has no
    time. `form` is the tournament's form, and `round_days` how long a round may last, 0 if that has no limit.
    """

    __table_args__ = (
        Index(
            "ix_tournament_skeleton",
            "skeleton",
            unique=True,
            sqlite_where=_GOES_ON,
        ),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    version: int
    name: str = Field(sa_type=NAME)
    skeleton: str = Field(sa_type=NAME)
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    pace: str = Field(sa_type=NAME)
    form: str = Field(default="league", sa_type=WORD, sa_column_kwargs={"server_default": "league"})
    round_days: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    most: int
    organiser_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    standing: TournamentStanding = Field(sa_type=OneOf(TournamentStanding))
    season: int
    starts_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)


class EntryRow(TableRow, table=True):
    """A player in a season of a tournament. `division` is 0 before the season begins.

    `out` says how a player counts who dropped out, None for the others. `stays`: the next season has the player, too.
    `seed` is the place in the order in which a form pairs who can still win, 0 for the others.
    """

    tournament_id: int = Field(foreign_key="tournament.id", primary_key=True)
    season: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    entered_at: datetime = Field(sa_type=Moment)
    division: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    out: DroppedOut | None = Field(default=None, sa_type=OneOf(DroppedOut))
    stays: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    seed: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class PairingRow(TableRow, table=True):
    """A game that a tournament has drawn. Its number is taken before the game begins, so there may be no such game.

    `first_id` has the first turn. `outcome` is how it counts in the table, and `decided_by` what decided it. Both are
    None until then.
    """

    game_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tournament_id: int = Field(foreign_key="tournament.id", index=True)
    season: int
    division: int
    first_id: int = Field(foreign_key="player.id", index=True)
    second_id: int = Field(foreign_key="player.id", index=True)
    outcome: Outcome | None = Field(default=None, sa_type=OneOf(Outcome))
    decided_by: DecidedBy | None = Field(default=None, sa_type=OneOf(DecidedBy))
    round: int = Field(default=1, sa_column_kwargs={"server_default": "1"})


class StepRow(TableRow, table=True):
    """What happened to a tournament. `version` is the tournament's version after it.

    `division` is 0 if all players are told. `player_id` is whom it is about, `game_id` the game whose result was
    corrected, and `why` the reason that was given.
    """

    tournament_id: int = Field(foreign_key="tournament.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: StepKind = Field(sa_type=OneOf(StepKind))
    season: int
    happened_at: datetime = Field(sa_type=Moment)
    division: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    game_id: int | None = None
    why: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
