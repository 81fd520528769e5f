"""Answer with tournaments: how one stands, and which there are."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Items, buttons, message, paragraph
from takmail.letters.passages.clubs import beginning, tables, terms_in_short, whole_tournament
from takmail.letters.passages.rounds import shown_season
from takmail.letters.reader import Builder, Reader
from takmail.world.clubs.forms import takes_entries
from takmail.world.clubs.values import TournamentNumber


def tournament_shown(reader: Reader, *, number: TournamentNumber) -> Blocks:
    """Say how a tournament stands."""
    return whole_tournament(reader, reader.world.tournament(number))


def season_shown(reader: Reader, *, number: TournamentNumber, season: int) -> Blocks:
    """Show the tables of a season."""
    return tables(reader, reader.world.tournament_in_season(number, season))


def tournaments_listed(reader: Reader, *, numbers: tuple[TournamentNumber, ...]) -> Blocks:
    """List the tournaments that go on."""
    if not numbers:
        return paragraph(message("no_tournaments"), message("news_of_tournaments"))
    every = [reader.world.tournament(number) for number in numbers]
    entries = (
        (
            message(
                "listed_tournament",
                name=one.name,
                standing=one.standing.value,
                season=shown_season(one, one.season),
            ),
            terms_in_short(reader, one),
            *(() if one.is_running else (beginning(one),)),
        )
        for one in every
    )
    touched = [
        (message("label_enter", name=one.name), f"enter {one.name}")
        for one in every
        if takes_entries(one) and not one.is_full
    ]
    return (
        *paragraph(message("tournaments_are")),
        Items(tuple(entries)),
        *((buttons(*touched),) if touched else ()),
        *paragraph(message("how_to_enter"), message("news_of_tournaments")),
    )


BUILDERS: Mapping[str, Builder] = {
    "tournament_shown": tournament_shown,
    "season_shown": season_shown,
    "tournaments_listed": tournaments_listed,
}
"""The builders of these answers, by their reason."""
