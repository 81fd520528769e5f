"""Answer moves, and `undo`."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Indented, buttons, message, paragraph
from takmail.commands.answers import OfferedLine
from takmail.games.interface import Reason
from takmail.letters.parts.offered_lines import offered_lines
from takmail.letters.parts.offers import lapsed_offers
from takmail.letters.parts.turns import move_played, way_back
from takmail.letters.reader import Builder, Reader
from takmail.world import Pending, Played, Standing


def _already_played(_reader: Reader, turn: Played) -> Blocks:
    return paragraph(message("move_already_played", turn=turn.number, text=turn.text))


def _turn(reader: Reader, turn: Played, lapsed: Sequence[Pending], **_: object) -> Blocks:
    """Answer a move that was played."""
    view = reader.game
    is_last = view.standing is Standing.OPEN and not view.is_relay and turn.number == view.turns
    return (
        *paragraph(*move_played(reader, turn)),
        *paragraph(way_back(reader) if is_last else None),
        *paragraph(*reader.wording.opening(turn.number)),
        *lapsed_offers(reader, lapsed),
    )


def _not_your_turn(reader: Reader, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer a move of whoever is not to move. If it may take the last move back, that is offered."""
    undo = message("you_can_take_last_move_back") if offers else None
    return (*paragraph(message("not_your_turn_now"), undo), *offered_lines(reader, offers))


def _played_otherwise(reader: Reader, turn: Played, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer another move for a turn that the sender has played."""
    is_played = message("turn_played_otherwise", turn=turn.number, text=turn.text)
    undo = message("you_can_take_it_back") if offers else None
    return (*paragraph(is_played, undo), *offered_lines(reader, offers))


def _refused(reader: Reader, reason: Reason, turn: str, fixes: Sequence[str], **_: object) -> Blocks:
    """Refuse what a rule of the game forbids. `turn` is what was read, and `fixes` are lines that may be meant."""
    head = message("not_done_with", text=turn) if turn else message("not_done")
    refusal = paragraph(head, *reader.wording.reason(reason))
    if not fixes:
        return refusal
    if len(fixes) == 1:
        return (*refusal, *paragraph(message("if_you_mean_this", line=fixes[0])))
    lines = tuple(f"{number}) {fix}" for number, fix in enumerate(fixes, 1))
    return (*refusal, *paragraph(message("send_the_one_you_mean")), Indented(lines))


def _ask_turn(reader: Reader, question: Pending, text: str, reason: Reason, **_: object) -> Blocks:
    """Ask whether a move is meant, for the reason that the game gives."""
    is_as_typed = text == question.words.lower()
    head = message("not_done_yet") if is_as_typed else message("not_done_yet_with", text=text)
    return (
        *paragraph(head, *reader.wording.reason(reason), message("yes_plays_turn")),
        buttons((message("i_play_it"), "yes"), (message("i_play_another"), "no")),
    )


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
    "ask_turn": _ask_turn,
    "not_your_turn": _not_your_turn,
    "played_otherwise": _played_otherwise,
    "refused": _refused,
    "turn": _turn,
    "relay_sent": _relay_sent,
    "relay_turn": _relay_turn,
    "taken_back": _taken_back,
    "taken_back_by_right": _taken_back_by_right,
}
"""The builders of answers about turns."""
