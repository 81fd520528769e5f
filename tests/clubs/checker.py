"""A table computed anew, another way than takmail does it: from a matrix of points, with fractions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from takmail.world.clubs.values import Outcome, Pairing

WON = {Outcome.FIRST: (1, 0), Outcome.SECOND: (0, 1), Outcome.DRAW: (Fraction(1, 2), Fraction(1, 2))}


def places(
    players: Sequence[int],
    pairings: Iterable[Pairing],
    out: Collection[int] = (),
    byes: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, int]:
    """Return the place of each player: points, each other, Sonneborn-Berger, wins with the second turn, else shared.

    Those who are out have the last places. `byes` are points, in wins, without a game.
    """
    got = {(one, other): Fraction(0) for one in players for other in players}
    behind = dict.fromkeys(players, 0)
    for pairing in pairings:
        shares = WON.get(pairing.outcome) if pairing.outcome is not None else None
        if shares is None or not {*players}.issuperset(pairing.players):
            continue
        got[pairing.first, pairing.second] += shares[0]
        got[pairing.second, pairing.first] += shares[1]
        behind[pairing.second] += pairing.outcome is Outcome.SECOND
    points = {one: sum((got[one, other] for other in players), Fraction(byes.get(one, 0))) for one in players}

    def key(one: int) -> tuple[int, Fraction, Fraction, Fraction, int]:
        mutual = sum((got[one, other] for other in players if points[other] == points[one]), Fraction(0))
        berger = sum((got[one, other] * points[other] for other in players), Fraction(0))
        return -(one in out), points[one], mutual, berger, behind[one]

    return {one: 1 + sum(key(other) > key(one) for other in players) for one in players}
