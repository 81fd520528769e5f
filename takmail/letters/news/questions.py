"""How letters ask whether a mail was its sender's, and what they tell those who are no players."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Message, Quote, message, paragraph
from takmail.letters.batch import LetterBatch
from takmail.letters.kinds.held import held
from takmail.letters.news.row import Row
from takmail.letters.parts.mail import last_answer
from takmail.letters.parts.touch import yes_or_no
from takmail.letters.reader import Reader
from takmail.letters.style import style_of
from takmail.mail.address import mask_addresses
from takmail.world import LIFETIME, AskedAgain, LetterPurpose, PendingKind, news

_SUBJECT = message("subject_of_confirmation")
_FORGET_ME = "forget me"


def _hold(work: LetterBatch, event: news.CommandsHeld) -> LetterBatch:
    """Ask the player in a seat whether they wrote some commands."""
    question = event.question
    assert question.game is not None
    assert question.seat is not None
    table = work.result.world.games[question.game]
    letters = work.letter_writer.in_game(
        lambda letter: held(letter, event, table),
        table,
        question.seat,
        writer=work.writer,
        counts_as=work.purpose,
        asks=True,
    )
    return work.with_letters(letters)


def _ask_sender(work: LetterBatch, event: news.ConfirmationAsked) -> LetterBatch:
    """Ask the owner of an address whether a mail was theirs."""
    last_for = work.last_for if event.last_for is None else event.last_for
    if event.again is not AskedAgain.LOOSE:
        return work.to_sender(_SUBJECT, lambda _: _confirmation(event, last_for), asks=True)
    assert event.question.address is not None
    mailbox = work.mailbox(event.question.address)
    letters = work.letter_writer.outside_games(
        _SUBJECT,
        lambda _: _confirmation(event, last_for),
        mailbox,
        style_of(work.letter_writer.services, work.letter_writer.world.owner(mailbox.address)),
        writer=work.writer,
        answers=work.purpose,
        asks=True,
    )
    return work.with_letters(letters)


def _confirmation(event: news.ConfirmationAsked, last_for: str) -> Blocks:
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
        *paragraph(message("forget_me_is_for_good") if _FORGET_ME in shown else None),
        *paragraph(confirm),
        yes_or_no(),
        *paragraph(message("write_the_words_again") if event.has_words else None),
        *paragraph(message("write_the_rest_again") if event.left_out else None),
        *paragraph(None if is_of_account else message("what_service_does")),
        *last_answer(last_for),
    )


def _what_has_come(again: AskedAgain, *, is_of_account: bool) -> Message:
    if again is AskedAgain.LOOSE:
        return message("yes_or_no_is_not_surely_yours")
    if again is AskedAgain.UNCLEAR:
        return message("your_answer_is_unclear")
    return message("you_asked_for" if is_of_account else "mail_asks_for")


def _ask_to_write_again(work: LetterBatch, _event: news.CommandsNotShown) -> LetterBatch:
    """Ask the sender to write the commands again, as the letter can't show them."""
    made = (
        *paragraph(message("mail_asks_for_what_is_not_shown")),
        *paragraph(message("write_all_of_it_again")),
        *paragraph(message("what_service_does")),
        *last_answer(work.last_for),
    )
    return work.to_sender(_SUBJECT, lambda _: made, asks=True)


def _explain_seat_address(work: LetterBatch, event: news.SeatAddressExplained) -> LetterBatch:
    """Tell somebody who wrote to a player's reply address from an unknown one how to play."""

    def make(reader: Reader) -> Blocks:
        example, seek_example = reader.wording.example, reader.wording.seek_example
        return (
            *paragraph(message("address_is_a_players")),
            *paragraph(message("if_you_are_that_player")),
            *paragraph(message("if_you_are_not_that_player", example=example, seek_example=seek_example)),
            *last_answer(work.last_for),
        )

    subject = message("subject_of_seat_address")
    return work.to_sender(subject, make, answers=LetterPurpose.NONSENSE, about=event.game)


def _tell_of_block(work: LetterBatch, event: news.BlockedPlayerNotified) -> LetterBatch:
    """Tell somebody that the operator takes no mail from them, for the operator's reason if there is one."""
    made = (
        *paragraph(message("operator_takes_no_mail", why=event.why)),
        *paragraph(message("nothing_is_carried_out")),
    )
    return work.to_sender(message("subject_of_unread_mail"), lambda _: made, answers=LetterPurpose.NONSENSE)


def _dropped(_event: news.QuestionsDropped, reader: Reader) -> Blocks:
    return paragraph(message("nothing_changed" if reader.view is None else "nothing_changed_in_game"))


ROWS: Mapping[type[news.News], Row] = {
    news.CommandsHeld: Row(writes=_hold),
    news.ConfirmationAsked: Row(writes=_ask_sender),
    news.CommandsNotShown: Row(writes=_ask_to_write_again),
    news.MeaningAsked: Row(is_asked_in_answer=True),
    news.QuestionsDropped: Row("dropped", _dropped),
    news.SenderWelcomed: Row(writes=lambda work, _: work.with_welcome()),
    news.SeatAddressExplained: Row(writes=_explain_seat_address),
    news.BlockedPlayerNotified: Row(writes=_tell_of_block),
}
"""Rows of questions, and of news for those who are no players."""
