"""Show the boards that are proposed, each after the one that holds, so that nobody takes one for the other."""

from collections.abc import Iterator

from takmail.blocks import Block, Blocks, Paragraph, message, paragraph
from takmail.letters.parts.board import board
from takmail.letters.parts.ending import coins
from takmail.letters.reader import Reader
from takmail.world import OfferedChange


def proposed_boards(reader: Reader) -> Blocks:
    """Show the boards that either player proposes, the opponent's first."""
    return tuple(
        block
        for index, proposal in enumerate(reader.game.proposed)
        for block in _board(reader, proposal, is_first=index == 0)
    )


def _board(reader: Reader, proposal: OfferedChange, *, is_first: bool) -> Iterator[Block]:
    view, after = reader.game, proposal.state
    assert after is not None
    is_yours = proposal in view.offered_by_you
    yield from paragraph(
        message("proposed_board", is_yours=is_yours, turn_is_yours=after.to_move == view.you),
        message("board_above_holds") if is_first else None,
    )
    yield Paragraph((message("proposed_board_below", is_yours=is_yours),))
    turn = proposal.turn + 1 if proposal.target is None else proposal.target
    proposed = view.showing(after, turn, None, proposal.account)
    yield from board(reader.seeing(proposed))
    yield from coins(reader.seeing(proposed))
