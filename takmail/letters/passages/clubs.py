"""Say how a tournament stands: its terms, who has entered, its tables, and the place of the reader."""

from collections.abc import Iterable

from takmail.blocks import (
    Blocks,
    Items,
    Message,
    Sheet,
    Text,
    buttons,
    message,
    paragraph,
)
from takmail.letters.passages.results import results_picture
from takmail.letters.passages.rounds import end_of_round, knock_out, own_match, shown_season
from takmail.letters.passages.times import pace_told
from takmail.letters.reader import Reader
from takmail.letters.text import width
from takmail.world import PlayerId
from takmail.world.clubs.forms import division_table
from takmail.world.clubs.table import TableLine
from takmail.world.clubs.values import DecidedBy, DroppedOut, Tournament, TournamentStanding

_WIDEST_NAME = 26
"""The number of columns of a name in a table. A longer one is cut, so that no line of the text is wrapped."""


def terms(reader: Reader, tournament: Tournament) -> Message:
    """Say what is played, and how."""
    return _terms(reader, tournament, in_short=False)


def terms_in_short(reader: Reader, tournament: Tournament) -> Message:
    """Say what is played."""
    return _terms(reader, tournament, in_short=True)


def _terms(reader: Reader, tournament: Tournament, *, in_short: bool) -> Message:
    agreed = tournament.terms
    return message(
        "tournament_games" if in_short else "tournament_terms",
        form=agreed.form,
        title=message("title", labels=reader.wording_of(agreed.kind).title(agreed.setup, is_relay=False)),
        pace=pace_told(agreed.pace),
    )


def beginning(tournament: Tournament) -> Message:
    """Say when the next season begins, and how many have entered it."""
    if tournament.starts_at is None and tournament.is_full:
        return message("season_begins_now", most=tournament.most)
    if tournament.starts_at is None:
        return message("season_begins_when_full", count=len(tournament.coming), most=tournament.most)
    return message(
        "season_begins_at",
        season=shown_season(tournament, tournament.season + 1),
        starts_at=tournament.starts_at,
        count=len(tournament.coming),
        most=tournament.most,
    )


def names_of(reader: Reader, players: Iterable[PlayerId]) -> tuple[Text, ...]:
    """Return the names of players."""
    return tuple(reader.world.player(player).name for player in players)


def division_sheet(reader: Reader, tournament: Tournament, division: int) -> Blocks:
    """Return the table of a division, below its heading if there are several."""
    lines = division_table(tournament, division)
    heading = message(
        "table_of_division",
        division=division,
        count=len(tournament.divisions),
        season=shown_season(tournament, tournament.season),
    )
    entries = tournament.entries_of(tournament.season, division)
    gone, lost = (
        names_of(reader, (entry.player for entry in entries if entry.out is counts_as))
        for counts_as in (DroppedOut.UNCOUNTED, DroppedOut.LOST)
    )
    uncounted = message("do_not_count", names=gone) if gone else None
    out = message("stand_below_others", names=lost) if lost else None
    head = (
        "",
        message("head_player"),
        message("head_points"),
        message("head_won"),
        message("head_drawn"),
        message("head_lost"),
        message("head_left"),
    )
    rows = tuple(_row(reader, line) for line in lines)
    return (*paragraph(heading), Sheet(head, rows), *paragraph(out, uncounted))


def _row(reader: Reader, line: TableLine) -> tuple[Text, ...]:
    name = reader.world.player(line.player).name
    numbers = (line.points, line.won, line.drawn, line.lost, line.left)
    return f"{line.place}.", _cut(name), *map(str, numbers)


def _cut(name: str) -> str:
    """Return a name that is not wider than the column."""
    while width(name) > _WIDEST_NAME:
        name = f"{name.removesuffix('…')[:-1]}…"
    return name


def tables(reader: Reader, tournament: Tournament) -> Blocks:
    """Return the matches of a knock-out, and the tables of all divisions, the reader's own first."""
    own = own_division(reader, tournament)
    ordered = sorted(tournament.divisions, key=lambda division: division != own)
    sheets = (
        block
        for division in ordered
        for block in (
            *division_sheet(reader, tournament, division),
            *(results_picture(tournament, division) if division == ordered[0] else ()),
        )
    )
    return (*knock_out(reader, tournament), *sheets)


