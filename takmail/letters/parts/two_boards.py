"""Compare the boards that the players of a game send each other, in which moves are only passed on."""

from takmail.blocks import Blocks, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.wording import Boards
from takmail.letters.reader import Reader


def two_boards(
    reader: Reader,
    comparison: Comparison | None,
    turn: int,
    older_turn: int | None,
    *,
    has_replaced: bool,
    is_received: bool,
) -> Blocks:
    """Say how a board that one player sends compares with the one that the other has sent before.

    * `comparison` is None if the other player has sent none
    * the board was sent after `turn`, and the older one after `older_turn`
    * `has_replaced`: turns that a later one of the same player replaced are left out
    * `is_received`: the opponent sends the board, and not the reader
    """
    if comparison is None:
        return paragraph(message("send_your_board" if is_received else "boards_compared_later"))
    assert older_turn is not None
    sent = message("older_board_sent", turn=older_turn, is_yours=is_received)
    return (
        *paragraph(sent if older_turn != turn else None),
        *reader.wording.compared(comparison, Boards.RECEIVED if is_received else Boards.SENT),
        *paragraph(
            message("replaced_turns_left_out") if has_replaced else None,
            message("two_boards_change_nothing"),
        ),
    )
