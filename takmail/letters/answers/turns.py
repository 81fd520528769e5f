"""Answer moves, and `undo`."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.parts.offers import lapsed_offers
from takmail.letters.reader import Builder, Reader
from takmail.world import Pending, Played


def _already_played(_reader: Reader, turn: Played) -> Blocks:
    return paragraph(message("move_already_played", turn=turn.number, text=turn.text))


def _relay_sent(_reader: Reader, turn: Played) -> Blocks:
    return paragraph(message("turn_already_passed_on", turn=turn.number, text=turn.text))


def _relay_turn(
    reader: Reader, turn: Played, crossed: Played | None, lapsed: Sequence[Pending], **_: object
) -> Blocks:
    """Answer a move that is passed on. `crossed` is the opponent's turn that the sender had not seen yet."""
    passed_on = message("turn_passed_on", turn=turn.number, text=turn.text)
    other = None if crossed is None else message("turns_crossed", turn=crossed.number, text=crossed.text)
    return (*paragraph(passed_on, other), *lapsed_offers(reader, lapsed))


def _taken_back(_reader: Reader, turn: Played, **_: object) -> Blocks:
    return paragraph(message("turn_taken_back_unsent", turn=turn.number, text=turn.text))


def _taken_back_by_right(reader: Reader, turn: Played, lapsed: Sequence[Pending], **_: object) -> Blocks:
    account = reader.game.account
    assert account is not None
    taken_back = message(
        "turn_taken_back_for_coins", turn=turn.number, text=turn.text, price=account.take_back_price
    )
    return (*paragraph(taken_back), *lapsed_offers(reader, lapsed))


BUILDERS: Mapping[str, Builder] = {
    "already_played": _already_played,
    "relay_sent": _relay_sent,
    "relay_turn": _relay_turn,
    "taken_back": _taken_back,
    "taken_back_by_right": _taken_back_by_right,
}
"""The builders of answers about turns."""
