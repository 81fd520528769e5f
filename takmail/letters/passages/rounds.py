"""Say how a tournament with rounds stands: who meets whom in a knock-out, and how a match has ended."""

from datetime import datetime

from takmail.blocks import Blocks, Items, Message, message, paragraph
from takmail.letters.reader import Reader
from takmail.world import PlayerId
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.matches import Match, match_of, matches, size_of_round
from takmail.world.clubs.values import KNOCK_OUT, Pairing, Tournament


def shown_season(tournament: Tournament, season: int) -> int:
    """Return the number of a season as letters show it, 0 if there is only one."""
    return season if form_of(tournament).repeats else 0


def end_of_round(tournament: Tournament, ends_at: datetime) -> Message:
    """Say when a round is over at the latest, and what then becomes of open games."""
    return message("round_ends_at", ends_at=ends_at, ends_games=form_of(tournament).ends_games)


def knock_out(reader: Reader, tournament: Tournament) -> Blocks:
    """Return the matches of all rounds of a knock-out, the last round first."""
    blocks: Blocks = ()
    for number in range(tournament.round, 0, -1):
        drawn = matches(tournament, number)
        if drawn:
            heading = message("round_of_knock_out", players=size_of_round(tournament, number))
            listed = Items(tuple((_listed(reader, match),) for match in drawn))
            blocks = (*blocks, *paragraph(heading), listed)
    return blocks


def _listed(reader: Reader, match: Match) -> Message:
    first, second = (reader.world.player(player).name for player in match.players)
    own, others = match.points
    return message("match_in_list", first=first, second=second, own=own, others=others, left=match.left)


def own_match(reader: Reader, tournament: Tournament, pairing: Pairing) -> Message | None:
    """Say how the reader's match stands after one of its games, None if the game is none of a knock-out."""
    you = reader.world.reader
    if pairing.division != KNOCK_OUT or you not in pairing.players:
        return None
    match = match_of(tournament, you, pairing.round)
    assert match is not None
    opponent, entry = match.opponent_of(you), tournament.entry(you)
    can_win = entry is not None and entry.seed > 0
    return message(
        "knock_out_match_stands",
        name=tournament.name,
        opponent=reader.world.player(opponent).name,
        own=match.points_of(you),
        others=match.points_of(opponent),
        state="open" if match.winner is None else "won" if match.winner == you else "lost",
        is_final=can_win and size_of_round(tournament, pairing.round) == 2,
        can_win=can_win,
    )


def last_match(reader: Reader, tournament: Tournament) -> Message | None:
    """Say how the reader's last match of a knock-out ended, None if they were in none."""
    games = (one for one in tournament.pairings_of(player=reader.world.reader) if one.division == KNOCK_OUT)
    last = max(games, key=lambda pairing: pairing.round, default=None)
    return None if last is None or reader.world.reader is None else own_match(reader, tournament, last)


def is_in_round(tournament: Tournament, player: PlayerId | None) -> bool:
    """Tell whether a player plays in the round that runs, or has a bye in it."""
    entry = None if player is None else tournament.entry(player)
    return entry is not None and (entry.seed > 0 or not matches(tournament, tournament.round))


def round_headline(tournament: Tournament, you: PlayerId | None) -> Blocks:
    """Say which round begins, and whether the reader plays in it."""
    number = tournament.round
    own = (
        [one for one in tournament.pairings_of(player=you) if one.round == number] if you is not None else []
    )
    if not matches(tournament, number):
        begins = message("round_begins", name=tournament.name, round=number)
        return paragraph(begins, None if own else message("you_have_bye"))
    begins = message("knock_out_begins", name=tournament.name, players=size_of_round(tournament, number))
    how = None if own else message("you_wait_or_are_out", is_in=is_in_round(tournament, you))
    return paragraph(begins, how)
