"""Say whether words are passed on, and what letters say of the mails themselves."""

from collections.abc import Iterator
from dataclasses import dataclass

from takmail.blocks import (
    Block,
    Blocks,
    Columns,
    Indented,
    Message,
    Quote,
    Text,
    buttons,
    message,
    only_text,
    paragraph,
)
from takmail.commands.answers import ChatStatus, OfferedLine
from takmail.letters.passages.below import offered_lines
from takmail.letters.passages.times import clocks_can_stand
from takmail.letters.reader import Reader
from takmail.limits.words import MAX_INVITATION_CHARS

_PASSED_ON = (ChatStatus.SENT, ChatStatus.WAIT, ChatStatus.INVITES, ChatStatus.UNFIT, ChatStatus.KEPT)
"""The statuses of words that the opponent gets sooner or later. The answer quotes them."""


_AGAINST_BOT = ("hint", "undo", "moves", "why", "rules", "bots", "resign")
"""The commands that help in a game against a bot."""
_IN_GAME = ("rs", "log", "undo", "draw", "resign", "im", "rules", "games")
"""The commands that help in another game that goes on."""


@dataclass(frozen=True, slots=True)
class MailWords:
    """The words in a mail to the opponent, and whether they are passed on (`status`).

    * `text` is what the opponent gets, and `again` what can be sent again with `say`, '' if it is too long
    * `is_cut`: the words were too long, so that their end was left off
    * `is_room_made`: the words that waited go out with this mail, so that there is room again
    * `must_wait`: the opponent has had many letters within the hour
    * `has_commands`: the mail has commands, too
    * `offers` are the turns that the words may mean
    * `courtesy` is in what way words to a bot are only polite, '' if they are not
    """

    status: ChatStatus
    text: str
    again: str = ""
    is_cut: bool = False
    is_room_made: bool = False
    must_wait: bool = False
    has_commands: bool = False
    offers: tuple[OfferedLine, ...] = ()
    courtesy: str = ""


def words_told(reader: Reader, words: MailWords) -> Blocks:
    """Say whether the words in a mail are passed on, and quote them if so."""
    told: list[Block] = [*_status_told(reader, words)]
    if words.status in (*_PASSED_ON, ChatStatus.DROPPED):
        told.append(Quote(words.text))
    if words.status in _PASSED_ON:
        told += clocks_can_stand(words.text)
    if words.status is ChatStatus.KEPT:
        told.append(buttons((message("send_kept_words"), "send")))
    if words.is_cut:
        told += paragraph(message("words_cut"))
    if words.status is ChatStatus.SENT and not words.has_commands and reader.game.your_turn:
        told += paragraph(message("no_move_in_words"))
        told += offered_lines(reader, words.offers)
    return tuple(told)


def _status_told(reader: Reader, words: MailWords) -> Blocks:
    """Say whether words are passed on to the opponent. If they are, it ends with a colon."""
    match words.status:
        case ChatStatus.NONE:
            return ()
        case ChatStatus.LEFT:
            return paragraph(*_nobody_hears(reader, has_commands=words.has_commands))
        case ChatStatus.TO_BOT:
            lines = lines_to_go_on(reader) if reader.game.your_turn else ()
            return *paragraph(message("words_to_bot")), *lines
        case ChatStatus.KIND:
            kind = message("kind_words_to_bot", kind=words.courtesy, ended=_ended(reader))
            return paragraph(kind, _whose_turn(reader))
        case ChatStatus.ADDRESS:
            again = said_by_touch(words.again) if words.again else ()
            return (*paragraph(message("words_have_address", is_short=bool(words.again))), *again)
        case ChatStatus.SENT:
            return paragraph(gets_words(reader))
        case ChatStatus.WAIT:
            is_guest = reader.game.is_invited
            return paragraph(message("words_go_with_acceptance" if is_guest else "words_wait"))
        case ChatStatus.INVITES:
            return paragraph(message("words_go_with_invitation"))
        case ChatStatus.UNFIT:
            return paragraph(message("words_unfit_for_invitation", most=MAX_INVITATION_CHARS))
        case ChatStatus.FULL:
            return paragraph(
                message("too_many_words_waited" if words.is_room_made else "too_many_words_wait")
            )
        case ChatStatus.HEARD:
            return paragraph(message("words_heard_before"))
        case ChatStatus.REFUSED:
            return paragraph(message("mail_words_refused"))
        case ChatStatus.BROKEN:
            return paragraph(message("words_wait_for_operator"))
        case ChatStatus.SEALED:
            return paragraph(message("mail_words_sealed"))
        case ChatStatus.APART:
            return paragraph(message("words_apart"))
        case ChatStatus.HELD:
            return paragraph(message("words_held"))
        case ChatStatus.KEPT:
            return paragraph(message("words_kept"))
        case ChatStatus.DROPPED:
            return paragraph(message("words_dropped"))


