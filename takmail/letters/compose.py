"""Compose all letters of a cause from its events, its reports and the state after them, without side effects."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from takmail.blocks import Blocks, message, paragraph
from takmail.commands.answers import ChatStatus, Result, Sender, Shows
from takmail.commands.lessons import lesson_in
from takmail.commands.view import is_completed
from takmail.letters import answer_letters, budgets
from takmail.letters.answer_letters import MailAnswer
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Letter, Sending
from takmail.letters.news.beginnings import host_address
from takmail.letters.news.rows import ROWS, shows
from takmail.letters.news.senders import welcome
from takmail.letters.news_letters import is_chat, with_event, write_news
from takmail.letters.parts.words import MailWords
from takmail.letters.reader import Correspondent, Reader, correspondent
from takmail.letters.services import Services
from takmail.letters.shown_parts import parts_of_answer
from takmail.limits.words import MAX_SAID_AGAIN_CHARS
from takmail.mail.message import Message as Mail
from takmail.world import LetterPurpose, MessageId, PendingId, Snapshot, Standing, Table, World, news
from takmail.world.bots import waits_for_bot

HELPED = "a stranger's mail without a command, and the welcome was sent today"
"""The note for the operator about a mail that gets no letter."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The letters of a cause in the order of sending, and the letters that ask its questions.

    `note` tells the operator why a mail got no answer, or is ''.
    """

    letters: tuple[Letter, ...]
    asked_by: Mapping[PendingId, MessageId]
    note: str = ""


def compose(
    services: Services, snapshot: Snapshot, mail: Mail | None, sender: Sender | None, result: Result
) -> Composed:
    """Write the letters of a cause. `mail` and `sender` are None unless a person's mail is the cause.

    The letters of single events come first, in the order of the events. The answer and the news for the opponent
    follow. The last letters are the invitations that an earlier mail made and that had to wait.
    """
    writer = None if mail is None or sender is None else correspondent(services, mail, sender, result)
    is_proven = writer is None or writer.sender.purpose is LetterPurpose.SURE
    work = LetterBatch(
        services,
        snapshot.world,
        result.world,
        snapshot.now,
        snapshot.seed,
        is_proven,
        result=result,
        writer=writer,
    )
    asked_by: dict[PendingId, MessageId] = {}
    for event in result.events:
        if event.comes_last:
            continue
        before = len(work.letters)
        work = with_event(work, event)
        if isinstance(event, news.QuestionAsked) and len(work.letters) > before:
            asked_by[event.question.id] = work.newest
    note = ""
    if writer is not None and not result.is_silent:
        if work.is_without_command and budgets.got_welcome(writer.sender, work.welcome_counts_as):
            note = HELPED
        else:
            work = _with_answer(work, writer, snapshot)
            in_answer = (
                one for one in result.events if isinstance(one, news.QuestionAsked) and _in_answer(one)
            )
            asked_by |= {event.question.id: work.newest for event in in_answer}
    work = _with_news(work)
    for event in result.events:
        work = with_event(work, event) if event.comes_last else work
    return Composed(work.letters, asked_by, note)


def _in_answer(event: news.News) -> bool:
    return ROWS[type(event)].is_asked_in_answer


def _with_answer(work: LetterBatch, writer: Correspondent, snapshot: Snapshot) -> LetterBatch:
    """Add the answer to the mail's sender. Who can't get one, such as a stranger, gets the welcome instead.

    Somebody who is no player is answered in the language of the mail.
    """
    if work.result.player is None:
        work = _in_language_of_mail(work, writer)
        writer = work.writer or writer
    if work.is_welcomed:
        return welcome(work)
    result = work.result
    if work.is_stranger:
        result = replace(result, reports=work.told_to_strangers())
    stops = any(isinstance(one, news.MailStopped) for one in result.events)
    asks = any(map(_in_answer, result.events))
    told = _told(
        work, writer, result, wants_no_mail=bool(result.player and result.player.wants_no_mail and not stops)
    )
    lessons = [lesson_in(report) for report in result.reports]
    number = next(filter(None, reversed(lessons)), 0)
    is_own = work.claim is None or (work.claim.player_verified and not result.chat.text)
    if lessons and None not in lessons and is_own:
        return _with_lesson(work, writer, told, number)
    if work.claim is None:
        # After an erasure, nothing of the answer is kept.
        has_left = any(isinstance(event, news.PlayerErased) for event in result.events)
        return work.to_sender(
            message("subject_of_answer"),
            lambda reader: answer_letters.answer_outside(reader, told),
            Sending(
                writer.sender.purpose,
                writer,
                asks,
                lesson=0 if asks else number,
                purge_after_send=has_left,
            ),
        )
    table, seat = result.world.games[work.claim.game], work.claim.seat
    shown = {shows(reported.answer) for reported in result.reports}
    is_receipt_alone = is_receipt(result, work.before, writer)
    make: Callable[[Reader, MailAnswer], Blocks]
    if is_receipt_alone:
        make = answer_letters.receipt
    elif shown - {Shows.AGAIN} == {Shows.BOARD}:
        make = answer_letters.resync
    elif is_of_words(result, table, None if snapshot.answered is None else snapshot.answered.version):
        make = answer_letters.of_words
    else:
        make = answer_letters.answer
    return work.with_waiting_chat(
        lambda reader: make(reader, told),
        table,
        seat,
        Sending(
            writer.sender.purpose,
            writer,
            asks,
            # It is still written, because it counts as the answer to the mail.
            # The letter with the bot's turn tells it, too.
            is_held=(waits_for_bot(table) and (is_receipt_alone or is_of_beginning(result, writer)))
            or (work.holds_end(table) and is_of_end(result, writer)),
            is_withheld=is_receipt_alone
            and table.players[seat].wants_no_receipts
            and not (says_more(table) or writer.needs_new_token),
        ),
        has_ended=work.has_ended(table.number),
        match=result.matches.get(table.number),
        with_record=Shows.RECORD in shown,
    )


def _with_lesson(work: LetterBatch, writer: Correspondent, told: MailAnswer, number: int) -> LetterBatch:
    """Add the letter with a lesson, in the language of the mail if its sender has chosen none.

    It is about no game, even if the mail is, as a turn in an answer to it is played in the lesson.
    """
    work = _in_language_of_mail(work, writer)
    told = replace(told, offers_language="")
    unknown = paragraph(message("lesson_to_stranger"), message("if_you_have_not_written"))

    def make(reader: Reader) -> Blocks:
        return (*answer_letters.answer_outside(reader, told), *(unknown if work.is_stranger else ()))

    sending = Sending(writer.sender.purpose, work.writer, lesson=number)
    return work.to_sender(message("subject_of_lessons"), make, sending)


def _in_language_of_mail(work: LetterBatch, writer: Correspondent) -> LetterBatch:
    """Return the batch with the language of the mail for its answer, if its sender has chosen none."""
    language = work.result.offers_language or writer.style.language
    return replace(work, writer=replace(writer, style=writer.style._replace(language=language)))


def _told(work: LetterBatch, writer: Correspondent, result: Result, *, wants_no_mail: bool) -> MailAnswer:
    """Return what the answer to a mail tells. `result` has the reports that the sender may hear."""
    again, table, host = " ".join(result.chat.text.split()), None, None
    if work.claim is not None:
        table = result.world.games[work.claim.game]
        host = host_address(table, work.claim.seat)
    return MailAnswer(
        result.reports,
        MailWords(
            result.chat.status,
            result.chat.text,
            again if len(again) <= MAX_SAID_AGAIN_CHARS else "",
            is_cut=any(isinstance(event, news.Chat) and event.is_cut for event in result.events),
            is_room_made=bool(work.own_news()),
            must_wait=_must_chat_wait(work),
        ),
        parts_of_answer(result.reports, table, has_ended=table is not None and work.has_ended(table.number)),
        writer.unreadable,
        host,
        # Perhaps the player's mail program asked for it, and the player has never heard of it.
        wants_no_mail=wants_no_mail,
        last_for=writer.last_for,
        offers_language=_offered_language(work, result.offers_language),
    )


def _offered_language(work: LetterBatch, language: str) -> str:
    """Return the line that offers letters in a language, in this language, '' for none."""
    templates = work.services.templates
    return templates.said(message("letters_in_this_language"), language) if language else ""


def _with_news(work: LetterBatch) -> LetterBatch:
    """Add the letter to the opponent. It reports all changes of the mail's game and contains the waiting chat."""
    found = work.own_news()
    if not found or work.claim is None:
        return work
    table, reader = work.world.games[work.claim.game], work.claim.seat.other
    return write_news(work, table, reader, found, has_ended=work.has_ended(table.number))


