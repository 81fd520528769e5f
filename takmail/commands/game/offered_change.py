"""Define what an offer would change in a game."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.commands.kinds import BOARD_PROPOSALS, OfferKind
from takmail.commands.records import Offer
from takmail.games.interface import State


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """An offer as letters show it.

    * `turn` is the last turn that was played before the offer
    * `target` is the turn to go back to, None if the offer is to do something else
    * `state` is the state of the game after a proposal is accepted, None for a draw or an undo
    """

    kind: OfferKind
    turn: int
    target: int | None
    state: State | None = None


def offered_change(table: Table, offer: Offer) -> OfferedChange:
    """Return what an offer would change."""
    if offer.kind not in BOARD_PROPOSALS:
        return OfferedChange(offer.kind, offer.turn, offer.target)
    return OfferedChange(offer.kind, offer.turn, offer.target, state_after(table, offer))


def state_after(table: Table, offer: Offer) -> State:
    """Return the state of the game if a proposal is accepted."""
    if offer.board is not None:
        return table.state.play(offer.board)
    assert offer.target is not None
    return table.states[offer.target]


def is_same(table: Table, one: Offer, other: Offer) -> bool:
    """Tell whether two proposals that were made in the same position have the same effect."""
    if one.kind != other.kind or one.target != other.target:
        return False
    first, second = state_after(table, one), state_after(table, other)
    return first.board() == second.board() and first.to_move == second.to_move