def _ended(reader: Reader) -> str:
    """Return how the reader's game has ended: `won`, `lost` or `drawn`, '' if it has not."""
    result = reader.game.shown.result if reader.game.is_over else None
    if result is None:
        return ""
    return "drawn" if result.winner is None else "won" if result.winner is reader.game.you else "lost"


def _whose_turn(reader: Reader) -> Message | None:
    """Say who is to move in the reader's game, None if nobody is."""
    is_yours = reader.game.your_turn
    return message("whose_turn_now", is_yours=is_yours, is_guess=False) if reader.game.is_open else None


def lines_to_go_on(reader: Reader) -> Blocks:
    """Name the lines that are likely to help in the reader's game, each with what it does."""
    keywords = _AGAINST_BOT if reader.opponent.is_bot else _IN_GAME
    rows = lines_with_summaries(tuple(word for word in keywords if word != "hint" or reader.has_reviews))
    return *paragraph(message("lines_to_go_on")), Columns(
        ((message("a_move"), message("summary_move")), *rows)
    )


def lines_with_summaries(keywords: tuple[str, ...]) -> tuple[tuple[Text, Text], ...]:
    """Return the rows of a table of some commands, each with what it does, and of the line that lists all."""
    rows = ((keyword, Message(f"summary_{keyword}")) for keyword in keywords)
    return *rows, ("help all", message("summary_help_all"))


def _nobody_hears(reader: Reader, *, has_commands: bool) -> Iterator[Message]:
    """Yield why there is nobody to pass words on to."""
    if reader.view is not None:
        yield message("nobody_left_to_hear" if reader.opponent.has_left else "mail_words_not_heard")
        return
    if not has_commands:
        yield message("no_command_found")
    yield message("words_belong_to_no_game")


def gets_words(reader: Reader) -> Message:
    """Say that the opponent gets the reader's words now, or when the hour is over if there were many letters."""
    words_wait = reader.answering is not None and reader.answering.words_wait
    return message("words_wait_for_hour" if words_wait else "opponent_gets_words")


def said_later(_reader: Reader, words: str) -> Blocks:
    """Quote the words of a host to a guest who has not accepted yet."""
    return (*paragraph(message("words_wait_for_acceptance")), Quote(words))


def said_by_touch(words: str) -> Blocks:
    """Return words as a line to type that passes them on, and as a button."""
    line = f"say {words}"
    return only_text((Indented((message("line_to_type", line=line),)),)), buttons(
        (message("say_it_to_opponent"), line)
    )


def opponents_words(reader: Reader) -> Blocks:
    """Return what the opponent says, as quotes: nobody takes them for takmail's own words or for commands."""
    quotes = tuple(map(Quote, reader.opponent.words))
    return (*paragraph(message("opponent_writes")), *quotes) if quotes else ()


def address_was_read(reader: Reader) -> Blocks:
    """Say that others have read the reader's reply address in a mail, which proved that a mail was the reader's."""
    return paragraph(message("address_was_read")) if reader.was_read else ()


def last_answer(last_for: str) -> Blocks:
    """Say that no more answers follow within an hour or a day, as `Correspondent.last_for` tells."""
    return paragraph(message("last_answer_for_now", within=last_for)) if last_for else ()
