"""Define what an offer would change in a game, and check stored offers against the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from takmail.games.interface import Game, Seat, State
from takmail.games.optional import Account, Ledger
from takmail.world.corruption import CorruptGameError, Corruption, CorruptionKind, StoredPlace
from takmail.world.kinds import BOARD_PROPOSALS, OfferKind, TakenBackBy
from takmail.world.records import GameRecord, Offer
from takmail.world.replay import after_if_legal
from takmail.world.runs import take_backs
from takmail.world.table import Table


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
    agreed = None if offer.target is None else (TakenBackBy(offer.kind), offer.target)
    return state.account(take_backs(table.taken_back, agreed), None)


def is_same(table: Table, one: Offer, other: Offer) -> bool:
    """Tell whether two proposals that were made in the same position have the same effect."""
    if one.kind != other.kind or one.target != other.target:
        return False
    first, second = state_after(table, one), state_after(table, other)
    return first.board() == second.board() and first.to_move == second.to_move


def readable(
    record: GameRecord, rules: Game, states: Sequence[State], turns: int, offers: Sequence[Offer]
) -> tuple[Offer, ...]:
    """Return the offers unchanged. Raises CorruptGameError if one of them is impossible in the game.

    `turns` is the number of turns that the game has.
    """
    for offer in offers:
        column = next(_invalid_columns(rules, states, turns, offer), None)
        if column is not None:
            place = StoredPlace("offer", {"game_id": int(record.number), "version": offer.version}, column)
            value = str(getattr(offer, column))
            raise CorruptGameError(
                Corruption(record.number, record.kind, CorruptionKind.UNREADABLE, place, value)
            )
    return tuple(offers)


def _invalid_columns(rules: Game, states: Sequence[State], turns: int, offer: Offer) -> Iterator[str]:
    """Yield the columns of an offer that have impossible values. A value may even have the wrong type."""
    if offer.kind not in tuple(OfferKind):
        yield "kind"
    if offer.seat not in tuple(Seat):
        yield "seat"
    if offer.turn not in range(turns + 1):
        yield "turn"
    if offer.kind == OfferKind.BACK and offer.target not in range(1, len(states) - 1):
        yield "target"
    if offer.kind == OfferKind.RESTART and (offer.target != 0 or not turns):
        yield "target"
    board = offer.board
    is_playable = (
        board is not None and rules.is_agreement(board) and after_if_legal(states[-1], board) is not None
    )
    if (offer.kind == OfferKind.BOARD) != is_playable:
        yield "board"
