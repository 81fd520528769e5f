"""Answer the commands about offers: `draw`, `propose`, `agree`, `refuse`, `withdraw`, and `resign`."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Code, Indented, Message, buttons, message, paragraph
from takmail.games.interface import Reason
from takmail.letters.reader import Builder, Reader
from takmail.world import Pending, PendingKind


def _propose_no_board(reader: Reader) -> Blocks:
    wording = reader.wording
    whose = message("say_whose_turn_it_would_be", line=wording.proposal)
    return paragraph(message("no_board_to_propose"), *wording.shape, whose)


def _propose_unread(reader: Reader) -> Blocks:
    return paragraph(message("no_readable_board_to_propose"), *reader.wording.shape)


def _propose_whose(reader: Reader, whose: str) -> Blocks:
    """Answer a proposal that does not say whose turn it would be, but perhaps a word (`whose`) that names nobody."""
    return paragraph(message("no_player_to_move", whose=whose, line=reader.wording.proposal))


def _propose_shown(reader: Reader, rows: Sequence[str], turn: int, reason: Reason, **_: object) -> Blocks:
    """Refuse a board that an earlier mail showed, and show it again."""
    return (
        *paragraph(message("not_done"), *reader.wording.reason(reason)),
        *paragraph(message("about_board_shown_last", turn=turn)),
        Code(tuple(f"  {row}" for row in rows)),
    )


def _which_offer(_reader: Reader, verb: str, meant: Sequence[Pending], standing: Sequence[Pending]) -> Blocks:
    """Answer whoever settles an offer that is not open, or that their mail does not name.

    `verb` is the command, `meant` are the offers that it may mean, and `standing` those that are open.
    """
    is_yours = verb == "withdraw"
    why = _why_not_settled(meant, standing, is_yours=is_yours)
    if not standing:
        return paragraph(why)
    lines = tuple(_line_for(verb, offer) for offer in standing)
    return (
        *paragraph(why, message("answer_with_line_for_offer", count=len(lines), is_yours=is_yours)),
        Indented(lines),
    )


def _why_not_settled(meant: Sequence[Pending], standing: Sequence[Pending], *, is_yours: bool) -> Message:
    if len(meant) == 1:
        (offer,) = meant
        return message(
            "your_offer_is_over" if is_yours else "opponents_offer_is_over",
            kind=offer.kind,
            turn=offer.target or 0,
            ended=offer.ended or "",
        )
    if not standing:
        return message("nothing_offered", is_yours=is_yours)
    return message("many_offers_meant" if meant else "no_such_offer_shown")


def _line_for(verb: str, offer: Pending) -> str:
    return f"{verb} {offer.kind} {offer.target}" if offer.kind is PendingKind.BACK else f"{verb} {offer.kind}"


def ask_resign(_reader: Reader) -> Blocks:
    """Ask whether the game is to be given up."""
    choices = buttons((message("i_give_up"), "yes"), (message("the_game_goes_on"), "no"))
    return (*paragraph(message("resignation_asked")), choices)


BUILDERS: Mapping[str, Builder] = {
    "which_offer": _which_offer,
    "propose_no_board": _propose_no_board,
    "propose_unread": _propose_unread,
    "propose_whose": _propose_whose,
    "propose_shown": _propose_shown,
    "ask_resign": ask_resign,
}
"""The builders of answers about offers."""
