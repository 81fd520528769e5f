"""Answer what is done in a game: moves, disputes and offers."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Code, Indented, Message, buttons, message, paragraph
from takmail.commands.answers import OfferedLine
from takmail.games.interface import Comparison, Reason
from takmail.games.wording import Boards
from takmail.letters.parts import turns
from takmail.letters.parts.below import offered_lines
from takmail.letters.parts.offers import answering_line
from takmail.letters.reader import Builder, Reader
from takmail.world import Pending, PendingEnd, PendingKind, Played, Standing
from takmail.world.verdict import Verdict


def _not_your_turn(reader: Reader, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer a move of whoever is not to move. If it may take the last move back, that is offered."""
    undo = message("you_can_take_last_move_back") if offers else None
    return (*paragraph(message("not_your_turn_now"), undo), *offered_lines(reader, offers))


def _played_otherwise(reader: Reader, turn: Played, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer another move for a turn that the sender has played."""
    is_played = message("turn_played_otherwise", turn=turn.number, text=turn.text)
    undo = message("you_can_take_it_back") if offers else None
    return (*paragraph(is_played, undo), *offered_lines(reader, offers))


def _refused(reader: Reader, game: str, reason: Reason, turn: str, fixes: Sequence[str]) -> Blocks:
    """Refuse what a rule of a game forbids, which may be another one than the letter is about.

    `turn` is what was read, and `fixes` are lines that may be meant.
    """
    head = message("not_done_with", text=turn) if turn else message("not_done")
    refusal = paragraph(head, *reader.wording_of(game).reason(reason))
    if not fixes:
        return refusal
    if len(fixes) == 1:
        return (*refusal, *paragraph(message("if_you_mean_this", line=fixes[0])))
    lines = tuple(f"{number}) {fix}" for number, fix in enumerate(fixes, 1))
    return (*refusal, *paragraph(message("send_the_one_you_mean")), Indented(lines))


_EXPLAINS_ITSELF = ("same", "size")
"""What a comparison finds that says nothing about the game: the boards are the same, or too different."""
_DIFFERS = ("otherwise", "differs")


def _why(reader: Reader, verdict: Verdict, mover: str, *, can_play: bool) -> Blocks:
    """Explain a turn or an attempt. `mover` is the opponent's name if the attempt is one of theirs, otherwise ''."""
    return (
        *turns.verdict(reader, verdict),
        *(paragraph(message("attempt_can_be_played", text=verdict.text)) if can_play else ()),
        *paragraph(message("only_looked"), message("attempt_is_opponents") if mover else None),
        *turns.proof(reader, verdict),
    )


def _compared(reader: Reader, comparison: Comparison) -> Blocks:
    """Tell where a board differs from the game, and what the sender can do then."""
    boards = Boards.TWO if comparison.how.startswith("two-") else Boards.YOURS
    explained = reader.wording.compared(comparison, boards)
    if comparison.how in _EXPLAINS_ITSELF:
        return explained
    can_act = reader.game.standing is Standing.OPEN and comparison.how in _DIFFERS
    advice = message("if_boards_differ") if can_act else None
    return (*explained, *paragraph(message("comparing_changes_nothing"), advice))


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
    lines = tuple(answering_line(verb, offer) for offer in standing)
    return (
        *paragraph(why, message("answer_with_line_for_offer", count=len(lines), is_yours=is_yours)),
        Indented(lines),
    )


def _why_not_settled(meant: Sequence[Pending], standing: Sequence[Pending], *, is_yours: bool) -> Message:
    if len(meant) == 1:
        (offer,) = meant
        if offer.kind is PendingKind.TIME:
            return message("time_is_not_over", has_waited=offer.ended == PendingEnd.REFUSED)
        return message(
            "your_offer_is_over" if is_yours else "opponents_offer_is_over",
            kind=offer.kind,
            turn=offer.target or 0,
            ended=offer.ended or "",
        )
    if not standing:
        return message("nothing_offered", is_yours=is_yours)
    return message("many_offers_meant" if meant else "no_such_offer_shown")


def ask_resign(_reader: Reader) -> Blocks:
    """Ask whether the game is to be given up."""
    choices = buttons((message("i_give_up"), "yes"), (message("the_game_goes_on"), "no"))
    return (*paragraph(message("resignation_asked")), choices)


BUILDERS: Mapping[str, Builder] = {
    "not_your_turn": _not_your_turn,
    "played_otherwise": _played_otherwise,
    "refused": _refused,
    "compared": _compared,
    "why": _why,
    "which_offer": _which_offer,
    "propose_no_board": _propose_no_board,
    "propose_unread": _propose_unread,
    "propose_whose": _propose_whose,
    "propose_shown": _propose_shown,
    "ask_resign": ask_resign,
}
"""The builders of these answers, by their reason."""
