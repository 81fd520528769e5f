"""Show all results of a division as a picture."""

from collections.abc import Mapping
from itertools import permutations

from takmail.blocks import Blocks, Drawing, Small, message, only_html
from takmail.letters.pictures.standings import DRAWN, LOST, MOST_PLAYERS, OPEN, VOID, WON, CrossTable
from takmail.world.clubs.forms import division_table
from takmail.world.clubs.values import Outcome, Tournament

_LETTERS: Mapping[Outcome | None, str] = {
    Outcome.FIRST: WON,
    Outcome.DRAW: DRAWN,
    Outcome.SECOND: LOST,
    Outcome.VOID: VOID,
    None: OPEN,
}


def results_picture(tournament: Tournament, division: int) -> Blocks:
    """Return the picture of all results of a division, which only the HTML part has.

    There is none of a division without results, or with too many players, or where two have played more than two games.
    """
    lines, pairings = division_table(tournament, division), tournament.pairings_of(division)
    by_players = {pairing.players: pairing.outcome for pairing in pairings}
    results = "".join(
        _LETTERS[by_players.get(pair)] for pair in permutations([line.player for line in lines], 2)
    )
    is_legible = len(lines) <= MOST_PLAYERS and len(by_players) == len(pairings)
    if not is_legible or not set(results) - {OPEN}:
        return ()
    table = CrossTable(tuple(line.place for line in lines), results)
    drawing = Drawing("standings", (table, message("results_by_place")))
    return (only_html((drawing, Small(message("marks_of_results")))),)
