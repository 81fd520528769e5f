"""Answer the commands about moves that are prepared in advance."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Indented, message, only_text, paragraph
from takmail.commands.view import View
from takmail.games.interface import Reason
from takmail.letters.passages.advance import tree
from takmail.letters.passages.turns import board
from takmail.letters.reader import Builder, Reader
from takmail.world.advance import THEN, Branch


def _for_sender_alone(
    reader: Reader, how: str, prepared: Sequence[Branch], replaced: Sequence[Branch], *, is_answering: bool
) -> Blocks:
    """Show what the reader has prepared, and what a new branch has taken the place of.

    Below several lines about it, only the last one shows it.
    """
    if not prepared:
        return paragraph(message("prepared_moves_dropped" if how == "dropped" else "nothing_prepared"))
    lines = tuple(f"if {THEN.join(branch)}" for branch in replaced)
    replaces = message("branch_replaces", lines=lines) if lines else None
    done = {
        "kept": message("branch_kept"),
        "known": message("branch_known"),
        "dropped_one": message("branch_dropped"),
    }.get(how)
    head = paragraph(done, replaces)
    if reader.world.preparations(reader.game.game.number)[1].branches != tuple(prepared):
        return head
    return (
        *head,
        *paragraph(message("prepared_moves_are")),
        *tree(prepared, is_answering=is_answering),
        only_text(paragraph(message("ifs_show_boards", line="ifs 1", off="ifs off"))),
        *paragraph(message("only_you_see_them")),
    )


def _board_ahead(reader: Reader, then: View, branch: Branch) -> Blocks:
    return (*paragraph(message("board_ahead", turns=branch)), *board(reader.seeing(then)))


def _prepared_turn_refused(
    reader: Reader, game: str, text: str, reason: Reason | None, fixes: Sequence[str]
) -> Blocks:
    """Refuse a branch because of one of its turns, and name what may be meant in its place."""
    why = (message("prepared_turn_unread"),) if reason is None else reader.wording_of(game).reason(reason)
    head = paragraph(message("prepared_turn_refused", text=text), *why)
    return (*head, *paragraph(message("prepared_turn_may_be")), Indented(tuple(fixes))) if fixes else head


BUILDERS: Mapping[str, Builder] = {
    "for_sender_alone": _for_sender_alone,
    "board_ahead": _board_ahead,
    "prepared_turn_refused": _prepared_turn_refused,
}
"""The builders of these answers, by their reason."""