def own_division(reader: Reader, tournament: Tournament) -> int:
    """Return the division of the reader in the last season, 0 if they are in none."""
    entry = None if reader.world.reader is None else tournament.entry(reader.world.reader)
    return 0 if entry is None else entry.division


def own_line(reader: Reader, tournament: Tournament) -> TableLine | None:
    """Return the reader's line in the table of their division, None if there is none."""
    division = own_division(reader, tournament)
    lines = division_table(tournament, division) if division else ()
    return next((line for line in lines if line.player == reader.world.reader), None)


def place_told(reader: Reader, tournament: Tournament, line: TableLine) -> Message:
    """Say which place the reader has."""
    return message(
        "place_in_table",
        name=tournament.name,
        place=line.place,
        is_shared=line.is_shared,
        division=own_division(reader, tournament),
        count=len(tournament.divisions),
        season=shown_season(tournament, tournament.season),
        points=line.points,
        left=line.left,
    )


def why_without_result(reader: Reader) -> Message:
    """Say why a game of a tournament ended without a result of its own."""
    seen = reader.game
    number, invitation = seen.game.record.number, seen.game.record.invitation
    assert invitation.tournament is not None, "only games of tournaments are asked about"
    tournament = reader.world.tournament(invitation.tournament)
    pairing, name, why = tournament.pairing(number), tournament.name, seen.why
    if pairing is not None and pairing.by is DecidedBy.DEFAULT:
        entries = (tournament.entry(player, pairing.season) for player in pairing.players)
        out = next(entry.player for entry in entries if entry is not None and entry.out is not None)
        left, is_you = reader.world.player(out).name, out == reader.world.reader
        return message("tournament_game_left", player=left, name=name, is_you=is_you)
    if pairing is not None and pairing.by is DecidedBy.DATE:
        return message("tournament_game_round_over", name=name)
    if pairing is not None and pairing.by is DecidedBy.RULING:
        is_ruled = any(step.game == number for step in tournament.steps)
        return message("tournament_game_ruled" if is_ruled else "tournament_game_ended", name=name, why=why)
    return message("tournament_game_is_void", why=why)


def place_in_table(reader: Reader) -> Blocks:
    """Say which place the reader has after a game of a tournament, in one line; nothing for any other game."""
    number = reader.game.game.record.invitation.tournament
    if number is None or not reader.has_ended:
        return ()
    tournament = reader.world.tournament_with_game(number, reader.game.game.number)
    if tournament is None:
        return ()
    pairing, line = tournament.pairing(reader.game.game.number), own_line(reader, tournament)
    told = None if pairing is None else own_match(reader, tournament, pairing)
    if told is None and pairing is not None and line is not None:
        told = place_told(reader, tournament, line)
    if told is None:
        return ()
    return (
        *paragraph(change_of_older_table(reader, tournament), told),
        buttons((message("label_table"), f"table {tournament.name}")),
    )


def change_of_older_table(reader: Reader, tournament: Tournament) -> Message | None:
    """Say that the table of a season changes that others have followed, None if none has."""
    if tournament.season == reader.world.tournament(tournament.number).season:
        return None
    return message("older_table_changes", name=tournament.name, season=tournament.season)


def whole_tournament(reader: Reader, tournament: Tournament) -> Blocks:
    """Say how a tournament stands."""
    coming = tuple((name,) for name in names_of(reader, (entry.player for entry in tournament.coming)))
    takes_entries = tournament.standing is TournamentStanding.ENTERING
    heading = message("entered_next", season=shown_season(tournament, tournament.season + 1))
    listed = (*paragraph(heading), Items(coming))
    ends_at = tournament.starts_at if tournament.is_running else None
    return (
        *paragraph(
            message("tournament_is", name=tournament.name, standing=tournament.standing.value),
            None if tournament.is_over else terms(reader, tournament),
            None if ends_at is None else end_of_round(tournament, ends_at),
        ),
        *(tables(reader, tournament) if tournament.season else ()),
        *(listed if coming else ()),
        *(paragraph(beginning(tournament), to_enter(tournament)) if takes_entries else ()),
    )


def to_enter(tournament: Tournament) -> Message:
    """Say which line enters a tournament."""
    return message("to_enter", line=f"enter {tournament.name}")
