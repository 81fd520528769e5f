"""List the forms of tournaments, and answer what depends on them."""

from collections.abc import Mapping

from takmail.world.clubs.form import Form
from takmail.world.clubs.groups import Groups
from takmail.world.clubs.league import League
from takmail.world.clubs.rounds import Rounds
from takmail.world.clubs.table import TableLine
from takmail.world.clubs.values import Tournament

FORMS: Mapping[str, Form] = {"league": League(), "groups": Groups(), "rounds": Rounds()}
"""The forms, by the name behind `form=`. The first one needs no name."""


def form_of(tournament: Tournament) -> Form:
    """Return the form of a tournament."""
    return FORMS[tournament.terms.form]


def takes_entries(tournament: Tournament) -> bool:
    """Tell whether players can enter a tournament now: for a season that has not begun, or late."""
    form = form_of(tournament)
    is_late = tournament.is_running and not form.repeats
    return not tournament.is_over and (not is_late or form.takes_late(tournament))


def division_table(tournament: Tournament, division: int) -> tuple[TableLine, ...]:
    """Return the table of a division of the last season, the best first."""
    return form_of(tournament).table(tournament, division)
