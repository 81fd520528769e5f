"""Compose all letters of a cause from its events, its reports and the state after them, without side effects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from takmail.blocks import Blocks, message, paragraph
from takmail.commands.answers import CauseResult, SeatClaim, Sender, Shows
from takmail.commands.lessons import lesson_in
from takmail.games.interface import Seat
from takmail.letters import budgets, contents
from takmail.letters.batch import LetterBatch
from takmail.letters.compose_news import is_chat, own_news, with_event, with_news
from takmail.letters.contents import MailAnswer
from takmail.letters.letter import Letter, Sending
from takmail.letters.news.beginnings import host_address
from takmail.letters.news.rows import has_row, row_of, shows
from takmail.letters.news.senders import (
    is_welcomed,
    is_without_command,
    told_to_strangers,
    welcome,
)
from takmail.letters.passages.languages import offered_in
from takmail.letters.passages.words import MailWords
from takmail.letters.pieces import with_piece
from takmail.letters.reader import Correspondent, Reader, correspondent
from takmail.letters.services import Services
from takmail.limits.letters import INVITATION_WAITS
from takmail.limits.words import MAX_SAID_AGAIN_CHARS
from takmail.mail.message import Mail
from takmail.world import (
    Game,
    GameRecord,
    LetterPurpose,
    MessageId,
    PendingId,
    Snapshot,
    Standing,
    TaskKind,
    events,
    is_answered_soon,
    waits_for_bot,
)

HELPED = "a stranger's mail without a command, and the welcome was sent often enough today"
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
    services: Services, snapshot: Snapshot, mail: Mail | None, sender: Sender | None, result: CauseResult
) -> Composed:
    """Write the letters of a cause. `mail` and `sender` are None unless a person's mail is the cause.

    The letters of single events come first, in the order of the events. The answer and the news for the opponent
    follow. The last letters are the invitations that an earlier mail made and that had to wait.
    """
    writer = None if mail is None or sender is None else correspondent(services, mail, sender, result)
    if writer is not None and (result.player is None or not result.player.has_written):
        # Somebody from whom no mail has provably come is answered in the language of the mail.
        writer = _in_language_of_mail(writer, result)
    batch = LetterBatch(services, snapshot, result, writer)
    asked_by: dict[PendingId, MessageId] = {}
    told = [(event, row_of(event)) for event in result.happened if has_row(event)]
    for event, row in told:
        if row.comes_last(event):
            continue
        before = len(batch.letters)
        batch = with_event(batch, event, row)
        if row.asks is not None and len(batch.letters) > before:
            asked_by[row.asks(event)] = batch.letters[-1].message_id
    note = ""
    if writer is not None and not result.is_silent:
        if is_without_command(batch) and budgets.welcomes_left(writer.sender) <= 0:
            note = HELPED
        else:
            batch = _with_answer(batch, writer)
            for question in _asked_in_answer(result):
                asked_by[question] = batch.letters[-1].message_id
            if result.chat.kept is not None:
                asked_by[result.chat.kept] = batch.letters[-1].message_id
    batch = with_news(batch)
    for event, row in told:
        batch = with_event(batch, event, row) if row.comes_last(event) else batch
    return Composed(batch.letters, asked_by, note)


def _asked_in_answer(result: CauseResult) -> list[PendingId]:
    """Return the questions that have no letters of their own."""
    rows = ((row_of(event), event) for event in result.happened if has_row(event))
    return [row.asks(event) for row, event in rows if row.asks is not None and row.writes is None]


def _with_answer(batch: LetterBatch, writer: Correspondent) -> LetterBatch:
    """Add the answer to the mail's sender. Who can't get one, such as a stranger, gets the welcome instead."""
    if is_welcomed(batch):
        return welcome(batch)
    result = batch.result
    if batch.is_stranger:
        result = replace(result, reports=told_to_strangers(batch.result))
    asks = bool(_asked_in_answer(result))
    told = _told(batch, writer, result)
    lessons = [lesson_in(report) for report in result.reports]
    lesson = next(filter(None, reversed(lessons)), "")
    is_own = batch.claim is None or (batch.claim.player_verified and not result.chat.text)
    if lessons and None not in lessons and is_own:
        return _with_lesson(batch, writer, told, lesson)
    if batch.is_of_part and not _is_unwanted(batch, writer, told):
        return with_piece(batch, writer, told, asks=asks)
    if batch.claim is None:
        return batch.to_sender(
            message("subject_of_answer"),
            lambda reader: contents.answer_outside(told.heard_by(reader), told),
            Sending(
                batch.purpose,
                writer,
                asks,
                lesson="" if asks else lesson,
                # After an erasure, nothing of the answer is kept.
                purge_after_send=_is_sender_erased(batch, writer),
            ),
        )
    return _with_answer_in_game(batch, writer, batch.claim, result, told, asks=asks)


def _is_unwanted(batch: LetterBatch, writer: Correspondent, told: MailAnswer) -> bool:
    """Return whether the answer is a receipt alone, and its reader wants none."""
    if batch.claim is None:
        return False
    game, seat = batch.world.game(batch.claim.game), batch.claim.seat
    if not (game.players[seat].preferences.wants_no_receipts and contents.is_receipt(batch.result, writer)):
        return False
    needs_letter = writer.needs_new_token or told.tells_more or _comes_late(game, seat)
    return not (needs_letter or contents.says_more(game))


def _comes_late(game: Game, seat: Seat) -> bool:
    """Return whether a hint comes too late: it waits for a thought before the reader's own turn."""
    return game.correspondence.threads[seat].waiting_for_thought is not None


