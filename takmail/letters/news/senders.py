"""Ask whether a mail was its sender's, and tell those who are no players how to begin."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Columns, Indented, Message, Quote, buttons, message, paragraph
from takmail.commands.answers import CauseResult, Refusal, Reported
from takmail.commands.lessons import lesson_in
from takmail.letters import budgets
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, question_of, says
from takmail.letters.passages.below import below
from takmail.letters.passages.ending import coins
from takmail.letters.passages.languages import offered_first
from takmail.letters.passages.offers import offered, proposed_boards
from takmail.letters.passages.terms import against_bot, who_may_begin
from takmail.letters.passages.turns import board
from takmail.letters.passages.words import address_was_read, last_answer
from takmail.letters.reader import Correspondent, Reader, style_of
from takmail.mail.address import mask_addresses
from takmail.mail.tokens import FIRST_RENEWED
from takmail.vocabulary.taught import in_language
from takmail.world import LIFETIME, AskedAgain, LetterPurpose, PendingKind, events

_SUBJECT = message("subject_of_confirmation")
_FORGET_ME = "forget me"
_LEAVE_NOW = "leave now "
_YES_OR_NO = buttons((message("label_from_me"), "yes"), (message("label_not_from_me"), "no"))
"""The buttons that answer whether a mail was its reader's."""


def is_without_command(batch: LetterBatch) -> bool:
    """Return whether only the welcome can answer the mail, and its sender has sent no command."""
    is_unknown = batch.claim is None and batch.result.player is None
    return (is_unknown or batch.is_stranger) and not batch.result.reports


def is_welcomed(batch: LetterBatch) -> bool:
    """Return whether the welcome answers the mail. A stranger gets else a lesson, or why a command is refused."""
    is_answered = batch.claim is None and bool(told_to_strangers(batch.result))
    return is_without_command(batch) or (batch.is_stranger and not is_answered)


def welcome_counts_as(batch: LetterBatch) -> LetterPurpose:
    """Return the kind under which budgets count the welcome."""
    return LetterPurpose.NONSENSE if is_without_command(batch) else batch.purpose


def told_to_strangers(result: CauseResult) -> tuple[Reported, ...]:
    """Return the one report that even a stranger gets: a lesson, or what was refused."""
    lessons = tuple(reported for reported in result.reports if lesson_in(reported) is not None)
    refusals = tuple(reported for reported in result.reports if isinstance(reported.answer, Refusal))
    return (*lessons, *refusals)[:1]


def welcome(batch: LetterBatch) -> LetterBatch:
    """Answer the mail with the letter that tells how to begin. It stays within 20 lines."""
    writer = batch.writer
    assert writer is not None

    def make(reader: Reader) -> Blocks:
        games = tuple(reader.wording_of(kind).name for kind in reader.lobby.games.by_name)
        has_asked = bool(batch.result.reports)
        return (
            *_why_welcomed(batch, writer),
            *_ways_to_begin(reader),
            *paragraph(
                message("what_can_be_played", games=games),
                message("sender_is_unknown", has_asked=has_asked) if batch.is_stranger else None,
                message("if_you_have_not_written", has_lesson=False) if batch.is_stranger else None,
            ),
            *_languages_offered(batch, reader),
            *last_answer(writer.last_for),
        )

    return batch.to_sender(message("subject_of_welcome"), make, Sending(welcome_counts_as(batch), writer))


def _why_welcomed(batch: LetterBatch, writer: Correspondent) -> Blocks:
    """Tell why the welcome comes, to whoever wrote nothing that can be read, or answers a letter of their own."""
    if writer.unreadable is not None:
        return paragraph(message("nothing_could_be_read", why=writer.unreadable))
    is_answer = batch.snapshot.answered is not None and batch.purpose is LetterPurpose.SURE
    is_last = is_without_command(batch) and budgets.welcomes_left(writer.sender) == 1
    only_lines = message("only_lines_are_answered_today") if is_last else None
    return paragraph(message("wish_is_unclear"), only_lines) if is_answer else ()


