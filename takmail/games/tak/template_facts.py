"""The data of a position for the words of Tak's letters."""

from dataclasses import dataclass

from takmail.games.tak.notation import mail, rs
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.outcome import EndedBy, Outcome
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position
from takmail.games.tak.road import road_of
from takmail.games.tak.setup import TakSetup


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side's number of flats on top, and its reserve."""

    flats: int
    stones: int
    capstones: int


@dataclass(frozen=True, slots=True)
class RoadFacts:
    """A finished road: its colour, its squares in order, and the edges where it starts and ends."""

    color: str
    start: str
    end: str
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakFacts:
    """A position in words and numbers, for the game's `Wording`.

    `opening` is true if the next ply places one of the opponent's flats. `has_capstones` is true if boards of this
    size have capstones. `komi` is in flats, as text, and `0` if there is none. `scoring` names the scoring rules.
    `columns` is the line of letters above the aligned board. `coins` names the rules about coins, '' if there are
    none. `caps` is the number of each player's capstones if the players have agreed on an unusual one, else None.
    `must_call`: takmail calls tak where the player does not.
    """

    size: int
    opening: bool
    has_capstones: bool
    komi: str
    scoring: str
    white: SideFacts
    black: SideFacts
    columns: str
    coins: str = ""
    caps: int | None = None
    must_call: bool = False


def facts_of(position: Position, setup: TakSetup | None) -> TakFacts:
    """Return the facts of a position in a game with this set-up, None for a position on its own."""
    setup = setup or TakSetup(position.size, position.half_komi)
    return TakFacts(
        size=position.size,
        opening=position.in_opening,
        has_capstones=position.whole(Color.WHITE).capstones > 0,
        komi=write_komi(position.half_komi),
        scoring=setup.scoring.value,
        white=_side(position, Color.WHITE),
        black=_side(position, Color.BLACK),
        columns=rs.legend(position),
        coins="" if setup.coins is None else setup.coins.value,
        caps=setup.capstones,
        must_call=setup.must_call,
    )


def roads_of(position: Position, outcome: Outcome) -> tuple[RoadFacts, ...]:
    """Return the roads that ended a game, the winner's first; none if the game ended otherwise."""
    if outcome.ended_by is not EndedBy.ROAD or outcome.winner is None:
        return ()
    found = ((color, road_of(position, color)) for color in (outcome.winner, outcome.winner.other))
    return tuple(
        RoadFacts(
            color.value,
            road.start.value,
            road.end.value,
            tuple(mail.square_name(position.board, square) for square in road.squares),
        )
        for color, road in found
        if road is not None
    )


def _side(position: Position, color: Color) -> SideFacts:
    reserve = position.reserve(color)
    return SideFacts(position.flats(color), reserve.stones, reserve.capstones)