def _is_sender_erased(batch: LetterBatch, writer: Correspondent) -> bool:
    player = writer.sender.player
    return player is not None and batch.world.player(player.id).is_erased


def _with_answer_in_game(
    batch: LetterBatch,
    writer: Correspondent,
    claim: SeatClaim,
    result: CauseResult,
    told: MailAnswer,
    *,
    asks: bool,
) -> LetterBatch:
    """Add the answer to a mail about a game, which is as short as what it tells: a receipt, the board, or words."""
    game, seat = batch.world.game(claim.game), claim.seat
    is_receipt_alone = contents.is_receipt(result, writer)
    is_late = is_receipt_alone and _comes_late(game, seat)
    shown = {shows(reported.answer) for reported in result.reports}
    make: Callable[[Reader, MailAnswer], Blocks]
    if is_receipt_alone:
        make = contents.receipt
    elif game.record.invites(game.players[seat].id) and "language" in events.settings_changed(
        result.happened
    ):
        make = contents.invitation_again
    elif shown - {Shows.AGAIN} == {Shows.BOARD}:
        make = contents.resync
    elif contents.is_of_words(result, game, batch.snapshot.answered):
        make = contents.of_words
    else:
        make = contents.answer
    return batch.with_waiting_chat(
        lambda reader: make(told.heard_by(reader), told),
        game,
        seat,
        Sending(
            batch.purpose,
            writer,
            asks,
            # It is still written, because it counts as the answer to the mail.
            waits_for_thought=not (told.tells_more or is_late)
            and _is_told_again(batch, game, contents.only_event(result, writer)),
            is_withheld=_is_unwanted(batch, writer, told),
        ),
        has_ended=batch.has_ended(game.number),
        with_record=Shows.RECORD in shown,
    )


def _with_lesson(batch: LetterBatch, writer: Correspondent, told: MailAnswer, lesson: str) -> LetterBatch:
    """Add the letter with a lesson, in the language of the mail if its sender has chosen none.

    It is about no game, even if the mail is, as a turn in an answer to it is played in the lesson.
    """
    batch = replace(batch, writer=_in_language_of_mail(writer, batch.result))
    told = replace(told, offers_language=())
    unknown = paragraph(message("lesson_to_stranger"), message("if_you_have_not_written", has_lesson=True))

    def make(reader: Reader) -> Blocks:
        return (
            *contents.answer_outside(told.heard_by(reader), told),
            *(unknown if batch.is_stranger else ()),
        )

    sending = Sending(batch.purpose, batch.writer, lesson=lesson)
    return batch.to_sender(message("subject_of_lessons"), make, sending)