def _languages_offered(batch: LetterBatch, reader: Reader) -> Blocks:
    """Offer other languages to whoever gets the first letter, unless their mail has shown their language."""
    if batch.writer is None or batch.result.offers_language:
        return ()
    mailbox = batch.writer.mailbox
    return offered_first(batch.services.templates, reader, mailbox, batch.world.owner(mailbox.address))


def _ways_to_begin(reader: Reader) -> Blocks:
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(limit, message("invitation_can_be_answered"))
    wording, has_lessons = reader.wording, reader.lobby.games.teacher(reader.kind) is not None
    bot_line = against_bot(reader, wording.bot_example)
    at_once = ((message("to_play_the_computer"), bot_line),) if reader.lobby.has_bots else ()
    rows = (
        *at_once,
        (message("to_let_anybody_join"), wording.seek_example),
        (message("to_see_who_waits"), "seeks"),
        (message("to_ask_a_friend"), wording.example),
        *(((message("to_learn_to_play"), "learn"),) if has_lessons else ()),
        (message("to_get_the_rules"), "rules"),
        (message("to_get_all_commands"), "help all"),
    )
    learn = ((message("label_learn"), "learn"),) if has_lessons else ()
    play = ((message("label_play_computer"), bot_line),) if reader.lobby.has_bots else ()
    touch = (buttons(*learn, *play),) if learn or play else ()
    return (*paragraph(message("answer_with_a_line_to_begin")), Columns(rows), *touch)


def _explain_seat_address(batch: LetterBatch, event: events.SeatAddressExplained) -> LetterBatch:
    """Tell somebody who wrote to a player's reply address from an unknown one how to play."""

    def make(reader: Reader) -> Blocks:
        example, seek_example = reader.wording.example, reader.wording.seek_example
        return (
            *paragraph(message("address_is_a_players")),
            *paragraph(message("if_you_are_that_player")),
            *paragraph(message("if_you_are_not_that_player", example=example, seek_example=seek_example)),
            *last_answer(batch.last_for),
        )

    subject = message("subject_of_seat_address")
    return batch.to_sender(subject, make, Sending(LetterPurpose.NONSENSE, batch.writer), event.game)


def _tell_of_block(batch: LetterBatch, event: events.BlockedPlayerNotified) -> LetterBatch:
    """Tell somebody that the operator takes no mail from them, for the operator's reason if there is one."""
    made = (
        *paragraph(message("operator_takes_no_mail", why=event.why)),
        *paragraph(message("nothing_is_carried_out")),
    )
    return batch.to_sender(
        message("subject_of_unread_mail"), lambda _: made, Sending(LetterPurpose.NONSENSE, batch.writer)
    )


def _hold(batch: LetterBatch, event: events.CommandsHeld) -> LetterBatch:
    """Ask the player in a seat whether they wrote some commands."""
    question = event.question
    assert question.game is not None
    assert question.seat is not None
    return batch.in_game(
        lambda reader: _held(reader, event),
        batch.world.game(question.game),
        question.seat,
        Sending(batch.purpose, asks=True),
    )


def _held(reader: Reader, event: events.CommandsHeld) -> Blocks:
    """Ask a player whether a mail was theirs.

    Who has never written gets a short letter, as a mail that anybody can write led to it.
    """
    seen = reader.game
    game, seat = seen.game, seen.you
    has_new_address = game.record.seats[seat].token_number >= FIRST_RENEWED
    come = (
        message("unsure_answer_is_held")
        if event.is_again
        else message("unsure_mail_is_held", has_new_address=has_new_address)
    )
    return (
        *paragraph(come),
        Quote(event.lines_text),
        *paragraph(message("is_held_mail_yours", days=LIFETIME.days)),
        _YES_OR_NO,
        *address_was_read(reader),
        *(_game(reader) if game.players[seat].has_written else ()),
        *last_answer(event.last_for),
    )


def _game(reader: Reader) -> Blocks:
    seen = reader.game
    return (
        *(_boards(reader) if seen.game.has_final_seats else ()),
        *(paragraph(*offered(reader)) if seen.is_open else ()),
        *below(reader),
    )


def _boards(reader: Reader) -> Blocks:
    return (
        *(paragraph(message("now_the_board_is")) if reader.game.offers.proposed else ()),
        *board(reader),
        *coins(reader),
        *proposed_boards(reader),
    )


