"""List the forms of tournaments, and answer what depends on them."""

from takmail.world.clubs.form import Form
from takmail.world.clubs.league import League
from takmail.world.clubs.table import TableLine
from takmail.world.clubs.values import Tournament

_LEAGUE: Form = League()


def form_of(_tournament: Tournament) -> Form:
    """Return the form of a tournament."""
    return _LEAGUE


def division_table(tournament: Tournament, division: int) -> tuple[TableLine, ...]:
    """Return the table of a division of the last season, the best first."""
    return form_of(tournament).table(tournament, division)
