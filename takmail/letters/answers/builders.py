"""The answers that are more than one message, by their reason, and that to a line that is probably an order."""

from collections.abc import Mapping, Sequence
from typing import Any

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.commands.answers import OfferedLine, Said
from takmail.commands.command import LineFault
from takmail.games.interface import Reason
from takmail.games.wording import Sentences
from takmail.letters.answers import general, help, lists, looking, play
from takmail.letters.parts.below import offered_lines
from takmail.letters.parts.words import said_by_touch
from takmail.letters.reader import Builder, Reader
from takmail.limits.games import MAX_DAYS_A_TURN

_FAULTS = {
    LineFault.NEW_TWO_OPPONENTS: message("two_opponents_named"),
    LineFault.NO_LINE_KEPT: message("no_line_kept"),
    LineFault.MEANT: message("not_sure_what_you_mean"),
    LineFault.OTHER_WORDS: message("not_sure_what_you_mean"),
    LineFault.TAKEN_BACK: message("move_seems_taken_back"),
    LineFault.TURN: message("move_cant_be_played"),
}
"""What is said of a line with a fault about which nothing else is known."""
_EXAMPLE_OF_TURN = 7
"""The number of a turn in an example, if the letter is about no game that has turns."""


def what_is_wrong(
    reader: Reader, fault: LineFault, detail: str, reason: Reason | None, game: str
) -> Sentences:
    """Say why a line is not done. The parameters are those of `Unclear`, and `game` is the kind of game it is about."""
    match fault:
        case LineFault.NEW_WITHOUT_OPPONENT:
            return (message("no_opponent_named", line=reader.wording_of(detail or reader.kind).example),)
        case LineFault.NEW_OPTION if detail.startswith("bid="):
            return (message("two_bids_in_line"),)
        case LineFault.NEW_OPTION:
            return (message("unknown_option", option=detail, most=MAX_DAYS_A_TURN),)
        case LineFault.ZONE:
            return (message("zone_unknown", name=detail),)
        case LineFault.TOO_MANY:
            return (message("commands_left_unread", most=int(detail)),)
        case LineFault.MANY_BOARDS:
            return (message("boards_left_out", most=int(detail)),)
        case LineFault.BOARD_SPACES:
            return message("board_without_spaces"), *reader.wording.shape
        case LineFault.HOW:
            return (message("command_written_otherwise", command=detail),)
        case LineFault.SENTENCE if detail == "name":
            return (message("perhaps_a_name"),)
        case LineFault.SENTENCE:
            turns = 0 if reader.view is None else reader.view.turns
            return (message("perhaps_a_dispute", line=f"im #{turns or _EXAMPLE_OF_TURN}"),)
        case LineFault.MISSING:
            return (message("no_such_command", word=detail),)
        case LineFault.LOOK_ALIKE:
            return (message("letter_of_another_alphabet", letter=detail),)
        case LineFault.TURN if reason is not None:
            return message("not_done"), *reader.wording_of(game).reason(reason)
        case _:
            return (_FAULTS[fault],)


def what_may_be_meant(
    reader: Reader,
    *,
    offers: Sequence[OfferedLine],
    asks: bool,
    beside: str,
    has_words: bool,
    is_kept: bool,
    words: str,
    **_: object,
) -> Blocks:
    """Offer the lines that may be meant, and say how the words of the mail are passed on.

    `has_words`: the mail has words that nobody gets yet. `words` are those that can be sent again, '' if they are too
    long. `is_kept`: those beside the line go along with the line that is chosen (`beside`, '' if they are too long). A
    bot gets no words, so nothing is said of them.
    """
    offered = offered_lines(reader, offers, asks=asks, beside=beside)
    if not has_words or reader.view is None or reader.plays_bot:
        return offered
    kept = message("words_go_with_line", count=len(offers)) if is_kept else None
    again = message("send_this_as_words" if words else "send_words_again")
    return (
        *offered,
        *paragraph(message("words_not_passed_on_yet"), kept, again),
        *(said_by_touch(words) if words else ()),
    )


def _doubt(reader: Reader, *, refusal: Said | None = None, explained: Said | None, **facts: Any) -> Blocks:
    """Answer a line that is probably an order.

    `refusal` is the answer to the line that it means if that can't be done, and `explained` the help page about it.
    """
    if refusal is None:
        wrong = what_is_wrong(reader, facts["fault"], facts["detail"], facts["reason"], facts["game"])
        help_page = () if explained is None else answer_blocks(reader, explained)
        why: Blocks = (*paragraph(*wrong), *help_page)
    else:
        why = answer_blocks(reader, refusal)
    return (*why, *what_may_be_meant(reader, **facts))


BUILDERS: Mapping[str, Builder] = {
    **general.BUILDERS,
    **help.BUILDERS,
    **lists.BUILDERS,
    **looking.BUILDERS,
    **play.BUILDERS,
    "doubt": _doubt,
}
"""The builder of each answer that is more than one message, by its reason."""


def answer_blocks(reader: Reader, answer: Said) -> Blocks:
    """Return the blocks of an answer. If it has no builder, its reason is the name of its only message."""
    builder = BUILDERS.get(answer.reason)
    if builder is None:
        return paragraph(Message(answer.reason, answer.facts))
    return builder(reader, **answer.facts)