def _ask_sender(batch: LetterBatch, event: events.ConfirmationAsked) -> LetterBatch:
    """Ask the owner of an address whether a mail was theirs."""
    last_for = batch.last_for if event.last_for is None else event.last_for
    if event.again is not AskedAgain.LOOSE:
        return batch.to_sender(
            _SUBJECT,
            lambda reader: (*_confirmation(reader, event, last_for), *_languages_offered(batch, reader)),
            Sending(batch.purpose, batch.writer, asks=True),
        )
    assert event.question.address is not None
    mailbox = batch.mailbox(event.question.address)
    return batch.outside_games(
        _SUBJECT,
        lambda reader: _confirmation(reader, event, last_for),
        mailbox,
        style_of(batch.services, batch.world.owner(mailbox.address)),
        Sending(batch.purpose, asks=True),
    )


def _confirmation(reader: Reader, event: events.ConfirmationAsked, last_for: str) -> Blocks:
    """Ask whether the lines of a mail are to be carried out. Only the player's own are shown as they were written."""
    is_of_account = event.question.kind is PendingKind.ACCOUNT
    lines = tuple(line.removeprefix("/") for line in event.question.words.splitlines())
    shown = lines if is_of_account else tuple(map(mask_addresses, lines))
    confirm = (
        message("confirm_what_you_asked_for", days=LIFETIME.days)
        if is_of_account
        else message("confirm_what_mail_asks_for", days=LIFETIME.days)
    )
    return (
        *paragraph(_what_has_come(event.again, is_of_account=is_of_account)),
        Quote("\n".join(shown)),
        *_in_readers_language(shown, reader.language),
        *paragraph(message("forget_me_is_for_good") if _FORGET_ME in shown else None),
        *paragraph(message("leave_now_ends_games") if any(map(_is_leave_now, shown)) else None),
        *paragraph(confirm),
        _YES_OR_NO,
        *paragraph(message("write_the_words_again") if event.has_words else None),
        *paragraph(message("write_the_rest_again") if event.left_out else None),
        *paragraph(None if is_of_account else message("what_service_does")),
        *last_answer(last_for),
    )


def _in_readers_language(lines: Sequence[str], language: str) -> Blocks:
    """Return lines as the reader would write them, nothing if that is how they stand."""
    if all(in_language(line, language) == line for line in lines):
        return ()
    typed = tuple(message("line_to_type", line=line) for line in lines)
    return (*paragraph(message("lines_in_your_language")), Indented(typed))


def _is_leave_now(line: str) -> bool:
    return line.startswith(_LEAVE_NOW)


def _what_has_come(again: AskedAgain, *, is_of_account: bool) -> Message:
    if again is AskedAgain.LOOSE:
        return message("yes_or_no_is_not_surely_yours")
    if again is AskedAgain.UNCLEAR:
        return message("your_answer_is_unclear")
    return message("you_asked_for" if is_of_account else "mail_asks_for")


def _ask_to_write_again(batch: LetterBatch, _event: events.CommandsNotShown) -> LetterBatch:
    """Ask the sender to write the commands again, as the letter can't show them."""
    made = (
        *paragraph(message("mail_asks_for_what_is_not_shown")),
        *paragraph(message("write_all_of_it_again")),
        *paragraph(message("what_service_does")),
        *last_answer(batch.last_for),
    )
    return batch.to_sender(
        _SUBJECT,
        lambda reader: (*made, *_languages_offered(batch, reader)),
        Sending(batch.purpose, batch.writer, asks=True),
    )


ROWS: Mapping[type[events.Event], Row] = {
    events.SenderWelcomed: Row(writes=lambda batch, _: welcome(batch)),
    events.SeatAddressExplained: Row(writes=_explain_seat_address),
    events.BlockedPlayerNotified: Row(writes=_tell_of_block),
    events.CommandsHeld: Row(writes=_hold, asks=question_of),
    events.ConfirmationAsked: Row(writes=_ask_sender, asks=question_of),
    events.CommandsNotShown: Row(writes=_ask_to_write_again),
    events.MeaningAsked: Row(asks=question_of),
    events.QuestionsDropped: Row("dropped", says(message("dropped"))),
}
"""Rows of questions, and of what those hear who are no players."""
