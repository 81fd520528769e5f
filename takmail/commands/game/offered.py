"""Check stored offers against the game in which they were made."""

from collections.abc import Iterator, Sequence

from takmail.commands.game.corruption import CorruptGameError, Corruption, CorruptionKind, StoredPlace
from takmail.commands.kinds import OfferKind
from takmail.commands.records import GameRecord, Offer
from takmail.games.interface import Game, Refused, Seat, State


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
    if (offer.kind == OfferKind.BOARD) != _is_playable(rules, states[-1], offer.board):
        yield "board"


def _is_playable(rules: Game, state: State, board: str | None) -> bool:
    if board is None or not rules.is_agreement(board):
        return False
    try:
        state.play(board)
    except Refused:
        return False
    return True
