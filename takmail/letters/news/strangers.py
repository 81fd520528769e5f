"""What letters tell those who are no players, or from whom no mail is taken."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Columns, buttons, message, paragraph
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row
from takmail.letters.parts.terms import against_bot, who_may_begin
from takmail.letters.parts.words import last_answer, unread
from takmail.letters.reader import Reader
from takmail.world import LetterPurpose, news


def welcome(work: LetterBatch) -> LetterBatch:
    """Answer the mail with the letter that tells how to begin. It stays within 20 lines."""
    writer = work.writer
    assert writer is not None

    def make(reader: Reader) -> Blocks:
        games = tuple(reader.wording_of(kind).name for kind in reader.games.by_name)
        has_asked = bool(work.result.reports)
        return (
            *(() if writer.unreadable is None else paragraph(unread(writer.unreadable))),
            *_ways_to_begin(reader),
            *paragraph(
                message("what_can_be_played", games=games),
                message("sender_is_unknown", has_asked=has_asked) if work.is_stranger else None,
                message("if_you_have_not_written") if work.is_stranger else None,
            ),
            *last_answer(writer.last_for),
        )

    return work.to_sender(message("subject_of_welcome"), make, Sending(work.welcome_counts_as, writer))


def _ways_to_begin(reader: Reader) -> Blocks:
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(limit, message("invitation_can_be_answered"))
    wording, has_lessons = reader.wording, reader.games.teacher(reader.kind) is not None
    bot_line = against_bot(reader, wording.bot_example)
    at_once = ((message("to_play_the_computer"), bot_line),) if reader.has_bots else ()
    rows = (
        *at_once,
        (message("to_let_anybody_join"), wording.seek_example),
        (message("to_see_who_waits"), "seeks"),
        (message("to_ask_a_friend"), wording.example),
        *(((message("to_learn_to_play"), "learn"),) if has_lessons else ()),
        (message("to_get_the_rules"), "rules"),
        (message("to_get_all_commands"), "help"),
    )
    learn = ((message("label_learn"), "learn"),) if has_lessons else ()
    play = ((message("label_play_computer"), bot_line),) if reader.has_bots else ()
    touch = (buttons(*learn, *play),) if learn or play else ()
    return (*paragraph(message("answer_with_a_line_to_begin")), Columns(rows), *touch)


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
    return work.to_sender(subject, make, Sending(LetterPurpose.NONSENSE, work.writer), event.game)


def _tell_of_block(work: LetterBatch, event: news.BlockedPlayerNotified) -> LetterBatch:
    """Tell somebody that the operator takes no mail from them, for the operator's reason if there is one."""
    made = (
        *paragraph(message("operator_takes_no_mail", why=event.why)),
        *paragraph(message("nothing_is_carried_out")),
    )
    return work.to_sender(
        message("subject_of_unread_mail"), lambda _: made, Sending(LetterPurpose.NONSENSE, work.writer)
    )


ROWS: Mapping[type[news.News], Row] = {
    news.SenderWelcomed: Row(writes=lambda work, _: welcome(work)),
    news.SeatAddressExplained: Row(writes=_explain_seat_address),
    news.BlockedPlayerNotified: Row(writes=_tell_of_block),
}
"""Rows of news for those who are no players."""