def _must_chat_wait(work: LetterBatch) -> bool:
    """Return whether the news are only chat, and the opponent's limit on chat letters is used up."""
    if work.claim is None or not is_chat(work.own_news()):
        return False
    table = work.world.games[work.claim.game]
    reader = table.players[work.claim.seat.other]
    if not reader.mailboxes:
        return False
    mailbox = work.current_mailbox(reader.main_mailbox)
    due = budgets.due_later(work.services.rates, mailbox, LetterPurpose.CHAT, table.number, work.now)
    return due is not None


def is_receipt(result: Result, before: World, writer: Correspondent) -> bool:
    """Return whether the mail was one move, which was played or forwarded, and the answer has nothing else to tell.

    Then the opponent is to move, and nothing in the game waits for the sender, or did so before the mail. `before` is
    the world before it, and `writer` wrote the mail.
    """
    event = _only_event(result, writer)
    if result.claim is None or not (isinstance(event, news.GameNews) and event.is_plain_turn):
        return False
    table, seat = result.world.games[result.claim.game], result.claim.seat
    still_open = {item.id for item in result.world.all_pending}
    stopped = [player for player in before.players.values() if player.wants_no_mail]
    return (
        table.record.standing is Standing.OPEN
        and table.to_move == seat.other
        and still_open >= {item.id for item in before.all_pending}
        and not any(player.id == table.players[seat].id for player in stopped)
        and not (table.offers or table.disputes or table.chat_for(seat))
    )


