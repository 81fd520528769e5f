"""Define what an offer would change in a game."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.commands.game.take_backs import take_backs, take_backs_after
from takmail.commands.kinds import BOARD_PROPOSALS, OfferKind, TakenBackBy
from takmail.commands.records import Offer
from takmail.games.interface import State
from takmail.games.optional import Account, Ledger


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """An offer as letters show it.

    * `turn` is the last turn that was played before the offer
    * `target` is the turn to go back to, None if the offer is to do something else
    * `state` is the state of the game after a proposal is accepted, None for a draw or an undo
    * `account` are the coins of the game then, None if it is not played for coins
    """

    kind: OfferKind
    turn: int
    target: int | None
    state: State | None = None
    account: Account | None = None


def offered_change(table: Table, offer: Offer) -> OfferedChange:
    """Return what an offer would change."""
    if offer.kind not in BOARD_PROPOSALS:
        return OfferedChange(offer.kind, offer.turn, offer.target)
    return OfferedChange(
        offer.kind, offer.turn, offer.target, state_after(table, offer), _account_after(table, offer)
    )


def state_after(table: Table, offer: Offer) -> State:
    """Return the state of the game if a proposal is accepted."""
    if offer.board is not None:
        return table.state.play(offer.board)
    assert offer.target is not None
    return table.states[offer.target]


def _account_after(table: Table, offer: Offer) -> Account | None:
    """Return the coins of the game if a proposal is accepted, None if it is not played for coins."""
    state = state_after(table, offer)
    if not isinstance(state, Ledger):
        return None
    taken_back = [one for run in table.taken_back for one in run.turns]
    if offer.board is not None:
        return state.account(take_backs(taken_back), None)
    assert offer.target is not None
    return state.account(take_backs_after(taken_back, TakenBackBy(offer.kind), offer.target), None)


def is_same(table: Table, one: Offer, other: Offer) -> bool:
    """Tell whether two proposals that were made in the same position have the same effect."""
    if one.kind != other.kind or one.target != other.target:
        return False
    first, second = state_after(table, one), state_after(table, other)
    return first.board() == second.board() and first.to_move == second.to_move