def _in_language_of_mail(writer: Correspondent, result: CauseResult) -> Correspondent:
    """Return whoever wrote a mail, with its language for the answer if they have chosen none."""
    language = result.offers_language or writer.style.language
    return replace(writer, style=writer.style._replace(language=language))


def _told(batch: LetterBatch, writer: Correspondent, result: CauseResult) -> MailAnswer:
    """Return what the answer to a mail tells. `result` has the reports that the sender may hear."""
    again, news = " ".join(result.chat.text.split()), own_news(batch)
    # Perhaps the player's mail program asked for no mail, and the player has never heard of it.
    wants_no_mail = result.player is not None and result.player.wants_no_mail
    return MailAnswer(
        result.reports,
        MailWords(
            result.chat.status,
            result.chat.text,
            again if len(again) <= MAX_SAID_AGAIN_CHARS else "",
            is_cut=result.chat.is_cut,
            is_room_made=bool(news),
            must_wait=_must_chat_wait(batch, news),
            has_commands=bool(result.reports),
            offers=result.chat.offers,
            courtesy=result.chat.courtesy,
        ),
        writer.unreadable,
        None if batch.claim is None else host_address(batch.world.game(batch.claim.game), batch.claim.seat),
        wants_no_mail=wants_no_mail and not any(row_of(event).stops_mail for event in result.happened),
        last_for=writer.last_for,
        offers_language=offered_in(batch.services.templates, filter(None, [result.offers_language])),
        unanswered=_unanswered(batch, writer),
    )


def _unanswered(batch: LetterBatch, writer: Correspondent) -> tuple[GameRecord, ...]:
    """Return the sender's other invitations that have waited for days without an answer.

    Each is told once: in the answer to the first mail from a day (UTC) on. All other mails ask the store for nothing.
    Whether its letter was written does not matter, as the host must not learn that the guest wants none.
    """
    player, before = batch.result.player, writer.sender.mailbox.verified_at
    if player is None or before is None or not writer.sender.is_verified or before.date() == batch.now.date():
        return ()
    here = None if batch.claim is None else batch.claim.game
    waiting = batch.world.games_of(player.id, Standing.INVITED)
    return tuple(
        game
        for game in waiting
        if game.is_invitation_of(player.id)
        and game.number != here
        and before.date() < (game.created_at + INVITATION_WAITS).date() <= batch.now.date()
    )


def _must_chat_wait(batch: LetterBatch, told: Sequence[events.GameEvent]) -> bool:
    """Return whether the news are only chat, and the opponent's limit on chat letters is used up."""
    if batch.claim is None or not is_chat(told):
        return False
    game = batch.world.game(batch.claim.game)
    reader = game.players[batch.claim.seat.other]
    if not reader.mailboxes:
        return False
    mailbox = batch.current_mailbox(reader.main_mailbox)
    due = budgets.due_later(batch.services.rates, mailbox, LetterPurpose.CHAT, game.number, batch.now)
    return due is not None


def _is_told_again(batch: LetterBatch, game: Game, only_event: events.Event | None) -> bool:
    """Return whether the letter with the bot's turn, or with the review of the game, tells all that the answer tells.

    That is that a turn is played, that a game begins that the sender has joined or in which a bot sits, or what has
    ended the game. That a hint comes is told by the hint.
    """
    if only_event is None:
        return False
    if isinstance(only_event, events.ThoughtAsked):
        return only_event.kind is TaskKind.HINT
    row = row_of(only_event)
    begins_alone = row.begins_game and not batch.result.offers_language
    is_answered = waits_for_bot(game) or is_answered_soon(game)
    return (is_answered and (row.is_plain_turn(only_event) or begins_alone)) or (
        batch.holds_end(game) and row.may_end_game
    )