def is_of_beginning(result: Result, writer: Correspondent) -> bool:
    """Return whether the answer only tells that a game begins that the sender has joined, or in which a bot sits."""
    return isinstance(_only_event(result, writer), news.SeekJoined) and not result.offers_language


def is_of_end(result: Result, writer: Correspondent) -> bool:
    """Return whether the answer only tells what has ended the game: a turn, or that the sender gives it up."""
    return isinstance(_only_event(result, writer), news.TurnPlayed | news.Resigned)


def _only_event(result: Result, writer: Correspondent) -> news.News | None:
    """Return the only thing that the answer to a mail has to tell, None if it tells more."""
    has_more = result.chat.status is not ChatStatus.NONE or writer.unreadable or writer.last_for
    return None if has_more or not len(result.reports) == len(result.events) == 1 else result.events[0]


def is_of_words(result: Result, table: Table, version: int | None) -> bool:
    """Return whether the mail was only words, so that one line and a quote answer it.

    The answer does not show the board. So the letter that was answered, of this version of the game, has to show it as
    it is, and nothing in the game waits for the sender.
    """
    answers = [one.answer for one in result.reports]
    is_said = all(isinstance(one, news.GameNews) and one.is_words for one in answers)
    is_alone = len(answers) == 1 or (not answers and bool(result.chat.text))
    if not (is_said and is_alone) or result.claim is None or result.claim.turn != len(table.turns):
        return False
    seat = result.claim.seat
    is_asked = table.record.standing is Standing.INVITED and table.players[seat].id != table.record.invited_by
    is_offered = any(one.seat != seat for one in table.offers)
    return not (is_asked or is_offered or table.shows_taken_back(version, result.claim.turn))


def says_more(table: Table) -> bool:
    """Return whether a receipt tells more than that the last turn was played.

    takmail has added something to the turn, or a part of it does not count.
    """
    if not table.keeps_board:
        return False
    before, turn = table.positions[-2], table.turns[-1]
    effect = before.effect(turn.text)
    return is_completed(before, turn) or (effect is not None and effect.corrects)
