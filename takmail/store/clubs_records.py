"""Declare how tournaments are stored, and what of it is personal."""

from operator import attrgetter
from typing import Any

from sqlmodel import col

from takmail.store.held import Held, Shown
from takmail.store.personal_data import YOU
from takmail.store.record import Record
from takmail.store.statements import select
from takmail.store.tables import EntryRow, PairingRow, StepRow, TournamentRow
from takmail.world.clubs.values import Entry, Pairing, Step, Tournament, TournamentTerms

_NAME: Any = (
    select(TournamentRow.name).where(col(TournamentRow.id) == EntryRow.tournament_id).scalar_subquery()
)
_TOURNAMENT = """
id=number version name skeleton kind=terms.kind setup=terms.setup pace=terms.pace form=terms.form
round_days=terms.round_days most organiser_id=organiser standing
season starts_at created_at
"""


def _tournament(*row: Any) -> Tournament:
    return Tournament(*(*row[:4], TournamentTerms(*row[4:9]), *row[9:]))


TOURNAMENTS = Record(
    Held(
        TournamentRow,
        rows=col(TournamentRow.organiser_id) == YOU,
        shown=Shown(
            "tournaments", col(TournamentRow.organiser_id) == YOU, "name you_organise_it_since=created_at"
        ),
        plain="id version skeleton kind setup pace form round_days most organiser_id standing season starts_at",
    ),
    lambda tournament: [tournament],
    ("id",),
    _TOURNAMENT,
    _tournament,
    guards=("version",),
)
ENTRIES = Record(
    Held(
        EntryRow,
        # The table of a season goes on without the name.
        rows=col(EntryRow.player_id) == YOU,
        shown=Shown(
            "entries",
            col(EntryRow.player_id) == YOU,
            "tournament season division at=entered_at dropped_out=out stays seed",
            since="entered_at",
            computed={"tournament": _NAME},
        ),
        plain="player_id",
    ),
    attrgetter("entries"),
    ("tournament_id", "season", "player_id"),
    "season player_id=player entered_at division out stays seed",
    Entry,
    "tournament_id",
)
PAIRINGS = Record(
    Held(
        PairingRow,
        rows=(col(PairingRow.first_id) == YOU) | (col(PairingRow.second_id) == YOU),
        plain="game_id tournament_id season division first_id second_id outcome decided_by round",
    ),
    attrgetter("pairings"),
    ("game_id",),
    "game_id=number season division first_id=first second_id=second outcome decided_by=by round",
    Pairing,
    "tournament_id",
)
STEPS = Record(
    Held(
        StepRow,
        # The organiser's words may name the player.
        rows=col(StepRow.player_id) == YOU,
        becomes={"why": ""},
        shown=Shown("steps", col(StepRow.player_id) == YOU, "at=happened_at kind why", since="happened_at"),
        plain="tournament_id version season division player_id game_id",
    ),
    attrgetter("steps"),
    ("tournament_id", "version"),
    "version kind season happened_at=at division player_id=player game_id=game why",
    Step,
    "tournament_id",
)
