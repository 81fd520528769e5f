"""The coins of University Rules and Femr's Folly. They follow from the turns and the set-up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.games.interface import Result, Seat
from takmail.games.optional import Account
from takmail.games.tak.calls import is_tak
from takmail.games.tak.moves import Place
from takmail.games.tak.notation.mail import MailMove
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color, Kind
from takmail.games.tak.position import Position
from takmail.games.tak.setup import CoinRules, TakSetup

_STAKE = 10
"""What each player puts into the pot by the University Rules."""
_FINE = 2
"""What a call of tak costs the opponent by the University Rules."""
_BY_FLATS = (EndedBy.FULL.value, EndedBy.RESERVES.value)
_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Coins:
    """The coins after some turns, first seat first.

    * `due` is what each player pays with their next turn
    * `last_caller` made the last true call that cost the opponent something (University Rules)
    * `firsts` are what happened for the first time: a wall, a capstone, tak (Femr's Folly)
    """

    pot: int
    paid: _Pair
    taken: _Pair = (0, 0)
    due: _Pair = (0, 0)
    last_caller: Seat | None = None
    firsts: frozenset[str] = frozenset()

    def pay(self, seat: Seat, coins: int) -> "Coins":
        """Return the coins after a player has put some into the pot."""
        return replace(self, pot=self.pot + coins, paid=_added(self.paid, seat, coins))

    def take(self, seat: Seat, coins: int) -> "Coins":
        """Return the coins after a player has taken some out of the pot."""
        return replace(self, pot=self.pot - coins, taken=_added(self.taken, seat, coins))


def first_coins(setup: TakSetup) -> Coins | None:
    """Return the coins before the first turn, None if no coins are played for, or a bid is missing."""
    match setup.coins:
        case CoinRules.UNIVERSITY if setup.bids is not None:
            # Only the player who begins pays the bid.
            paid = (_STAKE + setup.bids[0], _STAKE)
        case CoinRules.FEMR:
            paid = (setup.size**2, setup.size**2 - setup.size)
        case _:
            return None
    return Coins(sum(paid), paid)


def coins_after(setup: TakSetup, coins: Coins, before: Position, read: MailMove, after: Position) -> Coins:
    """Return the coins after a turn that was played on the position `before` and led to `after`.

    Whether a call is true is only asked where it moves coins, because the answer takes some time.
    """
    seat, move = _seat(before.to_move), read.move
    if setup.coins is CoinRules.UNIVERSITY:
        if coins.due[seat]:
            coins = replace(coins.pay(seat, coins.due[seat]), due=_with(coins.due, seat, 0))
        if read.tak and coins.last_caller is not seat and is_tak(after):
            coins = replace(coins, due=_with(coins.due, seat.other, _FINE), last_caller=seat)
        return coins
    kind = move.kind if isinstance(move, Place) and not before.in_opening else Kind.FLAT
    if kind is not Kind.FLAT and kind.value not in coins.firsts:
        rows = 1 if kind is Kind.WALL else 2
        coins = replace(coins.pay(seat, rows * setup.size), firsts=coins.firsts | {kind.value})
    if read.tak and "tak" not in coins.firsts and is_tak(after):
        coins = replace(coins.take(seat, setup.size), firsts=coins.firsts | {"tak"})
    return coins


def account_of(
    setup: TakSetup, coins: Coins, position: Position, take_backs: Sequence[Seat], result: Result | None
) -> Account:
    """Return the account of a game for coins as `Ledger.account` does."""
    assert setup.coins is not None
    for seat in take_backs:
        coins = coins.pay(seat, setup.size)
    last = take_backs[-1] if take_backs else None
    rights = (last is not Seat.FIRST, last is not Seat.SECOND)
    facts = {
        "rules": setup.coins.value,
        "bids": setup.bids,
        "row": setup.size,
        "last_caller": coins.last_caller,
        "open": tuple(one for one in _firsts(position) if one not in coins.firsts),
    }
    account = Account(coins.pot, coins.paid, coins.taken, coins.due, facts=facts)
    if setup.coins is CoinRules.FEMR:
        account = replace(account, may_take_back=rights, take_back_price=setup.size)
    return account if result is None else _closed(account, setup.coins, position, result)


def _closed(account: Account, rules: CoinRules, position: Position, result: Result) -> Account:
    """Return the account of a game that is over. Nothing is due any more, and the pot is given out."""
    winner, pot = result.winner, account.pot
    won, bonus, given_back = [0, 0], 0, 0
    if winner is None:
        won = [pot // 2, pot - pot // 2]
    else:
        bonus = sum(position.reserve(tuple(Color)[winner]))
        is_given_back = rules is CoinRules.FEMR and result.how in _BY_FLATS
        given_back = position.size if is_given_back else 0
        won[winner] = pot - given_back + bonus
        won[winner.other] = given_back - bonus
    net = (
        won[0] + account.taken[0] - account.paid[0],
        won[1] + account.taken[1] - account.paid[1],
    )
    facts = {**account.facts, "bonus": bonus, "given_back": given_back}
    return replace(account, due=(0, 0), net=net, facts=facts)


def _firsts(position: Position) -> tuple[str, ...]:
    """Return what can happen for the first time on this board."""
    has_capstones = position.whole(Color.WHITE).capstones > 0
    return (Kind.WALL.value, *((Kind.CAPSTONE.value,) if has_capstones else ()), "tak")


def _seat(color: Color) -> Seat:
    return Seat.FIRST if color is Color.WHITE else Seat.SECOND


def _with(pair: _Pair, seat: Seat, coins: int) -> _Pair:
    return (coins, pair[1]) if seat is Seat.FIRST else (pair[0], coins)


def _added(pair: _Pair, seat: Seat, coins: int) -> _Pair:
    return _with(pair, seat, pair[seat] + coins)
