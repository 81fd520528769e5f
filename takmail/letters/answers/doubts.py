"""Say why a line is probably an order and not carried out, and offer what it may mean."""

from collections.abc import Sequence

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.commands.answers import OfferedLine
from takmail.commands.command import LineFault
from takmail.games.interface import Reason
from takmail.games.wording import Sentences
from takmail.letters.passages.below import offered_lines
from takmail.letters.passages.words import said_by_touch
from takmail.letters.reader import Reader
from takmail.limits.games import MAX_DAYS_A_TURN, MAX_MATCH_GAMES, MAX_MATCH_POINTS

_GUESSES = (LineFault.MEANT, LineFault.OTHER_WORDS)
"""The faults of lines that takmail has guessed."""
_EXAMPLE_OF_TURN = 7
"""The number of a turn in an example, if the letter is about no game that has turns."""


def why_not_done(
    reader: Reader,
    *,
    fault: LineFault,
    detail: str,
    reason: Reason | None,
    game: str,
    asks: bool,
    **_: object,
) -> Sentences:
    """Say why a line is not done. To who plays a bot, "Do you mean this?" alone says that takmail guesses."""
    if asks and fault in _GUESSES and _plays_bot(reader):
        return ()
    return what_is_wrong(reader, fault, detail, reason, game)


def what_is_wrong(
    reader: Reader, fault: LineFault, detail: str, reason: Reason | None, game: str
) -> Sentences:
    """Say why a line is not done. The parameters are those of `Unclear`, and `game` is the kind of game it is about."""
    match fault:
        case (
            LineFault.NEW_WITHOUT_OPPONENT
            | LineFault.NEW_TWO_OPPONENTS
            | LineFault.NEW_OPTION
            | LineFault.MATCH_LENGTH
        ):
            return (_wrong_in_invitation(reader, fault, detail),)
        case LineFault.ZONE:
            return (message("zone_unknown", name=detail),)
        case LineFault.NO_LANGUAGE:
            return (message("no_such_language"),)
        case LineFault.TOO_MANY:
            return (message("commands_left_unread", most=int(detail)),)
        case LineFault.MANY_BOARDS:
            return (message("boards_left_out", most=int(detail)),)
        case LineFault.BOARD_SPACES:
            return message("board_without_spaces"), *reader.wording.shape
        case LineFault.NO_LINE_KEPT:
            return (message("no_line_kept"),)
        case LineFault.HOW:
            return (message("command_written_otherwise", command=detail),)
        case LineFault.TO_BOT:
            return (message("said_to_bot", meaning=detail),)
        case LineFault.EXPLAINED:
            return reader.wording_of(game).explained(detail, None if reader.view is None else reader.view.you)
        case LineFault.MEANT | LineFault.OTHER_WORDS:
            return (message("not_sure_what_you_mean"),)
        case LineFault.SENTENCE if detail == "name":
            return (message("perhaps_a_name"),)
        case LineFault.SENTENCE:
            return (_perhaps_a_dispute(reader),)
        case LineFault.DESCRIBED:
            how = () if reader.view is None else reader.wording.how(reader.view)
            return message("perhaps_a_move"), *how
        case LineFault.PLAN:
            return (message("perhaps_a_plan"),)
        case LineFault.INTENTION:
            return (message("perhaps_an_intention"),)
        case LineFault.TAKEN_BACK:
            return (message("move_seems_taken_back"),)
        case LineFault.MISSING:
            return (message("no_such_command", word=detail),)
        case LineFault.LOOK_ALIKE:
            return (message("letter_of_another_alphabet", letter=detail),)
        case LineFault.TURN:
            return _why_not_played(reader, reason, game)


def _why_not_played(reader: Reader, reason: Reason | None, game: str) -> Sentences:
    if reason is None:
        return (message("move_cant_be_played"),)
    return message("not_done"), *reader.wording_of(game).reason(reason)


def _perhaps_a_dispute(reader: Reader) -> Message:
    turns = 0 if reader.view is None else reader.view.turns
    return message("perhaps_a_dispute", line=f"im #{turns or _EXAMPLE_OF_TURN}")


def _wrong_in_invitation(reader: Reader, fault: LineFault, detail: str) -> Message:
    """Say why a line that begins a game is not done."""
    match fault:
        case LineFault.NEW_WITHOUT_OPPONENT:
            return message("no_opponent_named", line=reader.wording_of(detail or reader.kind).example)
        case LineFault.NEW_TWO_OPPONENTS:
            return message("two_opponents_named")
        case LineFault.MATCH_LENGTH:
            games, points = MAX_MATCH_GAMES, MAX_MATCH_POINTS
            return message("match_length_unknown", option=detail, games=games, points=points)
        case _ if detail.startswith("bid="):
            return message("two_bids_in_line")
        case _:
            return message("unknown_option", option=detail, most=MAX_DAYS_A_TURN)


def what_may_be_meant(
    reader: Reader,
    *,
    offers: Sequence[OfferedLine],
    asks: bool,
    has_words: bool,
    words: str,
    **_: object,
) -> Blocks:
    """Offer the lines that may be meant, and the line of the mail as words for the opponent.

    `words` is the line, '' if it is too long to be sent again. A bot gets no words, so nothing is said of them.
    """
    offered = offered_lines(reader, offers, asks=asks)
    if not has_words or reader.view is None or _plays_bot(reader):
        return offered
    again = message("send_this_as_words" if words else "send_words_again")
    return (*offered, *paragraph(again), *(said_by_touch(words) if words else ()))


def _plays_bot(reader: Reader) -> bool:
    return reader.view is not None and reader.opponent.is_bot
